/**
 * Makes a glossary of the service equal to local dictionaries, in the fewest calls.
 *
 * @since 0.1.0
 */

import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as ParseResult from "effect/ParseResult"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
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
import * as glossaryVersions from "./internal/glossaryVersions.js"

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
  /** Not given: it is none of a project. @default undefined */
  readonly project?: undefined
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
  /** Not given: it is none of a project. @default undefined */
  readonly project?: undefined
}

/**
 * A version of a project's glossary. Its name holds the project and a hash of all terms, and it never changes: other terms are another version,
 * so that no two projects share one, and no two runs of a project with other terms. A version is kept until its lease ends, which a run extends
 * while it is open; versions whose leases have ended an hour ago are deleted.
 *
 * @since 0.1.0
 * @category models
 */
export interface ProjectOptions extends Omit<CommonOptions, "prune"> {
  /** The identity of the project: 8 to 64 letters and digits that no other project of the account has. */
  readonly project: string
  /** The words that the name begins with, for people. @default "glossary" */
  readonly label?: string | undefined
  /** The time for which a version is kept at least. @default 1 day */
  readonly lease?: Duration.DurationInput | undefined
  /** Not given: the name is made of the label, the project and the terms. @default undefined */
  readonly name?: undefined
  /** Not given: the version is found by its name. @default undefined */
  readonly glossaryId?: undefined
  /** Not given: a version has these dictionaries alone. @default undefined */
  readonly prune?: undefined
}

/**
 * Which glossary to change, and the dictionaries that it gets.
 *
 * @since 0.1.0
 * @category models
 */
export type Options = NamedOptions | IdentifiedOptions | ProjectOptions

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
  dictionaries: Schema.Array(Change),
  /** The ids of the versions of the project that are deleted, as their leases have ended. */
  deleted: Schema.Array(Schema.String)
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

const projectViolations = (options: Options): ReadonlyArray<Violation.Violation> =>
  options.project === undefined ? [] : glossaryVersions.violationsOf(options)

/** Fails with all that the service would refuse. */
const check = (
  desired: typeof Desired.Type,
  own: ReadonlyArray<Violation.Violation>
): Effect.Effect<void, InvalidGlossary> => {
  const violations = [
    ...own,
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

interface Found {
  readonly found: Glossary.Glossary | undefined
  /** The desired name. */
  readonly name: string
  /** The ids of the versions of a project that can be deleted. */
  readonly ended?: ReadonlyArray<string> | undefined
}

/** The glossary, if there is one, and its desired name. */
const find = (
  glossaries: Glossaries,
  options: Options
): Effect.Effect<Found, AmbiguousGlossary | TranslateError.CallError> => {
  const { glossaryId, name, project } = options
  if (glossaryId !== undefined) {
    return Effect.map(glossaries.get(glossaryId), (found) => ({ found, name: name ?? found.name }))
  }
  return project === undefined
    ? Effect.flatMap(glossaries.list, (all) => onlyNamed(all, name))
    : Effect.zipWith(glossaries.list, DateTime.now, (all, now) => glossaryVersions.find(all, options, now))
}

/** The plan for a glossary. A version of a project that somebody has changed is left, and made anew. */
const planOf = (
  desired: glossaryChanges.Desired,
  actual: glossaryChanges.Actual | undefined,
  options: Options
): glossaryChanges.Plan => {
  const plan = glossaryChanges.make(desired, actual, options)
  return options.project !== undefined && plan.changes.some(({ action }) => action !== "none")
    ? glossaryChanges.make(desired, undefined)
    : plan
}

/** Deletes a version of a project, unless somebody has done so. */
const deleteVersion = (glossaries: Glossaries, glossaryId: string) =>
  Effect.catchTag(glossaries.delete(glossaryId), "NotFound", () => Effect.void)

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
 * one that is found keeps its id. Of a project, a version that has these terms is taken, or else made. A dictionary that is equal takes no call that writes, any other one takes one:
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
    const named = options.project === undefined ? options.name : options.label
    yield* check({ name: named, dictionaries }, projectViolations(options))
    const { glossaries } = yield* TranslateClient.TranslateClient
    const { ended = [], found, name } = yield* find(glossaries, options)
    const keys = new Set(dictionaries.map(glossaryChanges.keyOf))
    const actual = found && { ...found, dictionaries: yield* readEntries(glossaries, found, keys) }
    const { changes, created, operations, renamed } = planOf({ name, dictionaries }, actual, options)
    const isDry = options.dryRun === true
    // First, as an account has a limited number of glossaries.
    if (!isDry) yield* Effect.forEach(ended, (id) => deleteVersion(glossaries, id), { discard: true })
    const ids = isDry ? [] : yield* Effect.forEach(operations, execute(glossaries))
    return {
      glossaryId: created ? ids[0] : found?.glossaryId,
      created,
      renamed,
      reads:
        1 +
        (found?.dictionaries.filter((dictionary) => keys.has(glossaryChanges.keyOf(dictionary))).length ?? 0),
      writes: operations.length + ended.length,
      dictionaries: changes,
      deleted: ended
    }
  })

/**
 * Makes a version of a project's glossary, as {@link sync}, and extends its lease until the scope is closed. So it is kept for a run that takes
 * longer than the lease.
 *
 * @since 0.1.0
 * @category constructors
 */
export const hold: (
  options: ProjectOptions
) => Effect.Effect<
  Report,
  GlossarySyncError | TranslateError.CallError,
  TranslateClient.TranslateClient | Scope.Scope
> = Effect.fn("GlossarySync.hold")(function* (options) {
  const report = yield* sync(options)
  const { glossaryId } = report
  const { glossaries } = yield* TranslateClient.TranslateClient
  if (glossaryId === undefined) return report
  const third = Duration.times(Duration.decode(options.lease ?? "1 day"), 1 / 3)
  const extend = Effect.flatMap(DateTime.now, (now) =>
    glossaries.update(glossaryId, { name: glossaryVersions.nameOf(options, now) })
  )
  // A lease that could not be extended may be so the next time.
  yield* Effect.forkScoped(Effect.repeat(Effect.delay(Effect.ignore(extend), third), Schedule.forever))
  return report
})
