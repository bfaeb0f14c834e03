import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type * as StyleRules from "../../../client/StyleRules.js"
import * as TranslateClient from "../../../client/TranslateClient.js"
import type { InvalidRequest } from "../../../client/TranslateError.js"
import { Usage } from "../../failure.js"
import * as files from "../../files.js"
import * as text from "../../text.js"

/** The list of an id or a name, with its rules and instructions. */
export const find = (reference: string) =>
  Effect.gen(function* () {
    const { styleRules } = yield* TranslateClient.TranslateClient
    const matches = yield* Stream.runCollect(
      Stream.filter(
        styleRules.stream({ detailed: true }),
        ({ name, styleId }) => styleId === reference || name === reference
      )
    )
    const [found, ...others] = matches
    if (found === undefined) {
      return yield* new Usage({
        message: `There is no style ${reference}: see "effect-translate style list".`
      })
    }
    if (others.length > 0) {
      const ids = [found, ...others].map(({ styleId }) => styleId).join(", ")
      return yield* new Usage({
        message: `Several styles are named ${reference}: give the id, one of ${ids}.`
      })
    }
    return found
  })

/** The instructions that `--instruction label=text` gives. */
export const instructionsOf = (
  given: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<{ readonly label: string; readonly prompt: string }>, Usage> =>
  Effect.forEach(given, (instruction) => {
    const [, label, prompt] = /^([^=]+)=([\s\S]+)$/.exec(instruction) ?? []
    return label === undefined || prompt === undefined
      ? new Usage({
          message: `--instruction ${instruction}: give a label and a text, such as 'Tone=Stay dry.'`
        })
      : Effect.succeed({ label: label.trim(), prompt: prompt.trim() })
  })

const Json = Schema.parseJson()

/** The rules in the file of `--rules`. The service's client checks them. */
export const rulesOf = (file: string | undefined) =>
  file === undefined
    ? Effect.succeed(undefined)
    : Effect.flatMap(files.readText(file), (json) =>
        Option.match(Schema.decodeOption(Json)(json), {
          onNone: () => new Usage({ message: `${files.nameOf(file, "input")} is no JSON.` }),
          onSome: (rules) => Effect.succeed(rules as StyleRules.ConfiguredRules)
        })
      )

/** What a field of a request is on the command line. */
const wordOf = (field: string): string => {
  if (/(^|\.)sourceLanguage$/.test(field)) return "--from"
  if (field === "language") return "--to"
  if (field === "" || field === "name") return field
  const [, part] = /^(?:customInstructions.*\.)?(label|prompt)$/.exec(field) ?? []
  return part === undefined
    ? `--rules: ${field.replace(/^configuredRules\.?/, "")}`.trim()
    : `--instruction: its ${part === "label" ? "label" : "text"}`
}

/** What the client refuses, in words of the command line. */
export const inOptions = ({ violations }: InvalidRequest): Usage =>
  new Usage({ message: violations.map(({ field, rule }) => `${wordOf(field)} ${rule}`.trim()).join("; ") })

/** A list for people. */
export const describe = (style: StyleRules.StyleRuleListItem): string => {
  const rules = Object.entries(style.configuredRules ?? {}).flatMap(([category, rules]) =>
    Object.entries(rules ?? {}).map(([rule, option]) => [category, rule, option])
  )
  const instructions = style.customInstructions ?? []
  return [
    `${style.name} (${style.styleId}), for translations into ${style.language}, version ${style.version ?? "unknown"}`,
    ...(rules.length === 0 ? [] : ["", text.table(["category", "rule", "option"], rules)]),
    ...(instructions.length === 0
      ? []
      : [
          "",
          text.table(
            ["instruction", "from", "text"],
            instructions.map(({ label, prompt, sourceLanguage }) => [label, sourceLanguage ?? "any", prompt])
          )
        ])
  ].join("\n")
}
