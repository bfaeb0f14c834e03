/** Random work of people and of the machine on a source and its output: nobody's text is lost, or taken for another's. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as fc from "fast-check"
import { hashOf } from "../../src/job/internal/record.js"
import { once } from "../stream/support.js"
import { emulatedInProcess } from "../support/emulator.js"
import { runs, runsTimeout } from "../support/long.js"
import { folderWith } from "./fileSources.js"
import { type Kind, kinds, machineOf, make, type Repository, type Units } from "./randomRepository.js"

const step = fc.record({
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constant("run" as const) },
    { weight: 2, arbitrary: fc.constant("run and drop" as const) },
    { weight: 4, arbitrary: fc.constantFrom("edit", "rewrite", "add", "delete", "rename") },
    { weight: 4, arbitrary: fc.constant("correct" as const) },
    { weight: 2, arbitrary: fc.constantFrom("move", "merge", "checkout") },
    { weight: 1, arbitrary: fc.constantFrom("lose records", "lose cache", "lose store") }
  ),
  at: fc.nat({ max: 1000 }),
  text: fc.nat({ max: 11 })
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const subjects = ["cat", "lamp", "river", "teacher"]
const objects = ["over the bridge", "into a garden", "with old friends"]
const textOf = (index: number, version = 0) =>
  `The ${subjects[index % 4]} goes ${objects[index % 3]} ${["today", "at night", "in winter"][version % 3]}`

const letters = (index: number): string =>
  index < 26 ? String.fromCharCode(97 + index) : letters(Math.floor(index / 26) - 1) + letters(index % 26)

/** The words of a person, none of which are written twice. */
const isOfPerson = (text: string) => text.startsWith("Mensch")
const personsIn = (text: string) => text.match(/Mensch \w+ meint/g) ?? []

interface Snapshot {
  readonly source: Units
  readonly output: string
  readonly record: string
}

/** What a person does to the source. */
const changed = (source: Units, { at, kind, text }: Step): Units => {
  const place = at % Math.max(1, source.length)
  const newKey = `k${at}`
  const hasKey = source.some(([key]) => key === newKey)
  const replaced = (change: (unit: Units[number]) => Units) =>
    source.flatMap((unit, index) => (index === place ? change(unit) : [unit]))
  switch (kind) {
    case "edit":
      return replaced(([key, before]) => [
        [key, before.replace(/today|at night|in winter/, at % 2 === 0 ? "in winter" : "at night")]
      ])
    case "rewrite":
      return replaced(([key]) => [[key, textOf(text, at)]])
    case "add":
      return hasKey ? source : [...source.slice(0, place), [newKey, textOf(text, at)], ...source.slice(place)]
    case "delete":
      return source.length < 2 ? source : replaced(() => [])
    case "rename":
      return hasKey ? source : replaced(([, text]) => [[newKey, text]])
    default:
      return source
  }
}

