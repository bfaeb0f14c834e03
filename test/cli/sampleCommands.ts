/** Commands of every kind, as the program makes them. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { make, optional } from "../../src/cli/command.js"
import * as commandTree from "../../src/cli/parsing/commandTree.js"

const load = () => Promise.reject(new Error("no sample command is run"))

const translate = make(
  "translate",
  "Translates files. Example: effect-translate translate docs --to de",
  {
    to: Options.text("to").pipe(
      Options.withPseudoName("languages"),
      Options.withDescription("To which languages.")
    ),
    existing: Options.choice("existing", ["keep", "overwrite"]).pipe(
      Options.withDescription(
        "What becomes of output files that were there before, of which there may be many."
      ),
      optional
    ),
    limit: Options.integer("limit").pipe(Options.withDefault(5), Options.withDescription("How many.")),
    price: Options.float("price").pipe(optional),
    field: Options.text("field").pipe(Options.withAlias("f"), Options.repeated),
    watch: Options.boolean("watch").pipe(Options.withAlias("w")),
    files: Args.text({ name: "files" }).pipe(Args.withDescription("What to translate."), Args.atLeast(1))
  },
  load
)

const write = make(
  "write",
  "Writes.",
  {
    kind: Args.choice(
      [
        ["rephrase", 1],
        ["correct", 2]
      ],
      { name: "kind" }
    )
  },
  load
)

const glossary = Command.make("glossary").pipe(
  Command.withDescription("Glossaries."),
  Command.withSubcommands([
    make("list", "Lists them all.", {}, load),
    make(
      "show",
      "Shows one: it's said.",
      { id: Args.text({ name: "id" }), file: Args.optional(Args.text({ name: "file" })) },
      load
    )
  ])
)

export const sample = Command.make("effect-translate").pipe(
  Command.withDescription("Translates."),
  Command.withSubcommands([translate, write, glossary])
)

export const tree: commandTree.Node = commandTree.of(sample)
