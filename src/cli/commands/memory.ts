import * as Args from "@effect/cli/Args"
import * as Cli from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Command from "../command.js"
import { yes } from "../confirm.js"

const store = Command.text(
  "store",
  "store",
  "The store: a file, or postgres://user@host/database. Without it: that of the settings, or .effect-translate/store.db."
).pipe(Command.optional)

const format = Options.choice("format", ["csv", "jsonl", "tmx"]).pipe(
  Options.withDescription("The format, if the name of the file does not say it."),
  Command.optional
)

const language = (name: string, description: string) =>
  Options.text(name).pipe(
    Options.withPseudoName("language"),
    Options.withDescription(description),
    Command.optional
  )

const statsConfig = { store }

export type StatsInput = Command.Input<typeof statsConfig>

const stats = Command.make(
  "stats",
  "What the store holds, and what may have been paid twice.\n\nExample: effect-translate memory stats",
  statsConfig,
  () => import("../handlers/memory/stats.js")
)

const exportConfig = {
  file: Args.text({ name: "file" }).pipe(
    Args.withDescription("The file to write: .csv, .jsonl or .tmx. - is standard output."),
    Args.withDefault("-")
  ),
  store,
  format,
  corrections: Options.boolean("corrections").pipe(
    Options.withDescription("Only what people have corrected, without the translations of the machine.")
  )
}

export type ExportInput = Command.Input<typeof exportConfig>

const exporting = Command.make(
  "export",
  "Writes all corrections and translations of the store into a file.\n\nExample: effect-translate memory export translations.tmx",
  exportConfig,
  () => import("../handlers/memory/export.js")
)

const importConfig = {
  files: Args.text({ name: "file" }).pipe(
    Args.withDescription(
      "Files to read: .tmx, or .csv and .jsonl with the columns or fields source and translation. - is standard input."
    ),
    Args.atLeast(1)
  ),
  store,
  format,
  from: language("from", "The language of the sources, if a file does not say it."),
  to: language(
    "to",
    "The language of the translations, if a file does not say it; of TMX, only that language is read."
  )
}

export type ImportInput = Command.Input<typeof importConfig>

const importing = Command.make(
  "import",
  "Adds files to the store: what people have translated or corrected, and what another store has exported.\n\nExample: effect-translate memory import corrected.csv --from en --to de",
  importConfig,
  () => import("../handlers/memory/import.js")
)

const pruneConfig = {
  store,
  olderThan: Command.text("older-than", "time", "Remove what is older, such as 90d, 12h or 2w.").pipe(
    Command.optional
  ),
  maxSize: Command.text(
    "max-size",
    "size",
    "Then remove the oldest until the texts take no more, such as 500MB or 2GB."
  ).pipe(Command.optional),
  yes
}

export type PruneInput = Command.Input<typeof pruneConfig>

const prune = Command.make(
  "prune",
  "Removes old translations of the machine. They are paid for again when they are needed. Corrections stay.\n\nExample: effect-translate memory prune --older-than 1y --yes",
  pruneConfig,
  () => import("../handlers/memory/prune.js")
)

export const memory = Cli.make("memory").pipe(
  Cli.withDescription(
    "The store of translations that are paid for: what translate looks up before it sends."
  ),
  Cli.withSubcommands([stats, exporting, importing, prune])
)
