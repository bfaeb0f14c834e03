import * as Args from "@effect/cli/Args"
import * as Cli from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Command from "../command.js"
import { yes } from "../confirm.js"

const glossaryArgument = Args.text({ name: "glossary" }).pipe(Args.withDescription("Its id or its name."))

const dictionary = (description: string) =>
  Options.text("dictionary").pipe(
    Options.withPseudoName("from:to"),
    Options.withDescription(description),
    Command.optional
  )

const listConfig = {}

export type ListInput = Command.Input<typeof listConfig>

const list = Command.make(
  "list",
  "All glossaries of the account.\n\nExample: effect-translate glossary list",
  listConfig,
  () => import("../handlers/glossary/list.js")
)

const showConfig = { glossary: glossaryArgument }

export type ShowInput = Command.Input<typeof showConfig>

const show = Command.make(
  "show",
  "The dictionaries of a glossary.\n\nExample: effect-translate glossary show Shop",
  showConfig,
  () => import("../handlers/glossary/show.js")
)

const syncConfig = {
  name: Args.text({ name: "name" }).pipe(
    Args.withDescription("The name of the glossary. It is created if there is none.")
  ),
  files: Args.text({ name: "file" }).pipe(
    Args.withDescription(
      "A dictionary: CSV or TSV without a header. Its name ends with its languages, as terms.en-de.csv does."
    ),
    Args.atLeast(1)
  ),
  dictionary: dictionary("The languages of files whose names do not say them, such as en:de."),
  id: Options.text("id").pipe(
    Options.withDescription(
      "The id of the glossary, which gets the name: if there are several of that name, or to rename it."
    ),
    Command.optional
  ),
  delete: Options.boolean("delete").pipe(
    Options.withDescription(
      "Delete the dictionaries of the glossary that no file is for. Without it, they stay."
    )
  ),
  dryRun: Options.boolean("dry-run").pipe(Options.withDescription("Only print what would be done."))
}

export type SyncInput = Command.Input<typeof syncConfig>

const sync = Command.make(
  "sync",
  "Makes a glossary equal to files, in the fewest calls.\n\nExample: effect-translate glossary sync Shop terms/en-de.csv terms/en-fr.csv --dry-run",
  syncConfig,
  () => import("../handlers/glossary/sync.js")
)

const exportConfig = {
  glossary: glossaryArgument,
  dictionary: dictionary("Which dictionary, such as en:de. Not needed if there is only one."),
  format: Options.choice("format", ["csv", "tsv"]).pipe(
    Options.withDescription("The format. Without it: what the name of --out says, or csv."),
    Command.optional
  ),
  out: Options.text("out").pipe(
    Options.withPseudoName("file"),
    Options.withDescription(
      "The file to write, or a folder for a file of each dictionary, which sync reads. Without it: standard output."
    ),
    Options.withDefault("-")
  )
}

export type ExportInput = Command.Input<typeof exportConfig>

const exporting = Command.make(
  "export",
  "Writes the entries of a glossary into files.\n\nExample: effect-translate glossary export Shop --out terms/",
  exportConfig,
  () => import("../handlers/glossary/export.js")
)

const deleteConfig = {
  glossaries: Args.text({ name: "glossary" }).pipe(
    Args.withDescription("Its id or its name."),
    Args.atLeast(1)
  ),
  dictionary: dictionary("Delete only this dictionary, such as en:de."),
  yes
}

export type DeleteInput = Command.Input<typeof deleteConfig>

const deleting = Command.make(
  "delete",
  "Deletes glossaries, or a dictionary of them, for good.\n\nExample: effect-translate glossary delete Shop --dictionary en:fr",
  deleteConfig,
  () => import("../handlers/glossary/delete.js")
)

export const glossary = Cli.make("glossary").pipe(
  Cli.withDescription("Glossaries: how phrases are translated."),
  Cli.withSubcommands([list, show, sync, exporting, deleting])
)
