/**
 * Style rule lists: predefined rules and custom instructions that translations into a language follow.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Schema from "effect/Schema"
import * as AnswerLimit from "./AnswerLimit.js"
import * as CustomInstruction from "./CustomInstruction.js"
import * as checks from "./internal/checks.js"
import * as catalogue from "./internal/styleCatalogue.js"
import { created } from "./internal/successStatus.js"
import * as time from "./internal/time.js"
import * as wire from "./internal/wire.js"
import * as LanguageCode from "./LanguageCode.js"
import * as Limits from "./Limits.js"

const languages = ["de", "en", "es", "fr", "it", "ja", "ko", "zh"] as const

/**
 * The languages that a style rule list may apply to. Each stands for its variants too.
 *
 * Source: service specification, Resources, "Style rule list".
 *
 * @since 0.1.0
 * @category models
 */
export type Language = (typeof languages)[number]

const Language = Schema.transform(
  Schema.String,
  Schema.String.pipe(
    Schema.filter((code) =>
      (languages as ReadonlyArray<string>).includes(LanguageCode.canonical(code))
        ? true
        : `must be ${languages.join(", ")}: style rule lists exist for these languages, which cover their variants`
    )
  ),
  { strict: true, decode: LanguageCode.canonical, encode: LanguageCode.canonical }
).annotations({ jsonSchema: { type: "string", enum: languages } }) as unknown as Schema.Schema<
  Language,
  string
>

/**
 * The predefined rules of a list: category, rule, option. The names are those of the service. The
 * specification names only some of them, and there will be new ones, so any category, rule and option is accepted.
 *
 * Source: service specification, Resources, "Style rule list", configured_rules.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ConfiguredRules = catalogue.configuredRules.annotations({ identifier: "ConfiguredRules" })

/**
 * The predefined rules of a list: category, rule, option.
 *
 * @since 0.1.0
 * @category models
 */
export interface ConfiguredRules extends Schema.Schema.Type<typeof ConfiguredRules> {}

const summary = {
  /** The id that `styleId` of a translation takes. */
  styleId: wire.required(Schema.String, "style_id"),
  /** Empty if the answer leaves it out. */
  name: wire.defaulted(Schema.String, "name", () => ""),
  creationTime: wire.hint(time.Utc, "creation_time"),
  updatedTime: wire.hint(time.Utc, "updated_time"),
  /** The target language that it applies to. */
  language: wire.hint(wire.open(...languages), "language"),
  /** 1 on creation; each modification adds 1. */
  version: wire.hint(Schema.Number, "version")
}

const answeredRules = catalogue.answeredRules.annotations({ identifier: "ConfiguredRules" })
const customInstructions = wire.items(CustomInstruction.CustomInstruction)

/**
 * A style rule list. Rules and instructions are empty if the answer leaves them out.
 *
 * Source: service specification, Resources, "Style rule list".
 *
 * @since 0.1.0
 * @category schemas
 */
export const StyleRuleList = wire.named("StyleRuleList", {
  ...summary,
  configuredRules: wire.defaulted(answeredRules, "configured_rules", () => ({})),
  customInstructions: wire.defaulted(customInstructions, "custom_instructions", () => [])
})

/**
 * A style rule list.
 *
 * @since 0.1.0
 * @category models
 */
export interface StyleRuleList extends Schema.Schema.Type<typeof StyleRuleList> {}

/**
 * A style rule list as an item of the listing, with rules and instructions only if `detailed` was asked for.
 *
 * Source: service specification, Resources, "Style rule list".
 *
 * @since 0.1.0
 * @category schemas
 */
export const StyleRuleListItem = wire.named("StyleRuleListItem", {
  ...summary,
  configuredRules: wire.hint(answeredRules, "configured_rules"),
  customInstructions: wire.hint(customInstructions, "custom_instructions")
})

/**
 * A style rule list as an item of the listing.
 *
 * @since 0.1.0
 * @category models
 */
export interface StyleRuleListItem extends Schema.Schema.Type<typeof StyleRuleListItem> {}

/**
 * A page of style rule lists.
 *
 * @since 0.1.0
 * @category schemas
 */
export const StyleRuleListPage = Schema.Struct({
  styleRules: wire.required(Schema.Array(StyleRuleListItem), "style_rules")
}).annotations({ identifier: "StyleRuleListPage" })

/**
 * A page of style rule lists.
 *
 * @since 0.1.0
 * @category models
 */
export interface StyleRuleListPage extends Schema.Schema.Type<typeof StyleRuleListPage> {}

/**
 * The answer to a new instruction: the whole list, as the specification says, or the instruction itself.
 *
 * Source: service specification, Endpoints, Style rules; wire facts, "What the public service of this shape does".
 *
 * @since 0.1.0
 * @category schemas
 */
export const InstructionCreated = Schema.Union(
  created(StyleRuleList),
  created(CustomInstruction.CustomInstruction)
)

/**
 * The answer to a new instruction: the whole list, or the instruction itself.
 *
 * @since 0.1.0
 * @category models
 */
export type InstructionCreated = typeof InstructionCreated.Type

const name = checks.text(Limits.styleRuleListNameCharacters, "shorten it")

