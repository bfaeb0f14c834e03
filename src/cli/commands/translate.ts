import * as Args from "@effect/cli/Args"
import * as Options from "@effect/cli/Options"
import * as Command from "../command.js"

const { text } = Command

/** What is translated, into which languages, and how: `job submit` takes the same. */
export const shared = {
  files: Args.text({ name: "files" }).pipe(
    Args.withDescription(
      'Files, folders and patterns such as "docs/**/*.md"; "!docs/old/**" leaves some out. "-" reads standard input.'
    ),
    Args.repeated
  ),
  to: text("to", "de,fr,ja", "The languages to translate into.").pipe(Options.repeated),
  from: text(
    "from",
    "en",
    "The language of the files. Without it the service finds out, for each text."
  ).pipe(Command.optional),
  out: text(
    "out",
    "pattern",
    "Where translations go: a folder, or a pattern with {lang}, {dir}, {name} and {ext}. Without it beside the files: products.de.csv for products.csv, locales/de.json for locales/en.json."
  ).pipe(Command.optional),
  format: text("format", "name", "The format of the files. Without it: by their names and beginnings.").pipe(
    Command.optional
  ),
  columns: text("column", "name", "A column of CSV files to translate, as the header names it.").pipe(
    Options.repeated
  ),
  fields: text(
    "field",
    "path",
    'What to translate of JSON, JSON Lines and YAML files, such as "messages[*].content".'
  ).pipe(Options.repeated),
  glossary: text(
    "glossary",
    "id|file",
    "A glossary of the service, or a CSV or TSV file of which one is made."
  ).pipe(Command.optional),
  style: text("style", "id", "A style rule list of the service.").pipe(Command.optional),
  formality: Command.formality,
  model: Options.choice("model", ["latency_optimized", "quality_optimized", "prefer_quality_optimized"]).pipe(
    Options.withDescription("Which models translate."),
    Command.optional
  ),
  context: text("context", "text", "What the texts are about. It is not translated and not billed.").pipe(
    Command.optional
  ),
  budget: Options.integer("budget").pipe(
    Options.withPseudoName("characters"),
    Options.withDescription("The most that may be billed."),
    Command.optional
  ),
  price: Options.float("price").pipe(
    Options.withPseudoName("amount"),
    Options.withDescription("What a million characters cost, for forecast and summary."),
    Command.optional
  ),
  existing: Options.choice("existing", ["keep", "overwrite"]).pipe(
    Options.withDescription(
      "What becomes of outputs that are there: keep what persons have written in them (the default), or write them anew."
    ),
    Command.optional
  ),
  removed: Options.choice("removed", ["keep", "drop"]).pipe(
    Options.withDescription(
      "What becomes of texts of an output that the source does not have any more: keep is the default."
    ),
    Command.optional
  ),
  failed: Options.choice("failed", ["previous", "source", "empty"]).pipe(
    Options.withDescription(
      "What a text that failed leaves in its output: the previous translation or else the source (the default), the source, or nothing."
    ),
    Command.optional
  )
}

const config = {
  ...shared,
  store: text(
    "store",
    "file|url|none",
    "Where translations are remembered, so that none is paid for twice: a file, or postgres://… Without it: .effect-translate/store.db."
  ).pipe(Command.optional),
  failedUnits: text(
    "failed-units",
    "file",
    "Where texts that failed are listed, as JSON Lines. Without it: failed.jsonl beside the store."
  ).pipe(Command.optional),
  report: text(
    "report",
    "file.html",
    "Also writes a page with every text and its translation, what it has cost and how it went, for a browser. It holds the texts."
  ).pipe(Command.optional),
  limit: Options.integer("limit").pipe(
    Options.withPseudoName("texts"),
    Options.withDescription("A pilot: translates so many texts of each file into each language."),
    Command.optional
  ),
  refresh: Options.boolean("refresh").pipe(
    Options.withDescription("Pays once more for texts that are stored. Corrections of persons stay.")
  ),
  partial: Options.boolean("partial").pipe(
    Options.withDescription("Also writes outputs that are not whole, after an error or with --limit.")
  ),
  maxFailed: Options.float("max-failed").pipe(
    Options.withPseudoName("share"),
    Options.withDescription("Ends the job once a larger share of the texts has failed, from 0 to 1."),
    Command.optional
  ),
  concurrency: Options.integer("concurrency").pipe(
    Options.withPseudoName("requests"),
    Options.withDescription("The most requests at the same time for a file in a language. Without it: 8."),
    Command.optional
  ),
  dryRun: Options.boolean("dry-run").pipe(
    Options.withDescription("Says what it would take and cost, and translates nothing.")
  ),
  watch: Options.boolean("watch").pipe(
    Options.withDescription("Translates again when files change, until Ctrl-C.")
  )
}

export type Input = Command.Input<typeof config>

export const translate = Command.make(
  "translate",
  "Translates files, and goes on where it was broken off: nothing is paid for twice.",
  config,
  () => import("../handlers/translate.js")
)
