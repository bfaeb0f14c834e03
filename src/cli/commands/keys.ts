import * as Args from "@effect/cli/Args"
import * as Cli from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Command from "../command.js"
import { yes } from "../confirm.js"

const key = Args.text({ name: "key" }).pipe(
  Args.withDescription("Its label, or what list shows of it, such as dc88****3a2c.")
)

const listConfig = {}

export type ListInput = Command.Input<typeof listConfig>

const list = Command.make(
  "list",
  "All keys of the account, active and deactivated. The keys themselves are not shown.\n\nExample: effect-translate keys list",
  listConfig,
  () => import("../handlers/keys/list.js")
)

const createConfig = {
  label: Args.text({ name: "label" }).pipe(Args.withDescription("What people call it.")),
  out: Command.text(
    "out",
    "file",
    "A new file for the key, which only you can read. Without it: standard output."
  ).pipe(Command.optional)
}

export type CreateInput = Command.Input<typeof createConfig>

const create = Command.make(
  "create",
  "Creates a key, which works at once, and prints it.\n\nExample: effect-translate keys create Catalogue --out catalogue.key",
  createConfig,
  () => import("../handlers/keys/create.js")
)

const labelConfig = { key, label: Args.text({ name: "label" }).pipe(Args.withDescription("Its new label.")) }

export type LabelInput = Command.Input<typeof labelConfig>

const label = Command.make(
  "label",
  "Gives a key another label.\n\nExample: effect-translate keys label Catalogue 'Catalogue team'",
  labelConfig,
  () => import("../handlers/keys/label.js")
)

const limit = (name: string, unit: string) =>
  Options.text(name).pipe(
    Options.withPseudoName("number"),
    Options.withDescription(`How many ${unit} a month it may use. 0 blocks it; none lifts the limit.`),
    Command.optional
  )

const limitConfig = {
  key,
  characters: limit("characters", "characters"),
  speech: limit("speech", "milliseconds of speech")
}

export type LimitInput = Command.Input<typeof limitConfig>

const limiting = Command.make(
  "limit",
  "Sets how much a key may use in a month.\n\nExample: effect-translate keys limit Catalogue --characters 500000",
  limitConfig,
  () => import("../handlers/keys/limit.js")
)

const deactivateConfig = { keys: Args.atLeast(key, 1), yes }

export type DeactivateInput = Command.Input<typeof deactivateConfig>

const deactivate = Command.make(
  "deactivate",
  "Deactivates keys at once and for good.\n\nExample: effect-translate keys deactivate Catalogue",
  deactivateConfig,
  () => import("../handlers/keys/deactivate.js")
)

export const keys = Cli.make("keys").pipe(
  Cli.withDescription("The API keys of the account. Needs an admin key: LANGUAGE_SERVICE_ADMIN_KEY."),
  Cli.withSubcommands([list, create, label, limiting, deactivate])
)
