/** Jobs of which each call to the outside is disturbed once. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { Csv, FailedUnits, type Translator } from "effect-translate"
import { DocumentBatch, DocumentJournal } from "effect-translate/documents"
import { Json, Parquet } from "effect-translate/formats"
import { JobSource, TranslationJob } from "effect-translate/jobs"
import { LibsqlTranslationStore } from "effect-translate/libsql"
import { parquetWriteBuffer } from "hyparquet-writer"
import * as documents from "../../emulator/documents.js"

/** A word of all texts, which no message may show. The emulator leaves it as it is. */
export const marker = "Qwrtz"

/** What stands in a text that the service refuses. */
export const unspeakable = "Nobody says this."

/** A job that came to its end, and not all of its outputs are there. */
export class Incomplete extends Data.TaggedError("Incomplete")<{ readonly report: string }> {}

const write = (folder: string, files: Readonly<Record<string, string | Uint8Array>>) => {
  mkdirSync(folder, { recursive: true })
  for (const [name, content] of Object.entries(files)) writeFileSync(`${folder}/${name}`, content)
}

const storeOf = (home: string) =>
  LibsqlTranslationStore.layer({ file: `${home}/store.db`, schedule: Schedule.recurs(2) })

/** Translates a file, with a store in a file. */
const file = (
  home: string,
  source: string,
  format: JobSource.FileOptions["format"],
  others: ReadonlyArray<JobSource.JobSource<JobSource.FileError, Translator.Translator>> = []
) =>
  FailedUnits.toFile(`${home}/failed.jsonl`, (onFailed) =>
    TranslationJob.run({
      sources: [
        JobSource.file({
          path: `${home}/${source}`,
          format,
          output: `${home}/out/{lang}/${source}`,
          stateFolder: `${home}/state`
        }),
        ...others
      ],
      options: { sourceLang: "en" },
      targets: ["de"],
      onFailed
    })
  ).pipe(
    Effect.filterOrFail(
      ({ outputs }) => outputs.every(({ state }) => state === "written" || state === "unchanged"),
      (report) => new Incomplete({ report: JSON.stringify(report) })
    ),
    Effect.map(({ inDoubt }) => ({
      again: 0,
      doubtful: inDoubt!.everything.reduce((sum, { characters }) => sum + characters, 0)
    })),
    Effect.provide(storeOf(home))
  )

/** What is wrong with the store. */
const problemsOf = (home: string) =>
  Effect.map(LibsqlTranslationStore.verify({ file: `${home}/store.db` }), ({ problems }) => problems)

const csv = (rows: number) =>
  `id,text\n${Array.from({ length: rows }, (_, row) => `${row},"${marker} ${row}: ${row > 0 && row === rows - 1 ? unspeakable : "all human beings are born free."}"`).join("\n")}\n`

/** Two row groups of texts. */
const parquet = (rows: number) =>
  new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        {
          name: "text",
          type: "STRING",
          data: Array.from({ length: rows }, (_, row) => `${marker} ${row}: all human beings are born free.`)
        }
      ],
      rowGroupSize: Math.ceil(rows / 2)
    })
  )

const table = Csv.make({ columns: ["text"] })

/** A table that is no file, whose text the job has translated before. */
const again = JobSource.bytes({
  name: "again",
  bytes: Stream.make(new TextEncoder().encode(csv(1))),
  format: table,
  write: () => (bytes) => Effect.ignore(Stream.runDrain(bytes))
})

const catalogue = (texts: number, edition: string) =>
  JSON.stringify(
    Object.fromEntries(
      Array.from({ length: texts }, (_, index) => [
        `text${index}`,
        `${marker} ${index}${index % 4 === 0 ? ` of the ${edition} edition` : ""}: {name} has the right to it.`
      ])
    ),
    undefined,
    2
  )

const documentsIn = (home: string): ReadonlyArray<DocumentBatch.Item> =>
  ["letter.txt", "copy.txt", "page.html", "new.txt"].flatMap((name) =>
    !existsSync(`${home}/${name}`)
      ? []
      : {
          path: `${home}/${name}`,
          targetLang: "de",
          output: `${home}/out/${name}`
        }
  )

const letter = (edition: string) => `${marker}: the ${edition} letter.`

/** What the service bills for a document, in characters. */
const charactersOf = ({ path }: DocumentBatch.Item) =>
  (path.endsWith(".html") ? "Hello" : readFileSync(path, "utf8")).length

/** Translates documents with a journal in a file. Those whose upload or download is in doubt are done again only if they may be. */
const batch = (home: string, resubmit: boolean) =>
  Stream.fromIterable(documentsIn(home)).pipe(
    DocumentBatch.run({ resubmit: resubmit ? ["ambiguous", "lost"] : [], pollSchedule: Schedule.forever }),
    Stream.run(DocumentBatch.report()),
    Effect.flatMap(({ ambiguous, failed: [failed], lost }) =>
      failed === undefined
        ? Effect.succeed({
            again: ambiguous.length + lost.length,
            doubtful: [...ambiguous, ...lost].reduce((sum, { item }) => sum + charactersOf(item), 0)
          })
        : Effect.fail(failed.error)
    ),
    Effect.provide(DocumentJournal.layerFile(`${home}/journal.jsonl`))
  )

export const subjects = {
  "a CSV file": {
    begin: (home: string) => write(home, { "texts.csv": csv(151) }),
    run: (home: string) => file(home, "texts.csv", table, [again]),
    problemsOf
  },
  "a Parquet file": {
    begin: (home: string) => write(home, { "texts.parquet": parquet(4) }),
    only: /readRange|openLocal|outputFiles/,
    run: (home: string) => file(home, "texts.parquet", Parquet.make({ columns: ["text"] })),
    problemsOf
  },
  "a catalogue in JSON that has changed since it was translated": {
    begin: (home: string) => write(home, { "texts.json": catalogue(40, "first") }),
    change: (home: string) => write(home, { "texts.json": catalogue(44, "second") }),
    run: (home: string) => file(home, "texts.json", Json.format),
    problemsOf
  },
  "documents, of which two are equal, and some have changed since they were translated": {
    begin: (home: string) =>
      write(home, {
        "letter.txt": letter("first"),
        "copy.txt": letter("first"),
        "page.html": documents.files["a.html"]!
      }),
    change: (home: string) =>
      write(home, { "letter.txt": letter("second"), "copy.txt": letter("second"), "new.txt": letter("new") }),
    run: batch,
    problemsOf: () => Effect.succeed([])
  }
}
