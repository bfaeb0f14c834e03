import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as CustomInstruction from "../../api/CustomInstruction.js"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as Limits from "../../api/Limits.js"
import * as StyleRule from "../../api/StyleRule.js"
import type * as Text from "../../api/Text.js"
import * as TranslateApi from "../../api/TranslateApi.js"
import type { AccountState } from "./account.js"
import * as ids from "./ids.js"
import type { Options } from "./options.js"
import { refusal } from "./refusal.js"

type Lists = Map<string, StyleRule.StyleRuleList>

/** The style rule lists of each account. */
export class StyleRuleState {
  constructor(private readonly accounts: AccountState) {}

  /** Those of the caller, in the order of their creation. */
  readonly lists = Effect.suspend(() =>
    Effect.flatMap(this.accounts.caller, ({ account, tier }) =>
      tier === "free"
        ? refusal("Forbidden", "Style rules are available only to paid-tier subscribers")
        : Effect.succeed(account.styleRules)
    )
  )

  /** Refuses a translation into another language than its style rule list has. */
  readonly check = ({ styleId, targetLang }: Pick<Text.TranslateRequest, "styleId" | "targetLang">) =>
    Effect.gen(this, function* () {
      if (styleId === undefined) return
      const list = (yield* this.lists).get(styleId)
      if (list === undefined)
        return yield* refusal("NotFound", "There is no style rule list of this style_id")
      if (LanguageCode.base(targetLang) !== list.language) {
        return yield* refusal(
          "BadRequest",
          `The style rule list of style_id is for ${list.language}, not for target_lang ${targetLang}`
        )
      }
    })
}

const find = (lists: Lists, styleId: string) => {
  const list = lists.get(styleId)
  return list === undefined ? refusal("NotFound", "There is no such style rule list") : Effect.succeed(list)
}

const findInstruction = (list: StyleRule.StyleRuleList, id: string) => {
  const instruction = list.customInstructions.find((each) => each.id === id)
  return instruction === undefined
    ? refusal("NotFound", "There is no such custom instruction")
    : Effect.succeed(instruction)
}

const instructionOf = (
  id: string,
  { label, prompt, sourceLanguage }: CustomInstruction.NewInstruction | CustomInstruction.Replacement
): CustomInstruction.CustomInstruction => ({ id, label, prompt, sourceLanguage: sourceLanguage ?? undefined })

const summary = ({ configuredRules, customInstructions, ...rest }: StyleRule.StyleRuleList) => rest

type Change = Partial<Pick<StyleRule.StyleRuleList, "name" | "configuredRules" | "customInstructions">>

const encodeInstruction = (instruction: CustomInstruction.CustomInstruction) =>
  Effect.orDie(Schema.encode(CustomInstruction.CustomInstruction)(instruction))

/** The handlers of style rules. */
export const handlers = (state: StyleRuleState, instructionAnswer: Options["instructionAnswer"]) => {
  const list = (styleId: string) => Effect.flatMap(state.lists, (lists) => find(lists, styleId))

  /** Every modification makes a new version, even one that changes nothing. */
  const modify = (list: StyleRule.StyleRuleList, change: Change) =>
    Effect.map(Effect.all([state.lists, DateTime.now]), ([lists, updatedTime]) => {
      const modified = { ...list, ...change, updatedTime, version: (list.version ?? 0) + 1 }
      lists.set(list.styleId, modified)
      return modified
    })

  return HttpApiBuilder.group(TranslateApi.TranslateApi, "styleRules", (handlers) =>
    handlers
      .handle("create", ({ payload: { configuredRules = {}, customInstructions = [], language, name } }) =>
        Effect.gen(function* () {
          const problem = StyleRule.instructionsProblem(customInstructions)
          if (problem !== undefined) return yield* refusal("BadRequest", `custom_instructions ${problem}`)
          const lists = yield* state.lists
          const now = yield* DateTime.now
          const created: StyleRule.StyleRuleList = {
            styleId: yield* ids.make,
            name,
            creationTime: now,
            updatedTime: now,
            language,
            version: 1,
            configuredRules,
            customInstructions: yield* Effect.forEach(customInstructions, (instruction) =>
              Effect.map(ids.make, (id) => instructionOf(id, instruction))
            )
          }
          lists.set(created.styleId, created)
          return created
        })
      )
      .handle(
        "list",
        ({ urlParams: { detailed = false, page = 0, pageSize = Limits.styleRuleListPageSize.default } }) =>
          Effect.map(state.lists, (lists) => {
            const items = Array.from(lists.values()).slice(page * pageSize, (page + 1) * pageSize)
            return { styleRules: detailed ? items : items.map(summary) }
          })
      )
      .handle("get", ({ path }) => list(path.styleId))
      .handle("rename", ({ path, payload }) =>
        Effect.flatMap(list(path.styleId), (found) => modify(found, payload))
      )
      .handle("replaceConfiguredRules", ({ path, payload }) =>
        Effect.flatMap(list(path.styleId), (found) => modify(found, { configuredRules: payload }))
      )
      .handle("delete", ({ path }) =>
        Effect.flatMap(state.lists, (lists) =>
          Effect.map(find(lists, path.styleId), ({ styleId }) => void lists.delete(styleId))
        )
      )
      .handle("createInstruction", ({ path, payload }) =>
        Effect.gen(function* () {
          const found = yield* list(path.styleId)
          const limit = Limits.styleRuleListCustomInstructions
          if (found.customInstructions.length >= limit) {
            return yield* refusal(
              "BadRequest",
              `The list holds ${limit} custom instructions, the most that it may: delete one first`
            )
          }
          const added = instructionOf(yield* ids.make, payload)
          const modified = yield* modify(found, { customInstructions: [...found.customInstructions, added] })
          return instructionAnswer === "instruction"
            ? HttpServerResponse.unsafeJson(yield* encodeInstruction(added), { status: 201 })
            : modified
        })
      )
      .handle("getInstruction", ({ path }) =>
        Effect.flatMap(list(path.styleId), (found) => findInstruction(found, path.instructionId))
      )
      .handle("replaceInstruction", ({ path, payload }) =>
        Effect.gen(function* () {
          const found = yield* list(path.styleId)
          const old = yield* findInstruction(found, path.instructionId)
          const replaced = instructionOf(old.id, payload)
          yield* modify(found, {
            customInstructions: found.customInstructions.map((each) => (each === old ? replaced : each))
          })
          return replaced
        })
      )
      .handle("deleteInstruction", ({ path }) =>
        Effect.gen(function* () {
          const found = yield* list(path.styleId)
          const old = yield* findInstruction(found, path.instructionId)
          yield* modify(found, {
            customInstructions: found.customInstructions.filter((each) => each !== old)
          })
        })
      )
  )
}
