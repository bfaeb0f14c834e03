/** The command line of `npm start`. */
import { fileURLToPath } from "node:url"
import { Args, CliConfig, type Command, HelpDoc, Options as Option, ValidationError } from "@effect/cli"
import { Effect, Schema } from "effect"
import { Languages } from "effect-translate"

const corpus = fileURLToPath(new URL("../data/udhr.en.csv", import.meta.url))

const languages = (text: string) =>
  Effect.forEach(text.split(","), (code) =>
    Schema.decode(Languages.TargetLanguage)(code.trim()).pipe(
      Effect.mapError(() =>
        ValidationError.invalidValue(
          HelpDoc.p(`"${code}" is no language code: write --to with codes such as de,fr,pt-BR`)
        )
      )
    )
  )

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
    : Effect.succeed(words[0] ?? corpus)
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
    Option.repeated
  ),
  fields: Option.text("field").pipe(
    Option.withPseudoName("path"),
    Option.withDescription(
      'What to translate of a JSON, JSON Lines or YAML file, such as "messages[*].content".'
    ),
    Option.repeated
  ),
  format: Option.text("format").pipe(
    Option.withPseudoName("name"),
    Option.withDescription("The format of the file. Without it: by its name and its beginning."),
    Option.optional,
    Option.map((format) => (format._tag === "Some" ? format.value : undefined))
  ),
  languages: Option.text("to").pipe(
    Option.withDescription("The languages to translate into."),
    Option.withPseudoName("de,fr,ja"),
    Option.withDefault("de,fr,ja"),
    Option.mapEffect(languages)
  ),
  out: Option.text("out").pipe(
    Option.withPseudoName("folder"),
    Option.withDescription("The folder for the translated files."),
    Option.withDefault("out")
  ),
  latency: Option.integer("latency").pipe(
    Option.withPseudoName("milliseconds"),
    Option.withDescription("How long the emulated service takes for a request."),
    Option.withDefault(150),
    Option.mapEffect(latency)
  )
}

export type Options = Command.Command.ParseConfig<typeof options>

/** Help without what every program of `@effect/cli` has. */
export const quietHelp = CliConfig.layer({ showBuiltIns: false })
