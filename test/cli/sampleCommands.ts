/** Commands of every kind, as the program makes them. */
import * as commandTree from "../../src/cli/commandLine/commandTree.js"
import {
  argument,
  atLeastOne,
  choice,
  command,
  flag,
  group,
  list,
  number,
  optional,
  repeated,
  required,
  text,
  whole,
  withDefault
} from "../../src/cli/commandLine/declare.js"
import { common } from "../../src/cli/settings/declarations.js"

const translate = command(
  "Translates files.",
  {
    to: required(text("--to <languages>", "To which languages.")),
    existing: choice(
      "--existing",
      ["keep", "overwrite"],
      "What becomes of output files that were there before, of which there may be many."
    ),
    limit: withDefault(whole("--limit <integer>", "How many."), 5),
    price: number("--price <float>", ""),
    field: repeated(text("--field, -f <text>", "")),
    failOn: list(choice("--fail-on", ["missing", "stale"], "")),
    watch: flag("--watch, -w", ""),
    files: atLeastOne(argument("files", "What to translate."))
  },
  "effect-translate translate docs --to de"
)

const write = command("Writes.", {
  kind: { ...required(choice("--kind", ["rephrase", "correct"], "")), names: [], value: "kind" }
})

const glossary = group("Glossaries.", {
  list: command("Lists them all.", {}),
  show: command("Shows one: it's said.", {
    id: argument("id", ""),
    file: optional(argument("file", ""))
  })
})

export const tree: commandTree.Node = commandTree.make(
  "effect-translate",
  group("Translates.", { translate, write, glossary }),
  common
)