const play = (kind: Kind, steps: ReadonlyArray<Step>) =>
  Effect.gen(function* () {
    const folder = yield* folderWith({})
    const repository: Repository = yield* make(folder, kind)
    let source: Units = [0, 1, 2].map((index) => [`k${index + 2000}`, textOf(index)] as const)
    let counter = 0
    let isLossy = false
    let sent = new Set<string>()
    const written = new Set<string>()
    const snapshots: Array<Snapshot> = []
    const remember = () => {
      const [output, record] = [repository.read("output"), repository.record()]
      if (output !== undefined && record !== undefined) snapshots.push({ source, output, record })
    }
    const kept = Effect.map(repository.corrections, (corrections) => ({
      corrections,
      texts: new Set([
        ...personsIn(repository.read("output") ?? ""),
        ...personsIn(Array.from(corrections.values()).join("\n"))
      ])
    }))

    const run = (removed: "keep" | "drop") =>
      Effect.gen(function* () {
        const before = repository.read("output")
        const kepts = yield* kept
        const result = yield* repository.run(removed)
        for (const text of result.sent) {
          expect(sent, "sent once").not.toContain(text)
          sent.add(text)
        }
        const output = repository.read("output")!
        if (result.state !== "complete") {
          expect(result.state).toBe("FormatError")
          expect(output, "a run that fails writes nothing").toBe(before)
          isLossy = true
          return
        }
        // A person's newer translation of the same text takes the place of a correction, and of a text whose source is not known.
        const after = yield* kept
        const replaced = Array.from(kepts.corrections).flatMap(([source, text]) =>
          after.corrections.get(source) === text ? [] : personsIn(text)
        )
        const named = new Set(personsIn(result.deleted.join("\n")))
        for (const text of kepts.texts) {
          if (!replaced.includes(text) && !named.has(text))
            expect(after.texts, "a person's text is kept").toContain(text)
        }
        for (const line of (repository.record() ?? "")
          .split("\n")
          .filter((line) => line.startsWith('{"key"'))) {
          const { by, target } = JSON.parse(line) as { by: string; target: string }
          const isPersons = [...written].some((text) => hashOf(text) === target)
          if (by === "person" || by === "correction") expect(isPersons, `not a person's: ${line}`).toBe(true)
          if (by === "machine") expect(isPersons, `not the machine's: ${line}`).toBe(false)
        }
        if (isLossy) return
        const translations = kind.read(output)
        const byName = new Map(translations)
        const now = source.map(
          (unit, index) =>
            [unit, kind.name === "a.md" ? translations[index]?.[1] : byName.get(kind.nameOf(unit))] as const
        )
        const made = new Set<string>()
        for (const [[, text], translation] of now) {
          if (isOfPerson(translation ?? "")) continue
          expect(translation).toBe(machineOf(text))
          made.add(text)
        }
        for (const text of result.sent) expect(made, "what is sent is used").toContain(text)
        for (const text of made) expect(sent, "all was sent").toContain(text)
      })

    repository.write("source", kind.write(source))
    yield* run("keep")
    remember()
    for (const one of steps) {
      const { at, kind: what } = one
      switch (what) {
        case "run":
        case "run and drop":
          yield* run(what === "run" ? "keep" : "drop")
          remember()
          break
        case "correct": {
          const output = repository.read("output")!
          const units = kind.read(output)
          if (units.length === 0) break
          const [, before] = units[at % units.length]!
          const after = `Mensch ${letters(counter++)} meint ${objects[at % 3]}`
          const edited = kind.edit(output, before, after)
          if (edited !== output) written.add(after)
          repository.write("output", edited)
          break
        }
        case "move":
          repository.move(["src", "lib", "packages/app"][at % 3]!)
          break
        case "merge":
        case "checkout": {
          const other = snapshots[at % snapshots.length]
          const record = repository.record()
          if (other === undefined || record === undefined) break
          const lines = [...new Set([...record.split("\n"), ...other.record.split("\n")])].filter(
            (line) => line !== ""
          )
          repository.writeRecord(
            at % 2 === 0
              ? `<<<<<<< HEAD\n${record}||||||| base\n=======\n${other.record}>>>>>>> other\n`
              : `${lines.join("\n")}\n`
          )
          if (what === "checkout") repository.write("output", other.output)
          if (at % 3 > 0) source = other.source
          repository.write("source", kind.write(source))
          break
        }
        case "lose records":
          isLossy = true
          repository.lose("records")
          break
        case "lose cache":
          repository.lose("cache")
          break
        case "lose store":
          isLossy = true
          sent = new Set()
          yield* repository.loseStore
          break
        default:
          source = changed(source, one)
          repository.write("source", kind.write(source))
      }
    }
    yield* run("keep")
  }).pipe(Effect.scoped)

describe("after any work of people and the machine", () => {
  for (const kind of kinds) {
    it.effect(
      `no text of a person is lost, and none of the machine is a person's: ${kind.name}`,
      () =>
        Effect.gen(function* () {
          const context = yield* Effect.context<never>()
          const runtime = yield* Effect.runtime<Layer.Layer.Success<typeof layer>>()

          yield* Effect.promise(() =>
            fc.assert(
              fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 20 }), (steps) =>
                Effect.runPromise(
                  once(play(kind, steps)).pipe(Effect.provide(runtime), Effect.provide(context))
                )
              ),
              { numRuns: runs(500, 13) }
            )
          )
        }).pipe(Effect.provide(layer)),
      runsTimeout
    )
  }
})

const layer = Layer.merge(emulatedInProcess(), NodeContext.layer).pipe(Layer.orDie)
