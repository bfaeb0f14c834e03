/** Findings of checks in outputs: each run tells of them, until the source or the translation changes, or a person accepts them. */
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type FailedUnits, TranslationStore } from "effect-translate"
import { Check } from "effect-translate/checks"
import { Fault } from "effect-translate/emulator"
import { JobSource, OutputCheck, TranslationJob } from "effect-translate/jobs"
import { someOf } from "../support/long.js"
import { folderWith } from "./fileSources.js"
import { answers, kinds, refusal, wrong } from "./flaggedFiles.js"
import { billed, script, withService } from "./jobs.js"

const answerOf = (source: string): string =>
  answers[source] ?? source.replace(/^Lamp (\d+) is sold out\.$/, "Die Lampe $1 ist ausverkauft.")

/** Translates a file of a folder into German, and keeps what it is told. */
const translate = (folder: string, name: string, more: Partial<TranslationJob.Options> = {}) =>
  Effect.gen(function* () {
    yield* script(Fault.mistranslate(answerOf).pipe(Fault.times(99)))
    const before = yield* billed
    const flagged: Array<FailedUnits.FailedUnit> = []
    const report = yield* TranslationJob.run({
      sources: [JobSource.file(fileIn(folder, name))],
      targets: ["de"],
      options: { sourceLang: "en" },
      onFlagged: (unit) => Effect.sync(() => void flagged.push(unit)),
      ...more
    })
    return {
      texts: flagged.map(({ findings = [], text, translation }) => [
        text,
        translation,
        findings.map(({ check }) => check)
      ]),
      units: flagged,
      count: report.targets[0]!.flagged,
      unasked: report.targets[0]!.unasked,
      state: report.outputs[0]!.state,
      end: report.end,
      characters: (yield* billed) - before
    }
  })

const fileIn = (folder: string, name: string): JobSource.FileOptions => ({
  path: `${folder}/${name}`,
  output: `${folder}/{lang}/${name}`,
  stateFolder: `${folder}/.state`,
  format: kinds[name]!.format
})

const looked = (folder: string, name: string) =>
  ({
    files: [fileIn(folder, name)],
    targets: ["de"],
    options: { sourceLang: "en" },
    checks: Check.defaults
  }) satisfies OutputCheck.Options

const accept = (folder: string, name: string, more: Partial<OutputCheck.AcceptOptions> = {}) =>
  OutputCheck.accept({ ...looked(folder, name), ...more })

const checked = (folder: string, name: string) =>
  OutputCheck.run(looked(folder, name)).pipe(Stream.runCollect, Effect.map(Chunk.toReadonlyArray))

const told = [wrong, refusal, ["modelReply"]]

/** What git does not have is gone: the store, and what only saves time. */
const inClone = <A, E, R>(folder: string, self: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    rmSync(`${folder}/.state/cache`, { recursive: true, force: true })
    return Effect.provideService(self, TranslationStore.TranslationStore, TranslationStore.none)
  })

/** A check that asks somebody, who finds refusals to be poor, beside the default ones. */
const poor = Effect.gen(function* () {
  const asked: Array<string> = []
  const quality = yield* Check.effect({
    name: "quality",
    version: "1",
    find: (pairs) =>
      Effect.sync(() => {
        asked.push(...pairs.map(({ source }) => source))
        return pairs.map(({ translation }) =>
          translation === refusal
            ? [
                {
                  severity: "warning" as const,
                  explanation: "Its score is low.",
                  source: [],
                  translation: []
                }
              ]
            : []
        )
      })
  })
  return { asked, verify: { checks: [...Check.defaults, quality] } }
})

const first = [wrong, "The door is closed."]
const edited = [wrong, "The gate is open."]

const test = <E, R>(name: string, self: (folder: string) => Effect.Effect<void, E, R>) =>
  Effect.flatMap(folderWith({ [name]: kinds[name]!.write(first) }), self)

