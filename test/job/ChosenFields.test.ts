/** Words about columns and paths that were chosen, and about records that are not as they should be. */
import { writeFileSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Formats, Json } from "effect-translate/formats"
import {
  FileTranslation,
  type JobReport,
  JobSource,
  OutputCheck,
  TranslationJob
} from "effect-translate/jobs"
import { badRequest } from "../stream/support.js"
import { folderWith, run, sourceIn, textIn } from "./fileSources.js"
import { withService } from "./jobs.js"
import { file, marking, text } from "./support.js"

const detecting =
  (options: Formats.Options): JobSource.Detect =>
  (file) =>
    Formats.detect(file, Formats.make(options))

const jobIn = (folder: string, names: ReadonlyArray<string>, options: Formats.Options) => ({
  sources: names.map((name) => sourceIn(folder, name, { format: detecting(options) })),
  targets: ["de"] as const
})

const runJob = (files: Readonly<Record<string, string>>, options: Formats.Options, times = 1) =>
  Effect.gen(function* () {
    const folder = yield* folderWith(files)
    const job = jobIn(folder, Object.keys(files), options)
    const reports: Array<JobReport.JobReport> = []
    for (let time = 0; time < times; time++) reports.push(yield* TranslationJob.run(job))
    return reports
  }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())

const lines = (rows: ReadonlyArray<unknown>) => rows.map((row) => `${JSON.stringify(row)}\n`).join("")

const messages = [
  { messages: [{ content: "a mug" }, { content: null }] },
  { messages: [{ content: ["a"] }] },
  { messages: [{ content: { text: "a" } }] },
  { messages: "a" },
  {}
]

describe("values that were chosen", () => {
  for (const [name, content] of [
    ["a.jsonl", lines(messages)],
    ["a.json", JSON.stringify(messages)],
    ["a.yaml", JSON.stringify(messages)]
  ] as const) {
    const select = [name === "a.jsonl" ? "messages[*].content" : "[*].messages[*].content"]
    it.effect(
      `and are no texts are counted and named in ${name}, and not everything is translated, in each run`,
      () =>
        Effect.gen(function* () {
          for (const { end, outputs } of yield* runJob({ [name]: content }, { select }, 2)) {
            expect(end.state).toBe("incomplete")
            expect(outputs[0]?.selection).toMatchObject({ noTexts: 3, absent: 2, lacks: [] })
            expect(outputs[0]?.selection?.keys).toEqual(
              name === "a.jsonl"
                ? ["2:messages[0].content", "3:messages[0].content", "4:messages"]
                : ["[1].messages[0].content", "[2].messages[0].content", "[3].messages"]
            )
            expect(end.next).toContain("3 chosen values are no texts")
          }
        })
    )

    it.effect(`and are missing in some rows of ${name} are skipped and counted, in a complete job`, () =>
      Effect.gen(function* () {
        const rows = [{ t: "a mug" }, { t: null }, {}, { t: "" }]
        const [report] = yield* runJob(
          { [name]: name === "a.jsonl" ? lines(rows) : JSON.stringify(rows) },
          { select: [name === "a.jsonl" ? "t" : "[*].t"] }
        )
        expect(report?.end.state).toBe("complete")
        expect(report?.outputs[0]?.selection).toMatchObject({ noTexts: 0, absent: 2 })
      })
    )
  }

  for (const [name, content, translated] of [
    ["a.json", '[{"t":"a mug"},{"t":5},{},{"t":null},["x"],{"u":"a cup"}]', '[{"t":"[de] å mûg"},{"t":5}'],
    ["a.yaml", "- t: a mug\n- t: 5\n- {}\n- t: null\n- [x]\n- u: a cup\n", '- t: "[de] å mûg"\n- t: 5']
  ] as const) {
    it.effect(`by a name are those of each row of ${name}, as in JSON Lines`, () =>
      Effect.gen(function* () {
        const folder = yield* folderWith({ [name]: content })
        const { end, outputs } = yield* TranslationJob.run(jobIn(folder, [name], { select: ["t"] }))
        expect(textIn(folder, `de/${name}`)).toContain(translated)
        expect(outputs[0]?.selection).toMatchObject({
          noTexts: 2,
          absent: 3,
          keys: ["[1].t", "[4]"]
        })
        expect(end.state).toBe("incomplete")
      }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
    )
  }

  it.effect.each([
    ["a.json", '{"a":"Mug","b":"Cup"}'],
    ["a.yaml", "a: Mug\nb: Cup\n"]
  ] as const)("later are translated then, and not taken for a person's, in %s", ([name, content]) =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ [name]: content })
      const byFields = (...select: ReadonlyArray<string>) =>
        TranslationJob.run(jobIn(folder, [name], { select }))
      yield* byFields("a")
      const { outputs } = yield* byFields("a", "b")
      expect(textIn(folder, `de/${name}`)).toContain("Çûp")
      expect(outputs[0]?.byPersons).toBe(undefined)
      writeFileSync(`${folder}/de/${name}`, content)
      expect((yield* byFields("a", "b")).outputs[0]?.byPersons).toBe(2)
      expect(textIn(folder, `de/${name}`)).toBe(content)
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect("are named up to 20, however many are no texts", () =>
    Effect.gen(function* () {
      const [report] = yield* runJob(
        { "a.jsonl": lines([{ t: "a" }, ...Array.from({ length: 500 }, () => ({ t: 5 }))]) },
        { select: ["t"] }
      )
      expect(report?.outputs[0]?.selection).toMatchObject({ noTexts: 500 })
      expect(report?.outputs[0]?.selection?.keys).toHaveLength(20)
    })
  )

  it.effect("by * or ** may be of any kind", () =>
    Effect.gen(function* () {
      const [report] = yield* runJob(
        { "a.json": '{"a":"a mug","b":5,"c":{"label":"a cup"},"d":{"other":1}}' },
        { select: ["*", "*.label", "**.label"] }
      )
      expect(report?.end.state).toBe("complete")
    })
  )
})

