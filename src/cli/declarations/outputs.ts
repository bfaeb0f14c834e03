/** Commands that look at outputs, without the service. */
import * as Struct from "effect/Struct"
import { argument, atLeastOne, command, list, repeated, text } from "../commandLine/declare.js"
import * as settings from "../settings/declarations.js"

/** The problems of {@link OutputCheck}, without loading it. */
export const problemKinds = [
  "missing",
  "failed",
  "stale",
  "unknown",
  "orphaned",
  "otherOptions",
  "otherTerms",
  "flagged",
  "unasked",
  "marked",
  "unreadable"
] as const

/** Kinds, checks, and the set of checks that are hardly ever wrong. */
export const failOn = list(
  text(
    "--fail-on <kind|check|strict>",
    "The problems of outputs that end the command with exit code 6 where it would be 0: kinds, such as missing, stale or flagged; a check by its name, such as numbers; or strict, the checks whose findings are right in 95 of 100 cases."
  )
)

export const check = command(
  "Checks existing translations without the service: it lists the missing, stale and failed ones, those of nobody knows whom, those made with other options, and those that look wrong.",
  {
    ...Struct.omit(settings.translate, "budget", "html", "price", "protect"),
    failOn
  },
  "effect-translate check locales/en.json --from en --to de,fr"
)

export const accept = command(
  "Takes texts of outputs as right: those that no record tells of, a person's whose sources have changed, and those that look wrong to a check. Nothing is sent, and no text changes.",
  {
    files: atLeastOne(
      argument(
        "files",
        'Outputs, such as locales/de.json; or a list of texts, such as .effect-translate/failed.jsonl, of which those with "accepted": true are taken.'
      )
    ),
    keys: repeated(text("--key <key>", "The key of a text, as check names it. Without it: all such texts.")),
    only: repeated(
      text(
        "--check <name>",
        "Accepts the findings of this check, and nothing else. Without it: all there are."
      )
    ),
    ...Struct.pick(
      settings.translate,
      "columns",
      "fields",
      "format",
      "from",
      "glossary",
      "outputColumn",
      "store",
      "targets"
    )
  },
  "effect-translate accept locales/de.json --key button.save"
)

export type CheckInput = settings.InputOf<typeof check>

export type AcceptInput = settings.InputOf<typeof accept>
