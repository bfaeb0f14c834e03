/**
 * The parts of glossaries and style rule lists that translations depend on. A program that only translates reads them by these schemas: those of
 * `Glossary` and `StyleRule` would add 7 kB to it.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as AnswerLimit from "./AnswerLimit.js"
import * as wire from "./internal/wire.js"

const pair = {
  sourceLang: wire.required(Schema.String, "source_lang"),
  targetLang: wire.required(Schema.String, "target_lang")
}

/** Not an `HttpApiEndpoint`, which brings a router. */
const get = <P, PE, A, AE, Q = never, QE = never>(
  path: `/${string}`,
  pathSchema: Schema.Schema<P, PE>,
  successSchema: Schema.Schema<A, AE>,
  query?: Schema.Schema<Q, QE>
) => ({
  method: "GET" as const,
  path,
  annotations: Context.make(AnswerLimit.AnswerLimit, AnswerLimit.ofLists) as Context.Context<never>,
  pathSchema: Option.some(pathSchema as unknown as Schema.Schema<P, unknown>),
  urlParamsSchema: Option.fromNullable(query as unknown as Schema.Schema<Q, unknown> | undefined),
  successSchema: successSchema as unknown as Schema.Schema<A, unknown>
})

const glossaryPath = Schema.Struct({ glossaryId: wire.pathId("glossary_id") })

/**
 * `GET /v3/glossaries/{glossary_id}`: the language pairs of its dictionaries.
 *
 * @internal
 */
export const glossary = get(
  "/v3/glossaries/:glossary_id",
  glossaryPath,
  Schema.Struct({ dictionaries: Schema.optional(Schema.Array(Schema.Struct(pair))) })
)

const dictionary = Schema.Struct({ ...pair, entries: Schema.String })

/**
 * `GET /v3/glossaries/{glossary_id}/entries`: a dictionary, or a list of them, with entries as TSV.
 *
 * @internal
 */
export const entries = get(
  "/v3/glossaries/:glossary_id/entries",
  glossaryPath,
  Schema.Union(Schema.Struct({ dictionaries: Schema.Array(dictionary) }), dictionary),
  Schema.Struct(pair)
)

/**
 * `GET /v3/style_rules/{style_id}`: its language, rules and instructions as the service has them.
 *
 * @internal
 */
export const styleRules = get(
  "/v3/style_rules/:style_id",
  Schema.Struct({ styleId: wire.pathId("style_id") }),
  Schema.Struct({
    language: Schema.Unknown,
    rules: wire.optional(Schema.Unknown, "configured_rules"),
    instructions: wire.optional(Schema.Array(Schema.Object), "custom_instructions")
  })
)