describe("a path or column that is in no file", () => {
  for (const [files, options, message] of [
    [
      { "a.json": '{"a":"x","b":"y"}' },
      { select: ["a", "bb"] },
      "select has bb, which no source has, but a, b"
    ],
    [{ "a.yaml": "a: x\nb: y\n" }, { select: ["a", "bb"] }, "select has bb, which no source has, but a, b"],
    [{ "a.csv": "a,b\nx,y\n" }, { columns: ["a", "bb"] }, 'columns has bb, which no source has, but "a", "b"']
  ] as const) {
    it.effect(`ends the job before anything is sent: ${Object.keys(files)}`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(runJob(files, options))
        expect(error).toMatchObject({ _tag: "InvalidJob", message: expect.stringContaining(message) })
      })
    )
  }

  it.effect("of JSON Lines is told at the end, and the job is not complete", () =>
    Effect.gen(function* () {
      const [report] = yield* runJob({ "a.jsonl": lines([{ a: "x", b: "y" }]) }, { select: ["a", "bb"] })
      expect([report?.end.state, report?.end.next]).toEqual([
        "incomplete",
        expect.stringContaining("no source has bb, but a, b")
      ])
    })
  )

  it.effect("is none if each file has one of them", () =>
    Effect.gen(function* () {
      const [report] = yield* runJob(
        {
          "a.json": '{"a":"a mug"}',
          "b.json": '{"b":"a mug"}',
          "c.csv": "a\na mug\n",
          "d.csv": "b\na mug\n",
          "e.jsonl": lines([{ b: "a mug" }])
        },
        { select: ["a", "b"], columns: ["a", "b"] }
      )
      expect(report?.outputs.map(({ state }) => state)).toEqual(Array(5).fill("written"))
      expect(report?.end.state).toBe("complete")
    })
  )

  it.effect(
    "fails a file that is translated by itself, before anything is sent, unless others may have it",
    () => {
      const { provide, sent } = marking()
      return Effect.gen(function* () {
        const options = { format: Json.make({ select: ["a", "bb"] }), options: { targetLang: "de" } } as const
        const translate = (more: Partial<FileTranslation.Options>) =>
          text(FileTranslation.translate(file('{"a":"x"}'), { ...options, ...more }))
        expect((yield* Effect.flip(translate({}))).message).toBe(
          "json: no text is at bb, but at a: correct `select`."
        )
        expect(sent()).toEqual([])
        expect(yield* translate({ isOneOfSeveral: true })).toBe('{"a":"de: x"}')
      }).pipe(provide)
    }
  )

  it.effect("is wrong to the check of outputs too, as is a value that is no text", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.jsonl": lines([{ a: "x" }, { a: 5 }]) })
      const options = { select: ["a", "bb"] }
      const source: JobSource.FileOptions = {
        path: `${folder}/a.jsonl`,
        format: detecting(options),
        output: `${folder}/{lang}/a.jsonl`,
        stateFolder: `${folder}/.state`
      }
      yield* run(JobSource.file(source)).pipe(marking().provide)
      const problems = yield* Stream.runCollect(
        OutputCheck.run({ files: [source], targets: ["de"], options: { sourceLang: "en" } })
      )
      expect(
        Chunk.toReadonlyArray(problems).map(({ error, key, kind }) => [kind, key, error?.message])
      ).toEqual([
        ["unreadable", "2:a", expect.stringContaining("it is no text")],
        ["unreadable", undefined, expect.stringContaining("no file has bb, but a")]
      ])
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))
  )
})

