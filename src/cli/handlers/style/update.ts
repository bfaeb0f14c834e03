import * as Effect from "effect/Effect"
import type * as StyleRules from "../../../client/StyleRules.js"
import * as TranslateClient from "../../../client/TranslateClient.js"
import type { UpdateInput } from "../../commands/style.js"
import { Usage } from "../../failure.js"
import { Output } from "../../output.js"
import * as service from "../../service.js"
import { describe, find, inOptions, instructionsOf, rulesOf } from "./styles.js"

/** The instruction of a label. */
const withLabel = (style: StyleRules.StyleRuleListItem, label: string) =>
  style.customInstructions?.find((instruction) => instruction.label === label)

const toRemove = (style: StyleRules.StyleRuleListItem, labels: ReadonlyArray<string>) =>
  Effect.forEach(labels, (label) => {
    const found = withLabel(style, label)
    return found === undefined
      ? new Usage({ message: `--remove ${label}: ${style.name} has no instruction of that label.` })
      : Effect.succeed(found)
  })

export const handle = (input: UpdateInput) =>
  Effect.gen(function* () {
    const { from, name } = input
    const { result } = yield* Output
    const { styleRules } = yield* TranslateClient.TranslateClient
    const rules = yield* rulesOf(input.rules)
    const instructions = yield* instructionsOf(input.instructions)
    if (name === undefined && rules === undefined && instructions.length + input.remove.length === 0) {
      return yield* new Usage({ message: "Say what to change: --name, --rules, --instruction or --remove." })
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
    yield* result(changed, describe(changed))
  }).pipe(Effect.provide(service.client))