/**
 * The problem of the number of custom instructions in a list, if there is one. The limit may change with plan tiers.
 *
 * Source: service specification, Limits, "Custom instructions per style rule list".
 *
 * @since 0.1.0
 * @category guards
 */
export const instructionsProblem = (instructions: ReadonlyArray<unknown> = []): string | undefined => {
  const problem = checks.atMost(Limits.styleRuleListCustomInstructions, "merge or drop some")(instructions)
  return problem === true ? undefined : problem
}

/**
 * A new style rule list.
 *
 * Source: service specification, Endpoints, Style rules.
 *
 * @since 0.1.0
 * @category schemas
 */
export const NewStyleRuleList = Schema.Struct({
  /** The name, up to 1024 characters. */
  name,
  /** The target language that it applies to; any casing. */
  language: Language,
  /** @default none */
  configuredRules: wire.optional(ConfiguredRules, "configured_rules"),
  /** Up to 200. @default none */
  customInstructions: wire.optional(
    checks.listUpTo(CustomInstruction.NewInstruction, Limits.styleRuleListCustomInstructions),
    "custom_instructions"
  )
}).annotations({ ...wire.strict, identifier: "NewStyleRuleList" })

/**
 * A new style rule list.
 *
 * @since 0.1.0
 * @category models
 */
export interface NewStyleRuleList extends Schema.Schema.Type<typeof NewStyleRuleList> {}

/**
 * Which page of the listing, and how much of each list.
 *
 * Source: service specification, Endpoints, Style rules.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Page = Schema.Struct({
  /** Adds rules and instructions to each list. @default false */
  detailed: Schema.optional(Schema.BooleanFromString),
  /** The number of the page, from 0. @default 0 */
  page: Schema.optional(wire.whole(0)),
  /** The number of lists on a page, 1 to 25. @default 10 */
  pageSize: wire.optional(
    wire.whole(Limits.styleRuleListPageSize.min, Limits.styleRuleListPageSize.max),
    "page_size"
  )
}).annotations(wire.strict)

/**
 * Which page of the listing, and how much of each list.
 *
 * @since 0.1.0
 * @category models
 */
export interface Page extends Schema.Schema.Type<typeof Page> {}

const inList = Schema.Struct({ styleId: wire.pathId("style_id") })

const inInstruction = Schema.Struct({
  styleId: wire.pathId("style_id"),
  instructionId: wire.pathId("instruction_id")
})

/**
 * `POST /v3/style_rules`.
 *
 * Source: service specification, Endpoints, Style rules; wire facts, Style rules.
 *
 * @since 0.1.0
 * @category contract
 */
export const create = HttpApiEndpoint.post("create", "/v3/style_rules")
  .setPayload(NewStyleRuleList)
  .addSuccess(created(StyleRuleList))

/**
 * `GET /v3/style_rules`.
 *
 * Source: service specification, Endpoints, Style rules.
 *
 * @since 0.1.0
 * @category contract
 */
export const list = HttpApiEndpoint.get("list", "/v3/style_rules")
  .annotate(AnswerLimit.AnswerLimit, AnswerLimit.ofLists)
  .setUrlParams(Page)
  .addSuccess(StyleRuleListPage)

/**
 * The endpoints of style rules.
 *
 * @since 0.1.0
 * @category contract
 */
export const group = HttpApiGroup.make("styleRules")
  .add(create)
  .add(list)
  .add(HttpApiEndpoint.get("get", "/v3/style_rules/:style_id").setPath(inList).addSuccess(StyleRuleList))
  .add(
    HttpApiEndpoint.patch("rename", "/v3/style_rules/:style_id")
      .setPath(inList)
      .setPayload(Schema.Struct({ name }).annotations(wire.strict))
      .addSuccess(StyleRuleList)
  )
  .add(
    HttpApiEndpoint.put("replaceConfiguredRules", "/v3/style_rules/:style_id/configured_rules")
      .setPath(inList)
      .setPayload(ConfiguredRules)
      .addSuccess(StyleRuleList)
  )
  .add(HttpApiEndpoint.del("delete", "/v3/style_rules/:style_id").setPath(inList))
  .add(
    HttpApiEndpoint.post("createInstruction", "/v3/style_rules/:style_id/custom_instructions")
      .setPath(inList)
      .setPayload(CustomInstruction.NewInstruction)
      .addSuccess(InstructionCreated)
  )
  .add(
    HttpApiEndpoint.get("getInstruction", "/v3/style_rules/:style_id/custom_instructions/:instruction_id")
      .setPath(inInstruction)
      .addSuccess(CustomInstruction.CustomInstruction)
  )
  .add(
    HttpApiEndpoint.put("replaceInstruction", "/v3/style_rules/:style_id/custom_instructions/:instruction_id")
      .setPath(inInstruction)
      .setPayload(CustomInstruction.Replacement)
      .addSuccess(CustomInstruction.CustomInstruction)
  )
  .add(
    HttpApiEndpoint.del(
      "deleteInstruction",
      "/v3/style_rules/:style_id/custom_instructions/:instruction_id"
    ).setPath(inInstruction)
  )
