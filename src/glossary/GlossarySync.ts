/**
 * Makes a glossary of the service equal to local dictionaries, in the fewest calls.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as ParseResult from "effect/ParseResult"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Glossary from "../api/Glossary.js"
import * as GlossaryEntries from "../api/GlossaryEntries.js"
import * as Violation from "../api/Violation.js"
import type { Glossaries } from "../client/Glossaries.js"
import * as TranslateClient from "../client/TranslateClient.js"
import type * as TranslateError from "../client/TranslateError.js"
import * as GlossaryPlan from "./GlossaryPlan.js"
import { keyOf, pairOf } from "./internal/pair.js"

/**
 * The mark by which errors of this module are known.
 *
 * @since 0.1.0
 * @category type ids
 */
export const TypeId: unique symbol = Symbol.for("effect-translate/GlossarySync")

/**
 * The type of the mark by which errors of this module are known.
 *
 * @since 0.1.0
 * @category type ids
 */
export type TypeId = typeof TypeId

/**
 * What was asked for is no glossary that the service takes. Nothing was called.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidGlossary extends Schema.TaggedError<InvalidGlossary>("effect-translate/InvalidGlossary")(
  "InvalidGlossary",
  {
    /** Every rule that it breaks. */
    violations: Schema.Array(Violation.Violation)
  }
) {
  /**
   * @since 0.1.0
   */
  readonly [TypeId]: TypeId = TypeId
  override get message(): string {
    return `The glossary was not synchronised: ${Violation.format(this.violations)}`
  }
}

/**
 * Several glossaries have the name. Nothing was changed.
 *
 * @since 0.1.0
 * @category errors
 */
export class AmbiguousGlossary extends Schema.TaggedError<AmbiguousGlossary>(
  "effect-translate/AmbiguousGlossary"
)("AmbiguousGlossary", {
  name: Schema.String,
  /** The ids of those that have the name. */
  glossaryIds: Schema.Array(Schema.String)
}) {
  /**
   * @since 0.1.0
   */
  readonly [TypeId]: TypeId = TypeId
  override get message(): string {
    return `${this.glossaryIds.length} glossaries are named ${JSON.stringify(this.name)}: say which by "glossaryId", one of ${this.glossaryIds.join(", ")}`
  }
}

/**
 * Every error of this module.
 *
 * @since 0.1.0
 * @category errors
 */
export type GlossarySyncError = InvalidGlossary | AmbiguousGlossary

/**
 * Whether a value is an error of this module.
 *
 * @since 0.1.0
 * @category guards
 */
export const isGlossarySyncError = (u: unknown): u is GlossarySyncError => Predicate.hasProperty(u, TypeId)

/**
 * What every synchronisation takes.
 *
 * @since 0.1.0
 * @category models
 */
export interface CommonOptions extends GlossaryPlan.Options {
  /** One or more dictionaries of different language pairs, each with at least one entry. */
  readonly dictionaries: ReadonlyArray<GlossaryPlan.Dictionary>
  /** Whether only to report what would be done: nothing is changed. @default false */
  readonly dryRun?: boolean | undefined
}

/**
 * A glossary that is found by its name, and created if there is none.
 *
 * @since 0.1.0
 * @category models
 */
export interface NamedOptions extends CommonOptions {
  /** Its name: at most 1024 bytes of UTF-8. */
  readonly name: string
  /** None: it is found by its name. @default undefined */
  readonly glossaryId?: undefined
}

/**
 * A glossary that exists, by its id.
 *
 * @since 0.1.0
 * @category models
 */
export interface IdentifiedOptions extends CommonOptions {
  /** Its id. */
  readonly glossaryId: string
  /** The name that it gets: at most 1024 bytes of UTF-8. @default the name it has */
  readonly name?: string | undefined
}

/**
 * Which glossary, and what it shall hold.
 *
 * @since 0.1.0
 * @category models
 */
export type Options = NamedOptions | IdentifiedOptions

/**
 * What was done; in a dry run, what would be.
 *
 * @since 0.1.0
 * @category models
 */
export interface Report {
  /** The id; a glossary that a dry run would create has none. */
  readonly glossaryId: string | undefined
  /** Whether the glossary is new. */
  readonly created: boolean
  /** Whether it gets another name. */
  readonly renamed: boolean
  /** Calls that read. They are made in a dry run, too. */
  readonly reads: number
  /** Calls that change something. */
  readonly writes: number
  /** What becomes of each dictionary. */
  readonly dictionaries: ReadonlyArray<GlossaryPlan.Change>
}

const rules = Glossary.CreateRequest.fields

const Desired = Schema.typeSchema(
  Schema.Struct({ name: Schema.optional(rules.name), dictionaries: rules.dictionaries })
)

