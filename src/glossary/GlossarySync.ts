/**
 * Makes a glossary of the service equal to local dictionaries, in the fewest calls.
 *
 * @since 0.1.0
 */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as Glossary from "../api/Glossary.js"
import * as GlossaryEntries from "../api/GlossaryEntries.js"
import * as LanguageCode from "../api/LanguageCode.js"
import * as RequestRules from "../api/RequestRules.js"
import * as Violation from "../api/Violation.js"
import type { Glossaries } from "../client/Glossaries.js"
import * as TranslateClient from "../client/TranslateClient.js"
import type * as TranslateError from "../client/TranslateError.js"
import { is, TaggedError } from "../internal/taggedError.js"
import * as glossaryChanges from "./internal/glossaryChanges.js"
import { Change, type CommonOptions, type Dictionary } from "./internal/glossaryChanges.js"

/**
 * The service would refuse the desired glossary. No call was made.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidGlossary extends TaggedError<InvalidGlossary>()(
  "InvalidGlossary",
  {
    /** Every rule of the service that it breaks. */
    violations: Schema.Array(Violation.Violation)
  },
  (self) => `The glossary was not synchronised: ${Violation.format(self.violations)}`
) {}

/**
 * Several glossaries have the name. Nothing was changed.
 *
 * @since 0.1.0
 * @category errors
 */
export class AmbiguousGlossary extends TaggedError<AmbiguousGlossary>()(
  "AmbiguousGlossary",
  {
    name: Schema.String,
    /** The ids of those that have the name. */
    glossaryIds: Schema.Array(Schema.String)
  },
  (self) =>
    `${self.glossaryIds.length} glossaries are named ${JSON.stringify(self.name)}: say which by "glossaryId", one of ${self.glossaryIds.join(", ")}`
) {}

/**
 * Every error of this module. The encoded form is JSON.
 *
 * @since 0.1.0
 * @category schemas
 */
export const GlossarySyncError = Schema.Union(InvalidGlossary, AmbiguousGlossary)

/**
 * Every error of this module.
 *
 * @since 0.1.0
 * @category errors
 */
export type GlossarySyncError = InvalidGlossary | AmbiguousGlossary

/**
 * Returns `true` for an error of this module.
 *
 * @since 0.1.0
 * @category guards
 */
export const isGlossarySyncError = is(GlossarySyncError)

/**
 * Dictionaries, and their changes.
 *
 * @since 0.1.0
 * @category models
 */
export { Change, type CommonOptions, type Dictionary } from "./internal/glossaryChanges.js"

/**
 * The entries of dictionaries for a pair of languages, source to target; `undefined` if none is for it.
 *
 * @since 0.1.0
 * @category accessors
 */
export const terms: (
  dictionaries: ReadonlyArray<Dictionary>,
  options: { readonly sourceLang: string | undefined; readonly targetLang: string }
) => ReadonlyMap<string, string> | undefined = (dictionaries, { sourceLang, targetLang }) => {
  const isOf = (own: string, asked: string) => LanguageCode.base(own) === LanguageCode.base(asked)
  const found = dictionaries.filter(
    (dictionary) =>
      isOf(dictionary.targetLang, targetLang) &&
      (sourceLang === undefined || isOf(dictionary.sourceLang, sourceLang))
  )
  return found.length === 0
    ? undefined
    : new Map(found.flatMap(({ entries }) => entries.map(({ source, target }) => [source, target])))
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
  /** Not given: the glossary is found by its name. @default undefined */
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
  /** Its new name: at most 1024 bytes of UTF-8. @default the name it has */
  readonly name?: string | undefined
}

/**
 * Which glossary to change, and the dictionaries that it gets.
 *
 * @since 0.1.0
 * @category models
 */
export type Options = NamedOptions | IdentifiedOptions

/**
 * The changes that were made; in a dry run, those that would be made. The encoded form is JSON.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Report = Schema.Struct({
  /** The id; a glossary that a dry run would create has none. */
  glossaryId: Schema.UndefinedOr(Schema.String),
  /** True if the glossary is new. */
  created: Schema.Boolean,
  /** True if it gets another name. */
  renamed: Schema.Boolean,
  /** The number of calls that read. They are made in a dry run, too. */
  reads: Schema.Number,
  /** The number of calls that change something. */
  writes: Schema.Number,
  /** The change of each dictionary: yours in their order, then the others. */
  dictionaries: Schema.Array(Change)
})

/**
 * The changes that were made; in a dry run, those that would be made.
 *
 * @since 0.1.0
 * @category models
 */
export interface Report extends Schema.Schema.Type<typeof Report> {}

const rules = Glossary.newFields

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

