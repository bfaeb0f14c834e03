/** The command line of `npm start`. */
import { relative } from "node:path"
import { fileURLToPath } from "node:url"
import { Args, CliConfig, type Command, HelpDoc, Options as Option, ValidationError } from "@effect/cli"
import { Array as Arr, Effect, Option as Optional, Schema } from "effect"
import { Csv, Languages } from "effect-translate"
import type { FileSource } from "effect-translate/files"

const corpus = fileURLToPath(new URL("../data/udhr.en.csv", import.meta.url))

const languages = (text: string) =>
  Effect.forEach(Arr.dedupe(text.split(",")), (code) =>
    Schema.decode(Languages.TargetLanguage)(code.trim()).pipe(
      Effect.mapError(() =>
        ValidationError.invalidValue(
          HelpDoc.p(`"${code}" is no language code: write --to with codes such as de,fr,pt-BR`)
        )
      )
    )
  )

/** As the user would write it. */
const bundled = () => {
  const file = relative("", corpus)
  return file.startsWith("..") ? corpus : file
}

/** What the command line does not know ends up among the arguments. */
const file = (words: ReadonlyArray<string>) => {
  const option = words.find((word) => word.startsWith("-"))
  if (option !== undefined) {
    return Effect.fail(
      HelpDoc.p(`${option} is no option, or its value is missing: npm start -- --help says what there is`)
    )
  }
  return words.length > 1
    ? Effect.fail(HelpDoc.p(`one file at a time: ${words.join(" ")}`))
    : Effect.succeed(words[0] ?? bundled())
}

const latency = (millis: number) =>
  millis >= 0
    ? Effect.succeed(millis)
    : Effect.fail(ValidationError.invalidValue(HelpDoc.p("--latency must be 0 or more milliseconds")))

export const options = {
  file: Args.text({ name: "file" }).pipe(
    Args.withDescription(
      "One file: CSV, JSON, YAML, PO, XLIFF, Markdown, subtitles and more. Without it: the bundled example."
    ),
    Args.repeated,
    Args.mapEffect(file)
  ),
  columns: Option.text("column").pipe(
    Option.withPseudoName("name"),
    Option.withDescription(
      'A column of a CSV file to translate, as the header names it. Without it: "text".'
    ),
    Option.repeated,
    Option.map((columns) => (columns.length === 0 ? ["text"] : columns))
  ),
  fields: Option.text("field").pipe(
    Option.withPseudoName("path"),
    Option.withDescription(
      'What to translate of a JSON, JSON Lines or YAML file, such as "messages[*].content".'
    ),
    Option.repeated,
    Option.map((fields) => (fields.length === 0 ? undefined : fields))
  ),
  format: Option.text("format").pipe(
    Option.withPseudoName("name"),
    Option.withDescription("The format of the file. Without it: by its name and its beginning."),
    Option.optional,
    Option.map(Optional.getOrUndefined)
  ),
  languages: Option.text("to").pipe(
    Option.withDescription("The languages to translate into."),
    Option.withPseudoName("de,fr,ja"),
    Option.withDefault("de,fr,ja"),
    Option.mapEffect(languages)
  ),
  out: Option.directory("out").pipe(
    Option.withPseudoName("folder"),
    Option.withDescription("The folder for the translated files."),
    Option.withDefault("out")
  ),
  store: Option.text("store").pipe(
    Option.withPseudoName("file"),
    Option.withDescription(
      "The file of what was paid for. Without it: .effect-translate/store.db in the output folder."
    ),
    Option.optional,
    Option.map(Optional.getOrUndefined)
  ),
  latency: Option.integer("latency").pipe(
    Option.withPseudoName("milliseconds"),
    Option.withDescription("How long the emulated service takes for a request."),
    Option.withDefault(150),
    Option.mapEffect(latency)
  )
}

export type Options = Command.Command.ParseConfig<typeof options>

/** CSV needs no parser of another format, and they take a moment to load. */
export const formatOf = ({ columns, fields: select, file, format }: Options) =>
  Effect.gen(function* () {
    if (format === undefined && /\.(csv|tsv)$/i.test(file)) return Csv.make({ columns })
    const { Formats } = yield* Effect.promise(() => import("effect-translate/formats"))
    const formats = Formats.make({ columns, select })
    if (format !== undefined) return yield* Formats.byName(format, formats)
    return ((file) => Formats.detect(file, formats)) satisfies FileSource.Detect
  })

/** Help without what every program of `@effect/cli` has. */
export const quietHelp = CliConfig.layer({ showBuiltIns: false })
