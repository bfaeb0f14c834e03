/** What records tell of outputs: faults that random work of people and the machine has found. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { once } from "../stream/support.js"
import { emulatedInProcess } from "../support/emulator.js"
import { folderWith } from "./fileSources.js"
import { type Kind, kinds, machineOf, make } from "./randomRepository.js"

const services = Layer.merge(emulatedInProcess(), NodeContext.layer).pipe(Layer.orDie)

const repositoryOf = (name: string) =>
  Effect.gen(function* () {
    const kind: Kind = kinds.find((kind) => kind.name === name)!
    const repository = yield* make(yield* folderWith({}), kind)
    return {
      ...repository,
      kind,
      source: (texts: Readonly<Record<string, string>>) =>
        repository.write("source", kind.write(Object.entries(texts)))
    }
  })

describe("a text of an output that nobody knows the author of", () => {
  it.effect("stays when its source is gone, and is no correction of the store: of a PO file", () =>
    Effect.gen(function* () {
      const { corrections, lose, read, run, source } = yield* repositoryOf("a.po")
      source({ a: "The cat", b: "The dog" })
      yield* run("keep")
      lose("records")
      source({ a: "The cat" })
      expect(yield* run("drop")).toMatchObject({ state: "complete", sent: [] })
      expect((yield* corrections).size).toBe(0)
      expect(read("output")).toContain(machineOf("The dog"))
    }).pipe(once, Effect.scoped, Effect.provide(services))
  )
})

describe("an output that was moved with its source", () => {
  it.effect("is known by the record of its former place, without a store", () =>
    Effect.gen(function* () {
      const { lose, loseStore, move, record, run, source } = yield* repositoryOf("a.json")
      source({ a: "The cat", b: "The dog" })
      yield* run("keep")
      move("lib")
      yield* loseStore
      lose("cache")
      source({ a: "The cat", b: "The old dog" })
      expect(yield* run("keep")).toMatchObject({ state: "complete", sent: ["The old dog"] })
      expect(record()).not.toContain('"person"')
    }).pipe(once, Effect.scoped, Effect.provide(services))
  )
})

describe("an output that was moved away, written, and moved back", () => {
  it.effect("is known by the record that it had there, and sent again where its source has changed", () =>
    Effect.gen(function* () {
      const { kind, move, read, record, run, source } = yield* repositoryOf("a.json")
      source({ a: "The cat", b: "The dog" })
      yield* run("keep")
      move("lib")
      source({ a: "The old cat", b: "The old dog" })
      yield* run("keep")
      move("src")
      source({ a: "The older cat", b: "The older dog" })
      expect((yield* run("keep")).sent).toEqual(["The older cat", "The older dog"])
      expect(kind.read(read("output")!).map(([, text]) => text)).toEqual([
        machineOf("The older cat"),
        machineOf("The older dog")
      ])
      expect(record()).not.toContain('"person"')
    }).pipe(once, Effect.scoped, Effect.provide(services))
  )
})

describe("renamed keys whose source texts are the same", () => {
  const renaming = (before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>) =>
    Effect.gen(function* () {
      const { kind, read, run, source, write } = yield* repositoryOf("a.json")
      const sameSource = (keys: Readonly<Record<string, string>>) =>
        source(Object.fromEntries(Object.keys(keys).map((key) => [key, "Open"])))
      sameSource(before)
      yield* run("keep")
      write("output", kind.write(Object.entries(before)))
      yield* run("keep")
      sameSource(after)
      yield* run("drop")
      return Object.fromEntries(kind.read(read("output")!))
    }).pipe(once, Effect.scoped, Effect.provide(services))

  it.effect("keep what a person wrote for each, in their order", () =>
    Effect.gen(function* () {
      const after = { shop: "Auf", state: "Offen" }
      expect(yield* renaming({ menu: "Auf", status: "Offen" }, after)).toEqual(after)
    })
  )

  it.effect("keep it if one of them is gone, and all had the same", () =>
    Effect.gen(function* () {
      expect(yield* renaming({ menu: "Auf", status: "Auf" }, { shop: "" })).toEqual({ shop: "Auf" })
    })
  )
})
