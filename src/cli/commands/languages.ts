import * as Options from "@effect/cli/Options"
import type * as Language from "../../api/Language.js"
import * as Command from "../command.js"

const resources = [
  "translate_text",
  "translate_document",
  "glossary",
  "voice",
  "write",
  "style_rules"
] as const satisfies ReadonlyArray<Language.ResourceName>

const config = {
  resource: Options.choice("resource", resources).pipe(
    Options.withDescription("What the languages are for."),
    Options.withDefault("translate_text" as const)
  ),
  pair: Command.text(
    "pair",
    "source:target",
    "Only say what works from one language into another, such as en:de; :de leaves the source to the service. Ends with 1 if the pair does not work."
  ).pipe(Command.optional)
}

export type Input = Command.Input<typeof config>

export const languages = Command.make(
  "languages",
  "Lists the languages of the service, and what works in them: formality, glossaries, style rules and so on.\n\nExample: effect-translate languages --pair en:de",
  config,
  () => import("../handlers/languages.js")
)
