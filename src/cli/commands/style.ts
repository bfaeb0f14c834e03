import * as Args from "@effect/cli/Args"
import * as Cli from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Command from "../command.js"
import { yes } from "../confirm.js"

const styleArgument = Args.text({ name: "style" }).pipe(Args.withDescription("Its id or its name."))

const rules = Command.text(
  "rules",
  "file",
  'Predefined rules as JSON, such as {"punctuation": {"apostrophe": "use_curly_apostrophes"}}. - is standard input.'
).pipe(Command.optional)

const instructions = Command.text(
  "instruction",
  "label=text",
  "An instruction in your own words, such as 'Tone=Stay dry.' More than one may be given."
).pipe(Options.repeated)

const from = Command.text(
  "from",
  "language",
  "The language of the texts that the instructions are for. Without it: any."
).pipe(Command.optional)

const listConfig = {}

export type ListInput = Command.Input<typeof listConfig>

const list = Command.make(
  "list",
  "All style rule lists of the account.\n\nExample: effect-translate style list",
  listConfig,
  () => import("../handlers/style/list.js")
)

const showConfig = { style: styleArgument }

export type ShowInput = Command.Input<typeof showConfig>

const show = Command.make(
  "show",
  "The rules and instructions of a list.\n\nExample: effect-translate style show Catalogue",
  showConfig,
  () => import("../handlers/style/show.js")
)

const createConfig = {
  name: Args.text({ name: "name" }).pipe(Args.withDescription("What people call it.")),
  to: Command.text("to", "language", "The language of the translations that it is for, such as de."),
  rules,
  instructions,
  from
}

export type CreateInput = Command.Input<typeof createConfig>

const create = Command.make(
  "create",
  "Creates a list, and prints its id.\n\nExample: effect-translate style create Catalogue --to de --instruction 'Tone=Stay dry.'",
  createConfig,
  () => import("../handlers/style/create.js")
)

const updateConfig = {
  style: styleArgument,
  name: Options.text("name").pipe(Options.withDescription("Its new name."), Command.optional),
  rules,
  instructions,
  from,
  remove: Command.text(
    "remove",
    "label",
    "An instruction to remove, by its label. More than one may be given."
  ).pipe(Options.repeated)
}

export type UpdateInput = Command.Input<typeof updateConfig>

const update = Command.make(
  "update",
  "Changes what is given of a list: its name, all of its rules, and instructions by their labels.\n\nExample: effect-translate style update Catalogue --instruction 'Tone=Be cheerful.' --remove Names",
  updateConfig,
  () => import("../handlers/style/update.js")
)

const deleteConfig = { styles: Args.atLeast(styleArgument, 1), yes }

export type DeleteInput = Command.Input<typeof deleteConfig>

const deleting = Command.make(
  "delete",
  "Deletes lists for good.\n\nExample: effect-translate style delete Catalogue",
  deleteConfig,
  () => import("../handlers/style/delete.js")
)

export const style = Cli.make("style").pipe(
  Cli.withDescription("Style rule lists: how translations into a language should read."),
  Cli.withSubcommands([list, show, create, update, deleting])
)
