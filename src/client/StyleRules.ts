/**
 * The style rule lists of the account.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type * as CustomInstruction from "../api/CustomInstruction.js"
import * as Limits from "../api/Limits.js"
import * as StyleRule from "../api/StyleRule.js"
import type { Endpoints, Group } from "./internal/calling/endpoints.js"
import * as pagination from "./internal/calling/pagination.js"
import { paidTier } from "./internal/checking/freeTier.js"
import * as Region from "./Region.js"
import { refuse } from "./RequestChecks.js"
import { type CallError, invalidRequest, type RepeatedPage } from "./TranslateError.js"

/**
 * The models of these calls, from the contract.
 *
 * @since 0.1.0
 * @category models
 */
export { CustomInstruction, NewInstruction, Replacement } from "../api/CustomInstruction.js"

/**
 * The models of these calls, from the contract.
 *
 * @since 0.1.0
 * @category models
 */
export {
  ConfiguredRules,
  InstructionCreated,
  type Language,
  NewStyleRuleList,
  Page,
  StyleRuleList,
  StyleRuleListItem,
  StyleRuleListPage
} from "../api/StyleRule.js"

/**
 * Options for streaming the style rule lists.
 *
 * @since 0.1.0
 * @category models
 */
export interface StreamOptions {
  /** Adds rules and instructions to each list. @default false */
  readonly detailed?: boolean | undefined
}

/**
 * The style rule lists of the account: `styleRules` of the client. They belong to the region where they were made.
 *
 * Only the paid tier has them. In a `Region` of tier "free" each of these fails with `InvalidRequest` before anything is
 * sent; if the tier is not known, the service answers `Unauthorized`. A list or an instruction that does not exist is
 * `NotFound`.
 *
 * @since 0.1.0
 * @category models
 */
export interface StyleRules {
  /**
   * Makes a list: `POST /v3/style_rules`. It is not sent again if it may have arrived. More than 200 instructions are
   * refused, unless `RequestChecks` lets them through: the limit may change with plan tiers.
   *
   * Source: service specification, Endpoints, Style rules.
   *
   * @example
   * const list = yield* client.styleRules.create({ name: "Shop", language: "de" })
   */
  readonly create: (list: StyleRule.NewStyleRuleList) => Effect.Effect<StyleRule.StyleRuleList, CallError>
  /**
   * A page of all lists: `GET /v3/style_rules`. Rules and instructions are left out unless `detailed` is set.
   *
   * Source: service specification, Endpoints, Style rules.
   *
   * @example
   * const { styleRules } = yield* client.styleRules.list({ detailed: true })
   */
  readonly list: (page?: StyleRule.Page) => Effect.Effect<StyleRule.StyleRuleListPage, CallError>
  /** All lists, page after page until one is empty. Rules and instructions are left out unless `detailed` is set. */
  readonly stream: (
    options?: StreamOptions
  ) => Stream.Stream<StyleRule.StyleRuleListItem, CallError | RepeatedPage>
  /**
   * A list with its rules and instructions: `GET /v3/style_rules/{style_id}`.
   *
   * Source: service specification, Endpoints, Style rules.
   *
   * @example
   * const found = yield* client.styleRules.get(list.styleId)
   */
  readonly get: (styleId: string) => Effect.Effect<StyleRule.StyleRuleList, CallError>
  /**
   * Changes the name of a list, up to 1024 characters: `PATCH /v3/style_rules/{style_id}`.
   *
   * Source: service specification, Endpoints, Style rules.
   *
   * @example
   * const renamed = yield* client.styleRules.rename(list.styleId, "Web shop")
   */
  readonly rename: (styleId: string, name: string) => Effect.Effect<StyleRule.StyleRuleList, CallError>
  /**
   * Replaces all configured rules of a list: `PUT /v3/style_rules/{style_id}/configured_rules`. Rules that are not
   * given are removed; instructions stay.
   *
   * Source: service specification, Endpoints, Style rules.
   *
   * @example
   * const configured = yield* client.styleRules.replaceConfiguredRules(list.styleId, {
   *   punctuation: { apostrophe: "use_curly_apostrophes" }
   * })
   */
  readonly replaceConfiguredRules: (
    styleId: string,
    rules: StyleRule.ConfiguredRules
  ) => Effect.Effect<StyleRule.StyleRuleList, CallError>
  /**
   * Deletes a list for good: `DELETE /v3/style_rules/{style_id}`.
   *
   * Source: service specification, Endpoints, Style rules.
   *
   * @example
   * yield* client.styleRules.delete(list.styleId)
   */
  readonly delete: (styleId: string) => Effect.Effect<void, CallError>
  /**
   * Adds an instruction to a list: `POST /v3/style_rules/{style_id}/custom_instructions`. The service answers with the
   * whole list or with the new instruction; only a list has a `styleId`. It is not sent again if it may have arrived. A
   * list holds up to 200; beyond that the service answers `BadRequest`.
   *
   * Source: service specification, Endpoints, Style rules; wire facts, "What the public service of this shape does".
   *
   * @example
   * yield* client.styleRules.createInstruction(list.styleId, { label: "Tone", prompt: "Stay dry." })
   * const [tone] = (yield* client.styleRules.get(list.styleId)).customInstructions
   */
  readonly createInstruction: (
    styleId: string,
    instruction: CustomInstruction.NewInstruction
  ) => Effect.Effect<StyleRule.InstructionCreated, CallError>
  /**
   * An instruction: `GET /v3/style_rules/{style_id}/custom_instructions/{instruction_id}`.
   *
   * Source: service specification, Endpoints, Style rules.
   *
   * @example
   * const instruction = yield* client.styleRules.getInstruction(list.styleId, tone!.id)
   */
  readonly getInstruction: (
    styleId: string,
    instructionId: string
  ) => Effect.Effect<CustomInstruction.CustomInstruction, CallError>
  /**
   * Replaces an instruction, its id aside: `PUT /v3/style_rules/{style_id}/custom_instructions/{instruction_id}`. All
   * fields have to be given; a `sourceLanguage` of `null` is sent as such and means none.
   *
   * Source: service specification, Endpoints, Style rules.
   *
   * @example
   * const replaced = yield* client.styleRules.replaceInstruction(list.styleId, tone!.id, {
   *   label: "Tone",
   *   prompt: "Stay friendly.",
   *   sourceLanguage: null
   * })
   */
  readonly replaceInstruction: (
    styleId: string,
    instructionId: string,
    instruction: CustomInstruction.Replacement
  ) => Effect.Effect<CustomInstruction.CustomInstruction, CallError>
  /**
   * Deletes an instruction for good: `DELETE /v3/style_rules/{style_id}/custom_instructions/{instruction_id}`.
   *
   * Source: service specification, Endpoints, Style rules.
   *
   * @example
   * yield* client.styleRules.deleteInstruction(list.styleId, tone!.id)
   */
  readonly deleteInstruction: (styleId: string, instructionId: string) => Effect.Effect<void, CallError>
}