/** Fails with all that the service would refuse. */
const check = (desired: typeof Desired.Type): Effect.Effect<void, InvalidGlossary> => {
  const violations = [
    ...violationsOf(Schema.validateEither(Desired, { errors: "all" })(desired)),
    ...RequestRules.ofGlossary({ dictionaries: desired.dictionaries }).map(({ field, rule }) => ({
      field,
      rule
    })),
    ...desired.dictionaries.flatMap(({ entries }, index) =>
      entriesViolations(entries, `dictionaries[${index}].entries`)
    )
  ]
  return violations.length === 0 ? Effect.void : Effect.fail(new InvalidGlossary({ violations }))
}

const onlyNamed = (glossaries: ReadonlyArray<Glossary.Glossary>, name: string) => {
  const [found, ...others] = glossaries.filter((glossary) => glossary.name === name)
  return found === undefined || others.length === 0
    ? Effect.succeed({ found, name })
    : Effect.fail(
        new AmbiguousGlossary({ name, glossaryIds: [found, ...others].map(({ glossaryId }) => glossaryId) })
      )
}

/** The glossary, if there is one, and its desired name. */
const find = (glossaries: Glossaries, { glossaryId, name }: Options) =>
  glossaryId === undefined
    ? Effect.flatMap(glossaries.list, (all) => onlyNamed(all, name))
    : Effect.map(glossaries.get(glossaryId), (found) => ({ found, name: name ?? found.name }))

/** Reads the entries of the dictionaries to compare: a call for each. */
const readEntries = (glossaries: Glossaries, glossary: Glossary.Glossary, keys: ReadonlySet<string>) =>
  Effect.forEach(
    glossary.dictionaries,
    (dictionary): Effect.Effect<glossaryChanges.ActualDictionary, TranslateError.CallError> =>
      keys.has(glossaryChanges.keyOf(dictionary))
        ? glossaries.entries(glossary.glossaryId, {
            sourceLang: dictionary.sourceLang,
            targetLang: dictionary.targetLang
          })
        : Effect.succeed(dictionary)
  )

/** Makes the call of an operation, and returns the glossary's id. */
const execute = (glossaries: Glossaries) =>
  glossaryChanges.Operation.$match({
    Create: ({ request }) => Effect.map(glossaries.create(request), ({ glossaryId }) => glossaryId),
    Update: ({ changes, glossaryId }) => Effect.as(glossaries.update(glossaryId, changes), glossaryId),
    Replace: ({ dictionary, glossaryId }) =>
      Effect.as(glossaries.replaceDictionary(glossaryId, dictionary), glossaryId),
    Delete: ({ glossaryId, pair }) => Effect.as(glossaries.deleteDictionary(glossaryId, pair), glossaryId)
  })

/**
 * Makes a glossary equal to the given dictionaries, in the fewest calls. A glossary that is not found by its name is created;
 * one that is found keeps its id. A dictionary that is equal takes no call that writes, any other one takes one:
 *
 * - `PATCH` merges the added entries, if none was changed or removed and others are kept;
 * - `PUT` sends the whole dictionary otherwise;
 * - `DELETE` removes a dictionary that is not listed, unless `prune` is false.
 *
 * A new name goes with a merge. If nothing can be merged, it takes a call of its own.
 *
 * Reading takes one call, and one for each dictionary that is on both sides. If a call fails, those before it stay done, and
 * the same synchronisation again does the rest. Changes that others make to the glossary meanwhile are not noticed.
 *
 * Source: service specification, Endpoints, Glossaries (v3).
 *
 * @since 0.1.0
 * @category constructors
 */
export const sync: (
  options: Options
) => Effect.Effect<Report, GlossarySyncError | TranslateError.CallError, TranslateClient.TranslateClient> =
  Effect.fn("GlossarySync.sync")(function* (options) {
    const dictionaries = options.dictionaries.map(({ entries, ...pair }) => ({
      ...glossaryChanges.pairOf(pair),
      entries
    }))
    yield* check({ name: options.name, dictionaries })
    const { glossaries } = yield* TranslateClient.TranslateClient
    const { found, name } = yield* find(glossaries, options)
    const keys = new Set(dictionaries.map(glossaryChanges.keyOf))
    const actual = found && { ...found, dictionaries: yield* readEntries(glossaries, found, keys) }
    const { changes, created, operations, renamed } = glossaryChanges.make(
      { name, dictionaries },
      actual,
      options
    )
    const ids = options.dryRun === true ? [] : yield* Effect.forEach(operations, execute(glossaries))
    return {
      glossaryId: found?.glossaryId ?? ids[0],
      created,
      renamed,
      reads:
        1 +
        (found?.dictionaries.filter((dictionary) => keys.has(glossaryChanges.keyOf(dictionary))).length ?? 0),
      writes: operations.length,
      dictionaries: changes
    }
  })