describe("records that are not as they should be", () => {
  it.effect("pass as they are and are listed with their mistakes, if bad lines are skipped", () =>
    Effect.gen(function* () {
      const [report] = yield* runJob(
        { "a.jsonl": '{"t":"a mug"}\n{"t":"a mug"\nhello\n', "a.csv": "t,u\na mug,1\na cup\n" },
        { select: ["t"], columns: ["t"], onBadLine: "skip" }
      )
      const { end, outputs } = report!
      expect(outputs.map(({ unread }) => unread?.records)).toEqual([2, 1])
      expect(outputs.flatMap(({ unread }) => unread?.messages ?? [])).toEqual([
        expect.stringContaining(
          "line 2, column 13: the line ends where a comma or a closing bracket is missing"
        ),
        expect.stringContaining("line 3, column 1: this is no value of JSON"),
        expect.stringContaining("line 3: the record has 1 fields, the header has 2")
      ])
      expect(end.state).toBe("incomplete")
    })
  )

  it.effect("are left out of the output, counted, if failed ones are to be dropped", () => {
    const { provide } = marking((texts) => (texts.includes("Cup") ? badRequest : undefined))
    return Effect.gen(function* () {
      const folder = yield* folderWith({
        "a.csv": "t,u\nMug,1\nCup,2\nJug,3\n",
        "a.jsonl": '{"t":"Mug"}\n{"t":"Cup"}\nhello\n{"t":"Jug"}'
      })
      const format = detecting({ columns: ["t"], select: ["t"], onBadLine: "skip" })
      const results = []
      for (const name of ["a.csv", "a.jsonl"])
        results.push(yield* run(sourceIn(folder, name, { format, failed: "drop" })))
      expect(textIn(folder, "de/a.csv")).toBe("t,u\nde: Mug,1\nde: Jug,3\n")
      expect(textIn(folder, "de/a.jsonl")).toBe('{"t":"de: Mug"}\n{"t":"de: Jug"}')
      const dropped = results.map(({ seen }) => seen.reduce((sum, { dropped = 0 }) => sum + dropped, 0))
      expect(dropped).toEqual([1, 2])
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })

  it.effect("can't be left out of a file that has none", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.json": '{"a":"x"}' })
      const source = sourceIn(folder, "a.json", { format: detecting({}), failed: "drop" })
      const error = yield* Effect.flip(TranslationJob.run({ sources: [source], targets: ["de"] }))
      expect(error.message).toContain("it has no records of which one could be left out")
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )
})
