import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Violation from "../../api/Violation.js"
import type * as StyleRules from "../../client/StyleRules.js"
import type { Language } from "../../client/StyleRules.js"
import * as TranslateClient from "../../client/TranslateClient.js"
import type { InvalidRequest, RepeatedPage } from "../../client/TranslateError.js"
import type { Actions } from "../command.js"
import type { style } from "../declarations/account.js"
import { type Usage, usage } from "../failure.js"
import { findByIdOrName } from "../idOrName.js"
import * as files from "../namedFiles.js"
import { Output } from "../output.js"
import * as service from "../serviceClient.js"
import { confirm } from "../terminal/prompt.js"
import * as text from "../textTable.js"

/** The list of an id or a name, with its rules and instructions. */
const find = (reference: string) =>
  Effect.gen(function* () {
    const { styleRules } = yield* TranslateClient.TranslateClient
    return yield* findByIdOrName<StyleRules.StyleRuleListItem, RepeatedPage>(reference, {
      noun: "style",
      nouns: "styles",
      idOf: ({ styleId }) => styleId,
      list: Effect.map(Stream.runCollect(styleRules.stream({ detailed: true })), Chunk.toReadonlyArray),
      get: styleRules.get
    })
  })

/** The instructions that `--instruction label=text` gives. */
const instructionsOf = (
  given: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<{ readonly label: string; readonly prompt: string }>, Usage> =>
  Effect.forEach(given, (instruction) => {
    const [, label, prompt] = /^([^=]+)=([\s\S]+)$/.exec(instruction) ?? []
    return label === undefined || prompt === undefined
      ? usage(`--instruction ${instruction}: give a label and a text, such as 'Tone=Stay dry.'`)
      : Effect.succeed({ label: label.trim(), prompt: prompt.trim() })
  })

const Json = Schema.parseJson()

/** The rules in the file of `--rules`. The service's client checks them. */
const rulesOf = (file: string | undefined) =>
  file === undefined
    ? Effect.succeed(undefined)
    : Effect.flatMap(files.readText(file), (json) =>
        Option.match(Schema.decodeOption(Json)(json), {
          onNone: () => usage(`${files.nameOf(file, "input")} is no JSON.`),
          onSome: (rules) => Effect.succeed(rules as StyleRules.ConfiguredRules)
        })
      )

/** The option or argument of a request's field. */
const wordOf = (field: string): string => {
  if (/(^|\.)sourceLanguage$/.test(field)) return "--from"
  if (field === "language") return "--to"
  if (field === "name") return field
  const [, part] = /^(?:customInstructions.*\.)?(label|prompt)$/.exec(field) ?? []
  return part === undefined
    ? `--rules: ${field.replace(/^configuredRules\.?/, "")}`.trim()
    : `--instruction: its ${part === "label" ? "label" : "text"}`
}

/** The error of a request that the client refuses, in words of the command line. */
const inOptions = ({ violations }: InvalidRequest): Usage => usage(Violation.format(violations, wordOf))

/** A list for people. */
const describe = (style: StyleRules.StyleRuleListItem): string => {
  const rules = Object.entries(style.configuredRules ?? {}).flatMap(([category, rules]) =>
    Object.entries(rules ?? {}).map(([rule, option]) => [category, rule, option])
  )
  const instructions = style.customInstructions ?? []
  return text.lines(
    `${style.name} (${style.styleId}), for translations into ${style.language ?? "an unknown language"}, version ${style.version ?? "unknown"}`,
    rules.length > 0 && ["", text.table(["category", "rule", "option"], rules)],
    instructions.length > 0 && [
      "",
      text.table(
        ["instruction", "from", "text"],
        instructions.map(({ label, prompt, sourceLanguage }) => [label, sourceLanguage ?? "any", prompt])
      )
    ]
  )
}

/** The instruction of a label. */
const withLabel = (style: StyleRules.StyleRuleListItem, label: string) =>
  style.customInstructions?.find((instruction) => instruction.label === label)

const toRemove = (style: StyleRules.StyleRuleListItem, labels: ReadonlyArray<string>) =>
  Effect.forEach(labels, (label) => {
    const found = withLabel(style, label)
    return found === undefined
      ? usage(`--remove ${label}: ${style.name} has no instruction of that label.`)
      : Effect.succeed(found)
  })

export const actions: Actions<typeof style> = {
  list: () =>
    Effect.gen(function* () {
      const { styleRules } = yield* TranslateClient.TranslateClient
      const styles = Chunk.toReadonlyArray(yield* Stream.runCollect(styleRules.stream()))
      if (styles.length === 0) yield* Output.note("There are no styles.")
      yield* Output.result(
        { styleRules: styles },
        styles.length === 0
          ? ""
          : text.table(
              ["id", "name", "into", "version", "changed"],
              styles.map(({ language, name, styleId, updatedTime, version }) => [
                styleId,
                name,
                language,
                version,
                updatedTime && DateTime.formatIsoDateUtc(updatedTime)
              ])
            )
      )
    }).pipe(Effect.provide(service.client)),

  show: ({ style }) =>
    Effect.gen(function* () {
      const found = yield* find(style)
      yield* Output.result(found, describe(found))
    }).pipe(Effect.provide(service.client)),

  create: ({ from, instructions, name, rules, to }) =>
    Effect.gen(function* () {
      const { styleRules } = yield* TranslateClient.TranslateClient
      const customInstructions = yield* instructionsOf(instructions)
      const created = yield* styleRules
        .create({
          name,
          // The client refuses other languages.
          language: to as Language,
          configuredRules: yield* rulesOf(rules),
          customInstructions: customInstructions.map((instruction) => ({
            ...instruction,
            sourceLanguage: from
          }))
        })
        .pipe(Effect.catchTag("InvalidRequest", inOptions))
      yield* Output.result(created, created.styleId)
      yield* Output.note(`Created ${created.name}, for translations into ${created.language ?? to}.`)
    }).pipe(Effect.provide(service.client)),

  update: (input) =>
    Effect.gen(function* () {
      const { from, name } = input
      const { styleRules } = yield* TranslateClient.TranslateClient
      const rules = yield* rulesOf(input.rules)
      const instructions = yield* instructionsOf(input.instructions)
      if (name === undefined && rules === undefined && instructions.length + input.remove.length === 0) {
        return yield* usage("Name a change: --name, --rules, --instruction or --remove.")
      }
      const style = yield* find(input.style)
      const { styleId } = style
      const removed = yield* toRemove(style, input.remove)
      const changes = Effect.gen(function* () {
        if (name !== undefined) yield* styleRules.rename(styleId, name)
        if (rules !== undefined) yield* styleRules.replaceConfiguredRules(styleId, rules)
        yield* Effect.forEach(removed, ({ id }) => styleRules.deleteInstruction(styleId, id))
        yield* Effect.forEach(instructions, (instruction) => {
          const known = withLabel(style, instruction.label)
          return known === undefined || removed.includes(known)
            ? styleRules.createInstruction(styleId, { ...instruction, sourceLanguage: from })
            : styleRules.replaceInstruction(styleId, known.id, {
                ...instruction,
                sourceLanguage: from ?? known.sourceLanguage ?? null
              })
        })
      })
      yield* Effect.catchTag(changes, "InvalidRequest", inOptions)
      const changed = yield* styleRules.get(styleId)
      yield* Output.result(changed, describe(changed))
    }).pipe(Effect.provide(service.client)),

  delete: ({ styles, yes }) =>
    Effect.gen(function* () {
      const { styleRules } = yield* TranslateClient.TranslateClient
      const found = yield* Effect.forEach([...new Set(styles)], find)
      yield* confirm(`Delete ${found.map(({ name }) => name).join(", ")} for good?`, { yes })
      yield* Effect.forEach(found, ({ styleId }) => styleRules.delete(styleId))
      yield* Output.result(
        { deleted: found.map(({ name, styleId }) => ({ styleId, name })) },
        found.map(({ name }) => `Deleted ${name}.`).join("\n")
      )
    }).pipe(Effect.provide(service.client))
}
