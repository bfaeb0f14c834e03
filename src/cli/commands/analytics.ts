import * as Options from "@effect/cli/Options"
import * as Command from "../command.js"

const date = (name: string, description: string) =>
  Options.text(name).pipe(
    Options.withPseudoName("date"),
    Options.withDescription(description),
    Command.optional
  )

const config = {
  from: date("from", "The first day, such as 2026-05-01, in UTC. Without it: 30 days before the last one."),
  to: date("to", "The last day. Without it: today."),
  by: Options.choice("by", ["key", "day", "tag"]).pipe(
    Options.withDescription(
      "A row for each key, each key and day, or each custom tag. Without it: the total."
    ),
    Command.optional
  ),
  csv: Options.boolean("csv").pipe(Options.withDescription("Print CSV."))
}

export type Input = Command.Input<typeof config>

export const analytics = Command.make(
  "analytics",
  "What the account has used. Needs an admin key: LANGUAGE_SERVICE_ADMIN_KEY.\n\nExample: effect-translate analytics --from 2026-05-01 --to 2026-05-31 --by key",
  config,
  () => import("../handlers/analytics.js")
)
