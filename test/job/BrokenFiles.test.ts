/** Jobs over files of which some are broken: the others are translated, and all that are broken are named. */
import { mkdirSync, writeFileSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Csv } from "effect-translate"
import { Formats, Json } from "effect-translate/formats"
import { type JobReport, TranslationJob } from "effect-translate/jobs"
import { folderWith, sourceIn, textIn } from "./fileSources.js"
import { billed, withService } from "./jobs.js"

const files = {
  "good.json": '{"a":"grr"}',
  "broken.json": '{"a":"grr"',
  "field.json": '{"titel":"grr"}',
  "column.csv": "titel\nhmm\n",
  "altered.csv": "title\nhmm\n",
  "a.unknown": "?"
}

const jobIn = (folder: string, names: ReadonlyArray<string> = [...Object.keys(files), "missing.json"]) => ({
  sources: names.map((name) =>
    sourceIn(folder, name, {
      name,
      format: name.endsWith(".csv")
        ? Csv.make({ columns: ["title"] })
        : name === "field.json"
          ? Json.make({ select: ["title"] })
          : Formats.detect
    })
  ),
  targets: ["de", "fr"] as const
})

const folderOfFiles = Effect.tap(folderWith(files), (folder) =>
  Effect.sync(() => {
    for (const language of ["de", "fr"]) {
      mkdirSync(`${folder}/${language}`)
      writeFileSync(`${folder}/${language}/altered.csv`, "title\nVon Hand\n")
    }
  })
)

describe("a job of which some files are broken", () => {
  it.effect("translates the others, and names each that is broken and why", () =>
    Effect.gen(function* () {
      const folder = yield* folderOfFiles
      const { end, outputs, targets } = yield* TranslationJob.run(jobIn(folder))
      expect([textIn(folder, "de/good.json"), textIn(folder, "fr/good.json")]).toEqual([
        '{"a":"[de] grr"}',
        '{"a":"[fr] grr"}'
      ])
      const ofGerman = outputs.filter(({ targetLang }) => targetLang === "de")
      expect(ofGerman.map(({ error, source, state }) => [source, state, error?.tag])).toEqual([
        ["good.json", "written", undefined],
        ["broken.json", "failed", "FormatError"],
        ["field.json", "failed", "FormatError"],
        ["column.csv", "failed", "FormatError"],
        ["altered.csv", "failed", "OutputAltered"],
        ["a.unknown", "failed", "UnknownFormat"],
        ["missing.json", "failed", "SourceUnreadable"]
      ])
      expect(textIn(folder, "de/altered.csv")).toBe("title\nVon Hand\n")
      expect([end.state, targets[0]?.in, yield* billed]).toEqual(["incomplete", 1, 6])
      expect(end.next).toContain("12 outputs are not whole")
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect("is forecast and estimated without them", () =>
    Effect.gen(function* () {
      const folder = yield* folderOfFiles
      const named = ["broken.json", "field.json", "column.csv", "a.unknown", "missing.json"]
      const job = jobIn(folder, ["good.json", ...named])
      const forecast = yield* TranslationJob.forecast(job)
      const estimate = yield* TranslationJob.estimate(job)
      expect([forecast.texts, estimate.texts]).toEqual([2, 2])
      expect(forecast.failures.map(({ source }) => source)).toEqual(named)
      expect(estimate.failures.map(({ error }) => error.tag)).toEqual([
        "FormatError",
        "FormatError",
        "FormatError",
        "UnknownFormat",
        "SourceUnreadable"
      ])
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect("fails as the first of them does if no file is left", () =>
    Effect.gen(function* () {
      const folder = yield* folderOfFiles
      const job = jobIn(folder, ["missing.json", "a.unknown"])
      let named: ReadonlyArray<string | undefined> = []
      const onEnd = ({ outputs }: JobReport.JobReport) =>
        Effect.sync(() => {
          named = outputs.map(({ error }) => error?.tag)
        })
      expect(yield* Effect.flip(TranslationJob.run({ ...job, onEnd }))).toMatchObject({
        _tag: "SourceUnreadable"
      })
      expect(named).toEqual(["SourceUnreadable", "SourceUnreadable", "UnknownFormat", "UnknownFormat"])
      expect(yield* Effect.flip(TranslationJob.forecast(job))).toMatchObject({ _tag: "SourceUnreadable" })
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )
})