const violationsOf = (
  checked: Either.Either<unknown, ParseResult.ParseError>,
  field = ""
): ReadonlyArray<Violation.Violation> =>
  Either.match(checked, { onLeft: ({ issue }) => Violation.fromIssue(issue, field), onRight: () => [] })

const entriesViolations = (entries: GlossaryEntries.GlossaryEntries, field: string) =>
  entries.length === 0
    ? [{ field, rule: "is empty: leave out a dictionary that shall be deleted" }]
    : violationsOf(Schema.encodeEither(GlossaryEntries.Tsv)(entries), field)

/** All that the service would refuse, before the first call. */
const check = (desired: typeof Desired.Type): Effect.Effect<void, InvalidGlossary> => {
  const violations = [
    ...violationsOf(Schema.validateEither(Desired, { errors: "all" })(desired)),
    ...desired.dictionaries.flatMap(({ entries }, index) =>
      entriesViolations(entries, `dictionaries[${index}].entries`)
    )
  ]
  return violations.length === 0 ? Effect.void : Effect.fail(new InvalidGlossary({ violations }))
}

const only = (glossaries: ReadonlyArray<Glossary.Glossary>, name: string) => {
  const [found, ...others] = glossaries.filter((glossary) => glossary.name === name)
  return found === undefined || others.length === 0
    ? Effect.succeed({ found, name })
    : Effect.fail(
        new AmbiguousGlossary({ name, glossaryIds: [found, ...others].map(({ glossaryId }) => glossaryId) })
      )
}

/** The glossary, if there is one, and the name that it shall have. */
const find = (glossaries: Glossaries, { glossaryId, name }: Options) =>
  glossaryId === undefined
    ? Effect.flatMap(glossaries.list, (all) => only(all, name))
    : Effect.map(glossaries.get(glossaryId), (found) => ({ found, name: name ?? found.name }))

/** The entries of the dictionaries that are to be compared: a call for each. */
const read = (glossaries: Glossaries, glossary: Glossary.Glossary, keys: ReadonlySet<string>) =>
  Effect.forEach(
    glossary.dictionaries,
    (dictionary): Effect.Effect<GlossaryPlan.ActualDictionary, TranslateError.TranslateError> =>
      keys.has(keyOf(dictionary))
        ? glossaries.entries(glossary.glossaryId, pairOf(dictionary))
        : Effect.succeed(dictionary)
  )

/** Carries an operation out, and answers the glossary's id. */
const carryOut = (glossaries: Glossaries) =>
  GlossaryPlan.Operation.$match({
    Create: ({ request }) => Effect.map(glossaries.create(request), ({ glossaryId }) => glossaryId),
    Update: ({ changes, glossaryId }) => Effect.as(glossaries.update(glossaryId, changes), glossaryId),
    Put: ({ dictionary, glossaryId }) =>
      Effect.as(glossaries.replaceDictionary(glossaryId, dictionary), glossaryId),
    Delete: ({ glossaryId, pair }) => Effect.as(glossaries.deleteDictionary(glossaryId, pair), glossaryId)
  })

/**
 * Makes a glossary equal to the given dictionaries, in the fewest calls (see `GlossaryPlan.make`): none that writes if it
 * is equal already. A glossary that is named and not found is created. It keeps its id.
 *
 * Reading takes one call, and one for each dictionary that is on both sides. If a call fails, those before it stay done;
 * the same synchronisation again does the rest. What others write to the glossary meanwhile is not seen.
 *
 * Source: service specification, Endpoints, Glossaries (v3).
 *
 * @since 0.1.0
 * @category constructors
 */
export const sync: (
  options: Options
) => Effect.Effect<
  Report,
  GlossarySyncError | TranslateError.TranslateError,
  TranslateClient.TranslateClient
> = Effect.fn("GlossarySync.sync")(function* (options) {
  const dictionaries = options.dictionaries.map(({ entries, ...pair }) => ({ ...pairOf(pair), entries }))
  yield* check({ name: options.name, dictionaries })
  const { glossaries } = yield* TranslateClient.TranslateClient
  const { found, name } = yield* find(glossaries, options)
  const keys = new Set(dictionaries.map(keyOf))
  const actual = found && { ...found, dictionaries: yield* read(glossaries, found, keys) }
  const { changes, created, operations, renamed } = GlossaryPlan.make({ name, dictionaries }, actual, options)
  const ids = options.dryRun === true ? [] : yield* Effect.forEach(operations, carryOut(glossaries))
  return {
    glossaryId: found?.glossaryId ?? ids[0],
    created,
    renamed,
    reads: 1 + (found?.dictionaries.filter((dictionary) => keys.has(keyOf(dictionary))).length ?? 0),
    writes: operations.length,
    dictionaries: changes
  }
})
