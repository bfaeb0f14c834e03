/**
 * The style rule lists of the account.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type * as CustomInstruction from "../api/CustomInstruction.js"
import type * as StyleRule from "../api/StyleRule.js"
import type * as TranslateError from "./TranslateError.js"

/**
 * What to stream of the style rule lists.
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
 * sent; where the tier is not told, the service answers `Unauthorized`. A list or an instruction that does not exist is
 * `NotFound`.
 *
 * @since 0.1.0
 * @category models
 */
export interface StyleRules {
  /**
   * Makes a list: `POST /v3/style_rules`. It is not sent again if it may have arrived.
   *
   * Source: service specification, Endpoints, Style rules.
   */
  readonly create: (
    list: StyleRule.NewStyleRuleList
  ) => Effect.Effect<StyleRule.StyleRuleList, TranslateError.TranslateError>
  /**
   * A page of all lists: `GET /v3/style_rules`. Rules and instructions are left out unless `detailed` is set.
   *
   * Source: service specification, Endpoints, Style rules.
   */
  readonly list: (
    page?: StyleRule.Page
  ) => Effect.Effect<StyleRule.StyleRuleListPage, TranslateError.TranslateError>
  /** All lists, page after page. Rules and instructions are left out unless `detailed` is set. */
  readonly stream: (
    options?: StreamOptions
  ) => Stream.Stream<StyleRule.StyleRuleListItem, TranslateError.TranslateError>
  /**
   * A list with its rules and instructions: `GET /v3/style_rules/{style_id}`.
   *
   * Source: service specification, Endpoints, Style rules.
   */
  readonly get: (styleId: string) => Effect.Effect<StyleRule.StyleRuleList, TranslateError.TranslateError>
  /**
   * Changes the name of a list, up to 1024 characters: `PATCH /v3/style_rules/{style_id}`.
   *
   * Source: service specification, Endpoints, Style rules.
   */
  readonly rename: (
    styleId: string,
    name: string
  ) => Effect.Effect<StyleRule.StyleRuleList, TranslateError.TranslateError>
  /**
   * Replaces all configured rules of a list: `PUT /v3/style_rules/{style_id}/configured_rules`. Rules that are not
   * given are gone; instructions stay.
   *
   * Source: service specification, Endpoints, Style rules.
   */
  readonly replaceConfiguredRules: (
    styleId: string,
    rules: StyleRule.ConfiguredRules
  ) => Effect.Effect<StyleRule.StyleRuleList, TranslateError.TranslateError>
  /**
   * Deletes a list for good: `DELETE /v3/style_rules/{style_id}`.
   *
   * Source: service specification, Endpoints, Style rules.
   */
  readonly delete: (styleId: string) => Effect.Effect<void, TranslateError.TranslateError>
  /**
   * Adds an instruction to a list and answers the whole list, the new id in it:
   * `POST /v3/style_rules/{style_id}/custom_instructions`. It is not sent again if it may have arrived. A list holds up to
   * 200; beyond that the service answers `BadRequest`.
   *
   * Source: service specification, Endpoints, Style rules.
   */
  readonly createInstruction: (
    styleId: string,
    instruction: CustomInstruction.NewInstruction
  ) => Effect.Effect<StyleRule.StyleRuleList, TranslateError.TranslateError>
  /**
   * An instruction: `GET /v3/style_rules/{style_id}/custom_instructions/{instruction_id}`.
   *
   * Source: service specification, Endpoints, Style rules.
   */
  readonly getInstruction: (
    styleId: string,
    instructionId: string
  ) => Effect.Effect<CustomInstruction.CustomInstruction, TranslateError.TranslateError>
  /**
   * Replaces an instruction, its id aside: `PUT /v3/style_rules/{style_id}/custom_instructions/{instruction_id}`. All
   * fields have to be given; a `sourceLanguage` of `null` is sent as such and means none.
   *
   * Source: service specification, Endpoints, Style rules.
   */
  readonly replaceInstruction: (
    styleId: string,
    instructionId: string,
    instruction: CustomInstruction.Replacement
  ) => Effect.Effect<CustomInstruction.CustomInstruction, TranslateError.TranslateError>
  /**
   * Deletes an instruction for good: `DELETE /v3/style_rules/{style_id}/custom_instructions/{instruction_id}`.
   *
   * Source: service specification, Endpoints, Style rules.
   */
  readonly deleteInstruction: (
    styleId: string,
    instructionId: string
  ) => Effect.Effect<void, TranslateError.TranslateError>
}
