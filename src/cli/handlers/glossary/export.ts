import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as GlossaryEntries from "../../../api/GlossaryEntries.js"
import type * as Glossaries from "../../../client/Glossaries.js"
import * as TranslateClient from "../../../client/TranslateClient.js"
import type { ExportInput } from "../../commands/glossary.js"
import { Usage } from "../../failure.js"
import * as files from "../../files.js"
import * as Output from "../../output.js"
import * as service from "../../service.js"
import * as text from "../../text.js"
import { dictionaryOf, find, nameOf } from "./glossaries.js"

/** Where the dictionary goes, and in which format. */
interface Target {
  readonly dictionary: Glossaries.Dictionary
  readonly file: string
  readonly format: "csv" | "tsv"
}

const isFolder = (out: string) =>
  out === files.standard
    ? Effect.succeed(false)
    : out.endsWith("/")
      ? Effect.succeed(true)
      : Effect.flatMap(FileSystem.FileSystem, (fs) =>
          Effect.match(fs.stat(out), {
            onFailure: () => false,
            onSuccess: ({ type }) => type === "Directory"
          })
        )

const targetsOf = ({ dictionary, format, out }: ExportInput, glossary: Glossaries.Glossary) =>
  Effect.gen(function* () {
    const { join } = yield* Path.Path
    const wanted =
      dictionary === undefined ? glossary.dictionaries : [yield* dictionaryOf(glossary, dictionary)]
    if (yield* isFolder(out)) {
      yield* files.makeFolder(out)
      return wanted.map((dictionary): Target => {
        const { sourceLang, targetLang } = dictionary
        return {
          dictionary,
          file: join(out, `${sourceLang}-${targetLang}.${format ?? "csv"}`),
          format: format ?? "csv"
        }
      })
    }
    const [only, ...others] = wanted
    if (only === undefined || others.length > 0) {
      return yield* new Usage({
        message: `${glossary.name} has the dictionaries ${wanted.map(nameOf).join(", ")}: say which by --dictionary, or give a folder to --out.`
      })
    }
    const named = out.toLowerCase().endsWith(".tsv") ? "tsv" : "csv"
    return [{ dictionary: only, file: out, format: format ?? named } satisfies Target]
  })

export const handle = (input: ExportInput) =>
  Effect.gen(function* () {
    const output = input.out === files.standard ? Output.make(input, process.stderr) : yield* Output.Output
    const { glossaries } = yield* TranslateClient.TranslateClient
    const glossary = yield* find(input.glossary)
    const targets = yield* targetsOf(input, glossary)
    const written = yield* Effect.forEach(
      targets,
      ({ dictionary: { sourceLang, targetLang }, file, format }) =>
        Effect.gen(function* () {
          const { entries } = yield* glossaries.entries(glossary.glossaryId, { sourceLang, targetLang })
          const encode = format === "csv" ? GlossaryEntries.encodeCsv : GlossaryEntries.encodeTsv
          const lines = yield* encode(entries)
          yield* files.write(file, Stream.encodeText(Stream.make(`${lines}\n`)))
          return { sourceLang, targetLang, file, entries: entries.length }
        })
    )
    yield* output.result(
      { glossaryId: glossary.glossaryId, dictionaries: written },
      written
        .map(
          (one) =>
            `${nameOf(one)}: ${text.plural(one.entries, "entry", "entries")}, ${files.nameOf(one.file)}`
        )
        .join("\n")
    )
  }).pipe(Effect.provide(service.client))