/** The endpoints of style rules. In the free tier they refuse all requests. */
const available = ({ group, region }: Endpoints): Pick<Group<"styleRules">, "call" | "remove"> => {
  const styleRules = group("styleRules")
  if (region.tier !== "free") return styleRules
  const refuse = (name: Parameters<typeof styleRules.endpoint>[0]) => () =>
    Effect.fail(
      invalidRequest(styleRules.endpoint(name), [
        { field: "", rule: `style rules are ${paidTier}: take the base address and a key of the paid tier` }
      ])
    )
  return { call: refuse, remove: refuse }
}

interface InList<A> {
  readonly styleId: string
  readonly payload: A
}

interface InInstruction {
  readonly styleId: string
  readonly instructionId: string
}

const inList = <A>({ payload, styleId }: InList<A>) => ({ path: { styleId }, payload })

const pageSize = Limits.styleRuleListPageSize.max

/** Refuses more instructions than a list may hold. */
const refuseTooMany = (
  list: StyleRule.NewStyleRuleList,
  region: Region.Service
): Effect.Effect<void, CallError> => {
  const rule = StyleRule.instructionsProblem(list.customInstructions)
  return refuse(
    StyleRule.create,
    rule === undefined ? [] : [{ check: "limits", field: "customInstructions", rule }],
    Region.kindOf(region)
  )
}

/** @internal */
export const make = (endpoints: Endpoints): StyleRules => {
  const { call, remove } = available(endpoints)
  const create = call("create", "never", (payload: StyleRule.NewStyleRuleList) => ({ payload }))
  const list = call("list", "always", (page: StyleRule.Page) => ({ urlParams: page }))
  const rename = call("rename", "always", inList<{ readonly name: string }>)
  const replaceConfiguredRules = call("replaceConfiguredRules", "always", inList<StyleRule.ConfiguredRules>)
  const createInstruction = call("createInstruction", "never", inList<CustomInstruction.NewInstruction>)
  const getInstruction = call("getInstruction", "always", (path: InInstruction) => ({ path }))
  const replaceInstruction = call(
    "replaceInstruction",
    "always",
    ({ payload, ...path }: InInstruction & InList<CustomInstruction.Replacement>) => ({ path, payload })
  )
  const deleteInstruction = remove("deleteInstruction", (path: InInstruction) => ({ path }))
  return {
    create: (newList) => Effect.zipRight(refuseTooMany(newList, endpoints.region), create(newList)),
    list: (page = {}) => list(page),
    stream: ({ detailed } = {}) =>
      pagination.byNumber(
        StyleRule.list,
        ({ styleId }) => styleId,
        (page) => Effect.map(list({ detailed, page, pageSize }), ({ styleRules }) => ({ items: styleRules }))
      ),
    get: call("get", "always", (styleId: string) => ({ path: { styleId } })),
    rename: (styleId, name) => rename({ styleId, payload: { name } }),
    replaceConfiguredRules: (styleId, payload) => replaceConfiguredRules({ styleId, payload }),
    delete: remove("delete", (styleId: string) => ({ path: { styleId } })),
    createInstruction: (styleId, payload) => createInstruction({ styleId, payload }),
    getInstruction: (styleId, instructionId) => getInstruction({ styleId, instructionId }),
    replaceInstruction: (styleId, instructionId, payload) =>
      replaceInstruction({ styleId, instructionId, payload }),
    deleteInstruction: (styleId, instructionId) => deleteInstruction({ styleId, instructionId })
  }
}
