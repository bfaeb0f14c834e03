/** Slices of files: whatever a file holds, they have the texts of the whole file, with the same options and in their order. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { JobSource } from "effect-translate/jobs"
import { FileCorpus } from "effect-translate/workflow"
import * as fc from "fast-check"
import { folderWith, run } from "../job/fileSources.js"
import { marking } from "../job/support.js"
import { runs, runsTimeout } from "../support/long.js"

type Options = Omit<FileCorpus.Options, "files">

/** The only source of a corpus of one file. */
const sourceOf = (path: string, options: Options) =>
  Effect.gen(function* () {
    const { reference } = yield* FileCorpus.reference({
      ...options,
      existing: "overwrite",
      files: [{ path, output: `${path}.{lang}` }],
      stateFolder: `${path}.state`
    })
    return (yield* FileCorpus.kind.open(reference)).sources[0]!
  })

/** What a translation sends, in its order, and the options of its streams. */
const translated = <E extends { readonly _tag: string }, R>(
  source: JobSource.JobSource<E, R>,
  sent: () => ReadonlyArray<string>
) =>
  Effect.gen(function* () {
    const before = sent().length
    const { states } = yield* run(source)
    const options = yield* source.optionsFrom?.({ targetLang: "de" }) ?? Effect.succeed(undefined)
    return { states, options, texts: sent().slice(before) }
  })

const check = (name: string, text: string, texts: number, options: Options): Effect.Effect<void, unknown> => {
  const { provide, sent } = marking()
  return Effect.gen(function* () {
    const folder = yield* folderWith({ [name]: text })
    const { slice, slices, source } = yield* sourceOf(`${folder}/${name}`, options)
    const found = Chunk.toReadonlyArray(yield* Stream.runCollect(slices!(() => texts)))
    const whole = yield* translated(source, sent)
    // Blank lines in front of a header hide its delimiter, say.
    expect(["written", "FormatError"]).toContain(whole.states[0])
    const pieces = yield* Effect.forEach(found, ({ reference }) =>
      // As it comes back from the database.
      translated(slice!(JSON.parse(JSON.stringify(reference))), sent)
    )
    if (found.length === 0) return
    if (whole.states[0] === "written") {
      // A text is sent once for each stream.
      expect([...new Set(pieces.flatMap((piece) => piece.texts))]).toEqual([...new Set(whole.texts)])
      for (const piece of pieces) expect(piece.states).toEqual(["written"])
    }
    for (const piece of pieces) {
      expect(["written", "partial"]).toContain(piece.states[0])
      expect(piece.options).toEqual(whole.options)
    }
    for (const [index, piece] of pieces.entries()) {
      expect(piece.texts.length).toBeLessThanOrEqual(found[index]!.texts * 4)
    }
    const most = Math.max(texts, options.columns?.length ?? 4)
    for (const slice of found) expect(slice.texts).toBeLessThanOrEqual(most)
  }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
}

const newline = fc.constantFrom("\n", "\r\n")
const mark = fc.constantFrom("", "\uFEFF")
const size = fc.integer({ min: 1, max: 7 })
const word = fc.constantFrom(
  "Mug",
  "Täglich",
  "日本語",
  "🙂",
  "a, b",
  "a; b",
  'say "x"',
  "two\nlines",
  "two\r\nlines",
  " ",
  "",
  "|",
  "\uFEFF"
)

const csv = fc.record({
  delimiter: fc.constantFrom(",", ";", "\t", "|"),
  newline: fc.constantFrom("\n", "\r\n", "\r"),
  mark,
  blank: fc.constantFrom(0, 0, 1),
  quotesAll: fc.boolean(),
  columns: fc.constantFrom(["title"], ["title", "body"]),
  header: fc.constantFrom(["id", "title", "body"], ["title", "a;b", "body"], ["body", "a,b|c\td", "title"]),
  rows: fc.array(fc.record({ values: fc.tuple(word, word, word), blank: fc.constantFrom(0, 0, 0, 1, 3) }), {
    maxLength: 40
  }),
  endsWithNewline: fc.boolean(),
  texts: size
})

const csvText = ({
  blank,
  delimiter,
  endsWithNewline,
  header,
  mark,
  newline,
  quotesAll,
  rows
}: typeof csv extends fc.Arbitrary<infer A> ? A : never) => {
  const field = (value: string) =>
    quotesAll || value === "" || /["\r\n\uFEFF]/.test(value) || value.includes(delimiter)
      ? `"${value.replaceAll('"', '""')}"`
      : value
  // A break inside a field is that of the file: others end its lines.
  const line = (values: ReadonlyArray<string>) =>
    values.map((value) => field(newline === "\r" ? value.replace(/\r?\n/g, "\r") : value)).join(delimiter)
  const lines = rows.flatMap(({ blank, values }) => [line(values), ...Array<string>(blank).fill("")])
  const text = [...Array<string>(blank).fill(""), line(header), ...lines].join(newline)
  return mark + text + (endsWithNewline ? newline : "")
}

describe("slices have the texts and the options of the whole file", () => {
  it.effect(
    "of CSV, with quotes, delimiters, line ends, marks and blank lines of all kinds",
    () =>
      Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(csv, (given) =>
            Effect.runPromise(check("a.csv", csvText(given), given.texts, { columns: given.columns }))
          ),
          { numRuns: runs(300, 30) }
        )
      ),
    runsTimeout
  )

  it.effect(
    "of JSON Lines, with lines that are not JSON and marks that are in the middle",
    () =>
      Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(
            fc.record({
              newline,
              mark,
              endsWithNewline: fc.boolean(),
              texts: size,
              lines: fc.array(
                fc.oneof(
                  {
                    weight: 6,
                    arbitrary: fc
                      .record({ title: word, tags: fc.array(word, { maxLength: 3 }) })
                      .map((value) => JSON.stringify(value))
                  },
                  {
                    weight: 1,
                    arbitrary: fc.constantFrom("", " ", "{broken", '\uFEFF{"title":"marked"}', "17")
                  }
                ),
                { maxLength: 40 }
              )
            }),
            ({ endsWithNewline, lines, mark, newline, texts }) =>
              Effect.runPromise(
                check("a.jsonl", mark + lines.join(newline) + (endsWithNewline ? newline : ""), texts, {
                  select: ["title", "tags[*]"],
                  onBadLine: "skip"
                })
              )
          ),
          { numRuns: runs(300, 30) }
        )
      ),
    runsTimeout
  )

  for (const format of ["lines", "paragraphs"]) {
    it.effect(
      `of ${format}, with line ends of all kinds and blank lines`,
      () =>
        Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(
              fc.record({
                mark,
                texts: size,
                useContext: fc.boolean(),
                lines: fc.array(
                  fc.tuple(
                    word.map((text) => text.replace(/[\r\n]/g, " ")),
                    fc.constantFrom("\n", "\r\n", "\r", "\n\n", "\r\n\r\n")
                  ),
                  {
                    maxLength: 40
                  }
                ),
                last: fc.constantFrom("", "End")
              }),
              ({ last, lines, mark, texts, useContext }) =>
                Effect.runPromise(
                  check("a.txt", mark + lines.flat().join("") + last, texts, { format, useContext })
                )
            ),
            { numRuns: runs(300, 30) }
          )
        ),
      runsTimeout
    )
  }
})
