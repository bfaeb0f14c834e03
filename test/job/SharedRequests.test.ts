/** Small files whose texts share requests: how many requests that takes, and that each file keeps its own fate. */
import { existsSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Csv, type FailedUnits } from "effect-translate"
import { Emulator, Fault } from "effect-translate/emulator"
import { Po } from "effect-translate/formats"
import { type JobReport, TranslationJob } from "effect-translate/jobs"
import { keyed } from "../support/keyedFormat.js"
import { folderWith, sourceIn, textIn } from "./fileSources.js"
import { billed, script, withService } from "./jobs.js"

const csv = Csv.make({ columns: ["title"] })

const namesOf = (count: number, ending: string) =>
  Array.from({ length: count }, (_, index) => `${index + 10}.${ending}`)

const letters = "tsbdf"

/** Files of some texts each, all different. */
const filesOf = (names: ReadonlyArray<string>, texts = 2) =>
  Object.fromEntries(
    names.map((name) => {
      const all = Array.from(letters.slice(0, texts), (letter) => `${letter}${Number.parseInt(name, 10)}`)
      const lines = name.endsWith(".csv")
        ? ["title", ...all]
        : all.map((text, index) => `${"abcde"[index]} = ${text}`)
      return [name, lines.map((line) => `${line}\n`).join("")]
    })
  )

const sourcesIn = (folder: string, names: ReadonlyArray<string>) =>
  names.map((name) => sourceIn(folder, name, { format: name.endsWith(".csv") ? csv : keyed }))

const requests = Effect.flatMap(Emulator.Emulator, ({ meter }) =>
  Effect.map(meter, ({ requests }) => requests)
)

/** The requests of an effect that has asked for the listings before. */
const counted = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = yield* requests
    const result = yield* self
    return { result, requests: (yield* requests) - before }
  })

const states = (outputs: ReadonlyArray<{ readonly state: string }>) => outputs.map(({ state }) => state)

