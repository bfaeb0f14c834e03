/** What is said of a job before it runs: what its sources take with nothing stored, of long files by a sample. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Csv } from "effect-translate"
import { JsonLines } from "effect-translate/formats"
import { TranslationJob } from "effect-translate/jobs"
import { keyed } from "../support/keyedFormat.js"
import { folderWith, sourceIn } from "./fileSources.js"
import { rowsOf, table, withService } from "./jobs.js"

const csv = Csv.make({ columns: ["title"] })
const jsonl = JsonLines.make({ select: ["title"] })

/** Rows of texts of 20 to 79 characters. */
const titles = (count: number) =>
  Array.from({ length: count }, (_, index) => `${index} `.padEnd(20 + ((index * 37) % 60), "b"))

const csvOf = (texts: ReadonlyArray<string>) => `id,title\n${texts.map((text) => `1,${text}\n`).join("")}`

const estimateOf = (
  files: Readonly<Record<string, string>>,
  job: Partial<TranslationJob.Options> & { readonly targets?: ReadonlyArray<string> } = {}
) =>
  Effect.gen(function* () {
    const folder = yield* folderWith(files)
    const sources = Object.keys(files).map((name) =>
      sourceIn(folder, name, { format: name.endsWith("csv") ? csv : name.endsWith("jsonl") ? jsonl : keyed })
    )
    return yield* TranslationJob.estimate({ sources, targets: ["de"], options: { sourceLang: "en" }, ...job })
  }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))

describe("TranslationJob.estimate", () => {
  it.effect("reads small files and those without a stream as a whole, and asks no store", () =>
    Effect.gen(function* () {
      const jobOf = () => ({ sources: [table(rowsOf("b1", "b2", " ")).source], targets: ["de", "fr"] })
      yield* TranslationJob.run(jobOf())
      const first = { texts: 6, requests: 2, characters: 8, isExact: true }
      expect(yield* TranslationJob.estimate(jobOf())).toMatchObject({
        ...first,
        targets: [
          { targetLang: "de", in: 3, translated: 2, skipped: 1 },
          { targetLang: "fr", in: 3, translated: 2, skipped: 1 }
        ]
      })
      expect(
        yield* estimateOf({ "a.csv": csvOf(["one", "two"]), "b.keyed": "a = A\nb = B\n" })
      ).toMatchObject({
        texts: 4,
        requests: 2,
        characters: 8,
        isExact: true
      })
    }).pipe(withService())
  )

  for (const [name, contentOf] of [
    ["a.csv", csvOf],
    [
      "a.jsonl",
      (texts: ReadonlyArray<string>) => texts.map((title) => `${JSON.stringify({ id: 1, title })}\n`).join("")
    ]
  ] as const) {
    it.effect(`tells the size of ${name} of 1.5 MB in each language within two in a hundred`, () =>
      Effect.gen(function* () {
        const texts = titles(30_000)
        const characters = texts.reduce((sum, { length }) => sum + length, 0)
        const found = yield* estimateOf({ [name]: contentOf(texts) }, { targets: ["de", "fr"] })
        expect(found.isExact).toBe(false)
        expect(found.targets).toHaveLength(2)
        for (const target of found.targets) {
          expect(Math.abs(target.in / texts.length - 1)).toBeLessThan(0.02)
          expect(Math.abs(target.characters / characters - 1)).toBeLessThan(0.02)
          expect(Math.abs(target.requests / (texts.length / 50) - 1)).toBeLessThan(0.05)
          expect(target.translated + target.cached + target.skipped + target.failed).toBe(target.in)
        }
        expect(found.texts).toBe(found.targets[0]!.in * 2)
      }).pipe(withService())
    )
  }

  it.effect("reads the beginning of a long file only, so that nothing behind it matters", () =>
    Effect.gen(function* () {
      const found = yield* estimateOf({ "a.csv": `${csvOf(titles(30_000))}"never closed\n` })
      expect(found.texts).toBeGreaterThan(25_000)
    }).pipe(withService())
  )

  it.effect("reads on where the beginning holds no text", () =>
    Effect.gen(function* () {
      const found = yield* estimateOf({
        "a.csv": `${csvOf([])}${`${"1".repeat(100)},\n`.repeat(12_000)}1,Mug\n`
      })
      expect(found).toMatchObject({ texts: 1, characters: 3, isExact: true })
    }).pipe(withService())
  )

  it.effect("counts no more than the texts of a pilot", () =>
    Effect.gen(function* () {
      const { targets } = yield* estimateOf({ "a.csv": csvOf(titles(30_000)) }, { limit: 100 })
      expect(targets[0]).toMatchObject({ translated: 100, failed: 0 })
      expect(targets[0]!.requests).toBeLessThanOrEqual(3)
      expect(targets[0]!.in).toBeGreaterThan(25_000)
    }).pipe(withService())
  )

  it.effect("fails with the mistake in the beginning of a file", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        estimateOf({ "a.csv": csvOf(titles(30_000)).replace("title", "name") })
      )
      expect(error).toMatchObject({ _tag: "FormatError", choice: { value: "title" } })
    }).pipe(withService())
  )
})
