/** Values that were chosen for a durable job, and are no texts. */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { FileCorpus, JobControl } from "effect-translate/workflow"
import { bench, billed, done, withEmulator } from "./jobs.js"

const corpusOf = (folder: string, files: ReadonlyArray<string>, select: ReadonlyArray<string>) => {
  const [first, ...others] = files.map((file) => ({
    path: `${folder}/${file}`,
    output: `${folder}/{lang}/${file}`
  }))
  return FileCorpus.reference({
    files: [first!, ...others],
    select,
    columns: select,
    stateFolder: `${folder}/.state`
  })
}

it.scopedLive("a durable job counts values that were chosen and are no texts as failed, and lists them", () =>
  Effect.gen(function* () {
    const lines = '{"a":"Mug"}\n{"a":5}\n{"b":"Cup"}\n'
    const { folder, output, worker } = yield* bench({ files: { "a.jsonl": lines } })
    const corpus = yield* corpusOf(folder, ["a.jsonl"], ["a", "b"])
    yield* Effect.gen(function* () {
      const { targets } = yield* done({ id: "chosen", corpus, targets: ["de"] })
      expect(targets[0]).toMatchObject({ failed: 1 })
      const { failures } = yield* JobControl.JobControl
      const failed = Array.from(yield* Stream.runCollect(failures("chosen")))
      expect(failed.map(({ key, tag }) => [key, tag])).toEqual([["2:a", "NoText"]])
      expect(output("de", "a.jsonl").split("\n")[1]).toBe('{"a":5}')
    }).pipe(Effect.provide(worker))
  }).pipe(withEmulator())
)

it.scopedLive(
  "a durable job fails before it sends anything if a path or a column is in none of its files",
  () =>
    Effect.gen(function* () {
      const files = { "a.json": '{"a":"Mug","b":"Cup"}', "b.csv": "a,b\nMug,Cup\n" }
      const { folder, worker } = yield* bench({ files })
      yield* Effect.gen(function* () {
        for (const file of Object.keys(files)) {
          const corpus = yield* corpusOf(folder, [file], ["a", "bb"])
          const { error, state } = yield* done({ id: file, corpus, targets: ["de"] })
          expect([state, error?.tag]).toEqual(["failed", "InvalidJob"])
          expect(error?.message).toMatch(/has bb, which no source has, but "?a"?, "?b"?/)
        }
        expect(yield* billed).toBe(0)
      }).pipe(Effect.provide(worker))
    }).pipe(withEmulator())
)

it.scopedLive("a durable job fails at its end if a path is in none of its JSON Lines, and names it", () =>
  Effect.gen(function* () {
    const files = { "a.jsonl": '{"a":"Mug"}\n', "b.jsonl": '{"b":"Cup"}\n' }
    const { folder, output, worker } = yield* bench({ files })
    yield* Effect.gen(function* () {
      const corpus = yield* corpusOf(folder, Object.keys(files), ["a", "b", "bb"])
      const { error, state } = yield* done({ id: "chosen", corpus, targets: ["de"] })
      expect([state, error?.tag]).toEqual(["failed", "FormatError"])
      expect(error?.message).toContain("no source has bb, but")
      expect(output("de", "b.jsonl")).not.toContain("Cup")
    }).pipe(Effect.provide(worker))
  }).pipe(withEmulator())
)

it.scopedLive("a durable job of files of which each has one of the paths or columns is done", () =>
  Effect.gen(function* () {
    for (const files of [
      { "a.jsonl": '{"a":"Mug"}\n', "b.jsonl": '{"b":"Cup"}\n' },
      { "a.csv": "a\nMug\n", "b.csv": "b\nCup\n" },
      { "a.json": '{"a":"Mug"}', "b.json": '{"b":"Cup"}' }
    ]) {
      const { folder, worker } = yield* bench({ files })
      yield* Effect.gen(function* () {
        const corpus = yield* corpusOf(folder, Object.keys(files), ["a", "b"])
        const { error, state, targets } = yield* done({ id: "each", corpus, targets: ["de"] })
        expect([state, error, targets[0]?.failed]).toEqual(["done", undefined, 0])
      }).pipe(Effect.provide(worker))
    }
  }).pipe(withEmulator())
)