describe("small files", () => {
  for (const ending of ["keyed", "csv"]) {
    it.effect(`fill requests together, as the forecast says: *.${ending}`, () =>
      Effect.gen(function* () {
        const names = namesOf(10, ending)
        const folder = yield* folderWith(filesOf(names, 5))
        const job = { sources: sourcesIn(folder, names), targets: ["de", "fr"] }
        const forecast = yield* TranslationJob.forecast(job)
        expect((yield* TranslationJob.estimate(job)).requests).toBe(2)
        const { requests, result: report } = yield* counted(TranslationJob.run(job))
        expect([requests, forecast.requests, forecast.texts]).toEqual([2, 2, 100])
        expect(report.targets).toMatchObject([
          { in: 50, translated: 50, requests: 1 },
          { in: 50, translated: 50, requests: 1 }
        ])
        expect(forecast.characters).toBe(yield* billed)
        for (const { output, state, tally } of report.outputs) {
          expect([state, tally.in, existsSync(output!)]).toEqual(["written", 5, true])
        }
        expect(textIn(folder, `de/12.${ending}`)).toBe(
          ending === "csv"
            ? "title\n[de] t12\n[de] s12\n[de] b12\n[de] d12\n[de] f12\n"
            : "a = [de] t12\nb = [de] s12\nc = [de] b12\nd = [de] d12\ne = [de] f12\n"
        )
        const again = yield* counted(TranslationJob.run(job))
        expect(again.requests).toBe(0)
        expect(states(again.result.outputs)).toEqual(Array.from({ length: 20 }, () => "unchanged"))
      }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
    )
  }

  it.effect("share no request where their options differ, also within a file", () =>
    Effect.gen(function* () {
      const po = (text: string) =>
        `msgid ""\nmsgstr ""\n\n#, c-format\nmsgid "%d ${text}"\nmsgstr ""\n\nmsgid "${text}"\nmsgstr ""\n`
      const names = namesOf(4, "po")
      const folder = yield* folderWith({
        ...Object.fromEntries(names.map((name) => [name, po(name)])),
        ...filesOf(["1.csv", "2.csv"])
      })
      const sources = [
        ...sourcesIn(folder, ["1.csv"]),
        ...names.map((name) => sourceIn(folder, name, { format: Po.format })),
        ...sourcesIn(folder, ["2.csv"])
      ]
      const job = { sources, targets: ["de"] }
      const forecast = yield* TranslationJob.forecast(job)
      const { requests, result } = yield* counted(TranslationJob.run(job))
      expect(states(result.outputs)).toEqual(Array.from({ length: 6 }, () => "written"))
      expect(requests).toBe(forecast.requests)
      expect(requests).toBeLessThanOrEqual(3)
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect("do not hurt each other: one can't be read, another has a text that is refused", () =>
    Effect.gen(function* () {
      const names = namesOf(5, "keyed")
      const folder = yield* folderWith({
        ...filesOf(names),
        "12.keyed": "? no such line\n",
        "13.keyed": "a = psn\nb = psst\n"
      })
      yield* script(Fault.poison("psn"))
      const failed: Array<FailedUnits.FailedUnit> = []
      const report = yield* TranslationJob.run({
        sources: sourcesIn(folder, names),
        targets: ["de", "fr"],
        onFailed: (unit) => Effect.sync(() => void failed.push(unit))
      })
      const of = (place: number) => states(report.outputs.slice(2 * place, 2 * place + 2))
      for (const place of [0, 1, 3, 4]) expect(of(place)).toEqual(["written", "written"])
      expect(of(2)).toEqual(["failed", "failed"])
      expect(failed.map(({ source, targetLang }) => [source, targetLang])).toEqual([
        [`${folder}/13.keyed`, "de"],
        [`${folder}/13.keyed`, "fr"]
      ])
      expect(textIn(folder, "de/13.keyed")).toBe("a = psn\nb = [de] psst\n")
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  for (const { end, fault, options } of [
    // Two texts of two characters each: the first file is whole.
    { end: "BudgetExceeded", fault: undefined, options: { budget: 7 } },
    {
      end: "QuotaExceeded",
      fault: Fault.where(Fault.status(456), ({ path }) => path === "/v2/translate"),
      options: {}
    }
  ]) {
    it.effect(`that a ${end} leaves without all of their texts are not written`, () =>
      Effect.gen(function* () {
        const names = namesOf(6, "keyed")
        const folder = yield* folderWith(filesOf(names))
        if (fault !== undefined) yield* script(fault)
        const reports: Array<JobReport.JobReport> = []
        const error = yield* TranslationJob.run({
          sources: sourcesIn(folder, names),
          targets: ["de"],
          onEnd: (report) => Effect.sync(() => void reports.push(report)),
          options
        }).pipe(Effect.flip)
        expect(error._tag).toBe(end)
        const written = names.filter((name) => existsSync(`${folder}/de/${name}`))
        expect(written).toEqual(end === "BudgetExceeded" ? [names[0]] : [])
        const rest = Array.from({ length: 5 - written.length }, () => "unfinished")
        expect(states(reports[0]!.outputs)).toEqual([...written.map(() => "written"), "failed", ...rest])
      }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
    )
  }

  it.virtual("send nothing more once a larger share of their texts has failed than the job allows", () =>
    Effect.gen(function* () {
      yield* script(Fault.poison("psn"))
      const names = namesOf(30, "keyed")
      const lines = (name: string) =>
        Array.from({ length: 5 }, (_, line) => `${line} = ${line < 3 ? "t" : "psn"} ${name} ${line}\n`)
      const folder = yield* folderWith(Object.fromEntries(names.map((name) => [name, lines(name).join("")])))
      const reports: Array<JobReport.JobReport> = []
      const error = yield* Effect.flip(
        TranslationJob.run({
          sources: sourcesIn(folder, names),
          targets: ["de"],
          maxFailedShare: 0.2,
          options: { concurrency: 1, maxTexts: 10 },
          onEnd: (report) => Effect.sync(() => void reports.push(report))
        })
      )
      expect(error).toMatchObject({ _tag: "TooManyFailed", failed: 40, texts: 100 })
      expect(reports[0]?.targets).toMatchObject([{ in: 100, failed: 40 }])
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService({ latency: "3 millis" }))
  )
})