describe.each(someOf(Object.keys(kinds), 3))("a text that looks wrong in an output of %s", (name) => {
  it.effect("is told by the run that has translated it, and by the same again, at no cost", () =>
    test(name, (folder) =>
      Effect.gen(function* () {
        const { texts, end } = yield* translate(folder, name)
        expect([texts, end.state]).toEqual([[told], "complete"])
        expect(yield* translate(folder, name)).toMatchObject({
          texts: [told],
          count: 1,
          state: "unchanged",
          end: {
            state: "complete",
            next: "All texts are translated, and 1 text looks wrong. The same again bills nothing. Nothing was billed."
          },
          characters: 0
        })
      })
    ).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect("is told by a run that translates another text", () =>
    test(name, (folder) =>
      Effect.gen(function* () {
        yield* translate(folder, name)
        writeFileSync(`${folder}/${name}`, kinds[name]!.write(edited))
        const { characters, count, texts } = yield* translate(folder, name)
        expect([texts, count, characters]).toEqual([[told], 1, edited[1]!.length])
      })
    ).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect("is told in a clone without a store, which sends nothing, and remembers it", () =>
    test(name, (folder) =>
      Effect.gen(function* () {
        yield* translate(folder, name)
        const again = { texts: [told], count: 1, state: "unchanged", characters: 0 }
        expect(yield* inClone(folder, translate(folder, name))).toMatchObject(again)
        expect(yield* translate(folder, name)).toMatchObject(again)
      })
    ).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect("is told until a person has mended it in the output", () =>
    test(name, (folder) =>
      Effect.gen(function* () {
        yield* translate(folder, name)
        const path = `${folder}/de/${name}`
        writeFileSync(path, readFileSync(path, "utf8").replace(refusal, "Bitte bestätigen Sie Ihre Adresse."))
        expect(yield* translate(folder, name)).toMatchObject({ texts: [], count: undefined, characters: 0 })
      })
    ).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect("is told of again by checks that have changed", () =>
    test(name, (folder) =>
      Effect.gen(function* () {
        let asked = 0
        const check = (version: string): Check.Check => ({
          name: "own",
          version,
          find: () => {
            asked++
            return []
          }
        })
        yield* translate(folder, name)
        const run = (version: string) =>
          translate(folder, name, { verify: { checks: [...Check.defaults, check(version)] } })
        expect((yield* run("1")).texts).toEqual([told])
        expect(asked).toBe(2)
        yield* run("1")
        expect(asked).toBe(2)
        yield* run("2")
        expect(asked).toBe(4)
      })
    ).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect("is told no more once a person has accepted it, here and in a clone", () =>
    test(name, (folder) =>
      Effect.gen(function* () {
        yield* translate(folder, name)
        expect(yield* accept(folder, name)).toMatchObject([{ keys: [], findings: [{ check: "modelReply" }] }])
        const none = { texts: [], count: undefined, state: "unchanged", characters: 0 }
        expect(yield* translate(folder, name)).toMatchObject(none)
        expect(yield* inClone(folder, translate(folder, name))).toMatchObject(none)
        expect(yield* checked(folder, name)).toEqual([])
        expect(yield* accept(folder, name)).toMatchObject([{ keys: [], findings: [] }])
      })
    ).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect(
    "stays accepted while other texts are translated and it moves, until its translation changes",
    () =>
      test(name, (folder) =>
        Effect.gen(function* () {
          yield* translate(folder, name)
          yield* inClone(folder, accept(folder, name))
          writeFileSync(`${folder}/${name}`, kinds[name]!.write([edited[1]!, wrong]))
          expect((yield* translate(folder, name)).texts).toEqual([])
          const path = `${folder}/de/${name}`
          const other = refusal.replace("diese", "jene")
          writeFileSync(path, readFileSync(path, "utf8").replace(refusal, other))
          expect((yield* translate(folder, name)).texts).toEqual([[wrong, other, ["modelReply"]]])
        })
      ).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect("is accepted by a list of texts, of which others stay as they are", () =>
    test(name, (folder) =>
      Effect.gen(function* () {
        const { units } = yield* translate(folder, name)
        const place = { stateFolder: `${folder}/.state`, stateRoot: folder }
        expect(yield* OutputCheck.acceptUnits({ ...place, units })).toEqual([])
        const accepted = units.map((unit) => ({ ...unit, accepted: true }))
        expect(yield* OutputCheck.acceptUnits({ ...place, units: accepted })).toMatchObject([
          { targetLang: "de", findings: [{ check: "modelReply" }] }
        ])
        expect((yield* translate(folder, name)).texts).toEqual([])
      })
    ).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect("is not accepted by another key, nor by another check", () =>
    test(name, (folder) =>
      Effect.gen(function* () {
        yield* translate(folder, name)
        yield* accept(folder, name, { keys: ["none"] })
        yield* accept(folder, name, { only: ["length"] })
        expect((yield* translate(folder, name)).texts).toEqual([told])
      })
    ).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect("is refused by a policy that is named, unless a person has accepted it", () =>
    test(name, (folder) =>
      Effect.gen(function* () {
        const strict = { verify: { policies: { modelReply: "fail" } } } as const
        yield* translate(folder, name)
        yield* accept(folder, name)
        writeFileSync(`${folder}/${name}`, kinds[name]!.write(edited))
        const { count, end, texts } = yield* translate(folder, name, strict)
        expect([end.state, texts, count]).toEqual(["complete", [], undefined])
      })
    ).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect("is told again once a person's acceptance is gone from the record", () =>
    test(name, (folder) =>
      Effect.gen(function* () {
        yield* translate(folder, name)
        yield* accept(folder, name)
        yield* translate(folder, name)
        const record = `${folder}/.state/records/de/de/${name}.jsonl`
        const lines = readFileSync(record, "utf8").split("\n")
        writeFileSync(record, lines.filter((line) => !line.startsWith('{"accepted"')).join("\n"))
        expect(yield* translate(folder, name)).toMatchObject({ texts: [told], characters: 0 })
      })
    ).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect(
    "is told by the verdict of a check that asks somebody, also by a run that translates another text",
    () =>
      test(name, (folder) =>
        Effect.gen(function* () {
          const { asked, verify } = yield* poor
          const run = (more = {}) => translate(folder, name, { verify, ...more })
          const told = [wrong, refusal, ["modelReply", "quality"]]
          expect((yield* run()).texts).toEqual([told])
          expect((yield* run()).texts).toEqual([told])
          writeFileSync(`${folder}/${name}`, kinds[name]!.write(edited))
          expect((yield* run()).texts).toEqual([told])
          rmSync(`${folder}/.state/cache`, { recursive: true, force: true })
          expect((yield* run()).texts).toEqual([told])
          expect(asked).toEqual([first, edited.slice(1)].flat())
        })
      ).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect(
    "has no verdict of a check that asks somebody in a clone without a store, and each run counts it",
    () =>
      test(name, (folder) =>
        Effect.gen(function* () {
          const { asked, verify } = yield* poor
          yield* translate(folder, name)
          const run = () => inClone(folder, translate(folder, name, { verify }))
          expect(yield* run()).toMatchObject({ texts: [told], unasked: 2 })
          expect(yield* run()).toMatchObject({ texts: [told], unasked: 2 })
          expect(asked).toEqual([])
        })
      ).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )
})

describe("a file of many rows", () => {
  const texts = Array.from({ length: 1500 }, (_, index) => `Lamp ${index} is sold out.`)

  const counting = (version: string) => {
    const count = { asked: 0 }
    const check: Check.Check = {
      name: "own",
      version,
      find: () => {
        count.asked++
        return []
      }
    }
    const verify = { checks: [...Check.defaults, check] }
    return { count, run: (folder: string) => translate(folder, "a.csv", { verify }) }
  }

  const write = (folder: string, rows: ReadonlyArray<string>) =>
    writeFileSync(`${folder}/a.csv`, kinds["a.csv"]!.write(rows))

  it.effect("is looked at near a row that was added only, and what looks wrong elsewhere is told", () =>
    test("a.csv", (folder) =>
      Effect.gen(function* () {
        write(folder, [...texts, wrong])
        yield* counting("1").run(folder)
        const { count, run } = counting("1")
        write(folder, [...texts.slice(0, 700), "The gate is open.", ...texts.slice(700), wrong])
        expect((yield* run(folder)).texts).toEqual([told])
        expect(count.asked).toBeLessThan(texts.length / 2)
      })).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect("is looked at in full by checks that have changed", () =>
    test("a.csv", (folder) =>
      Effect.gen(function* () {
        write(folder, texts)
        yield* counting("1").run(folder)
        const { count, run } = counting("2")
        write(folder, [...texts, "The gate is open."])
        yield* run(folder)
        expect(count.asked).toBeGreaterThanOrEqual(texts.length)
      })).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )
})
