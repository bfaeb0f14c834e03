import * as JSONSchema from "effect/JSONSchema"
import * as Schema from "effect/Schema"
import * as wire from "./wire.js"

/** Values of a record may be undefined, as those of optional fields. */
const orUndefined = <A, I>(schema: Schema.Schema<A, I>, jsonSchema: object) =>
  Schema.UndefinedOr(schema).annotations({ jsonSchema })

const Option = Schema.String.annotations({ message: () => "must be the name of an option" })

const anyRule = { key: Schema.String, value: orUndefined(Option, { type: "string" }) }

const Category = Schema.Record(anyRule).annotations({
  message: () => "must be an object of rules and their options"
})

const anyCategory = {
  key: Schema.String,
  value: orUndefined(Category, { type: "object", additionalProperties: { type: "string" } })
}

const category = <Known extends Schema.Struct.Fields>(known: Known) =>
  Schema.optional(Schema.Struct(known, anyRule))

const option = <const Known extends string>(...known: ReadonlyArray<Known>) =>
  Schema.optional(wire.open(...known))

/** The rules that the specification names; all others are accepted too. */
const known = Schema.Struct(
  {
    dates_and_times: category({ calendar_era: option("use_bc_and_ad") }),
    formatting: category({}),
    numbers: category({}),
    punctuation: category({
      periods_in_academic_degrees: option("do_not_use"),
      apostrophe: option("use_curly_apostrophes")
    }),
    spelling_and_grammar: category({}),
    style_and_tone: category({
      abbreviations: option("use_abbreviations_and_symbols"),
      short_vs_long_words: option("use_short_words")
    }),
    vocabulary: category({})
  },
  anyCategory
)

/** Category, rule, option. */
export interface ConfiguredRules extends Schema.Schema.Type<typeof known> {}

/** At run time a record, which checks each value once. The struct would check twice; its known names matter only to types. */
const rules = (categories: {
  readonly key: typeof Schema.String
  readonly value: Schema.Schema.AnyNoContext
}) =>
  Schema.Record(categories).annotations({
    message: () => "must be an object of categories, rules and their options",
    jsonSchema: JSONSchema.make(known),
    parseOptions: { errors: "all" }
  }) as unknown as Schema.Schema<ConfiguredRules>

/** The rules of a request. */
export const configuredRules = rules(anyCategory)

/** The rules of an answer, where an unreadable value is undefined. */
export const answeredRules = rules({
  ...anyCategory,
  value: wire.lenient(Schema.Record({ ...anyRule, value: wire.lenient(anyRule.value) }))
})
