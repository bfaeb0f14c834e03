/** A file that is read at any place as a source of a job: translations go into new columns, of one output or of one for each language. */
import * as Path from "@effect/platform/Path"
import * as Arr from "effect/Array"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Mailbox from "effect/Mailbox"
import * as Stream from "effect/Stream"
import * as LanguageCode from "../../api/LanguageCode.js"
import type { Columnar, Table } from "../../format/Columnar.js"
import type * as Format from "../../format/Format.js"
import { canonicalJson, hash } from "../../internal/hash.js"
import type * as Outcome from "../../stream/Outcome.js"
import * as Targets from "../../stream/Targets.js"
import type { FileSourceError } from "../FileSourceError.js"
import type * as JobSource from "../JobSource.js"
import * as bytesTranslation from "./bytesTranslation.js"
import type { Made } from "./fileState.js"
import * as halting from "./halting.js"
import * as localFile from "./localFile.js"
import * as outputs from "./outputFiles.js"
import * as partTranslation from "./partTranslation.js"
import * as limiting from "./pilotLimit.js"
import * as sampling from "./sampling.js"
import {
  type Estimate,
  type Forecasting,
  isJobStopped,
  type SourceForecast,
  type Translation,
  type Written
} from "./sourceContract.js"
import * as sourceFile from "./sourceFile.js"
import * as upToDate from "./upToDate.js"

/** A format that is known to be read so. */
export type ColumnarFormat = Format.Format & { readonly columnar: Columnar }

/** How a file is found, and its outputs. */
export interface Given {
  readonly options: JobSource.FileOptions
  readonly outputs: outputs.Options
  readonly format: ColumnarFormat
}

type ReadError = Effect.Effect.Error<localFile.LocalFile["check"]>

type OwnTable = Table<ReadError, never>

type Ending = bytesTranslation.Ending<ReadError>

/** An output, and the languages of which it gets columns, by their places among those of the job. */
interface Group {
  readonly output: outputs.Output
  readonly languages: ReadonlyArray<number>
}

/** What is remembered of an output is so of all languages in it. */
const severalLanguages = "mul"

const readingOf = ({ format, options }: Given): bytesTranslation.Reading => ({
  failed: options.failed,
  file: { file: options.path, maxFileBytes: options.maxFileBytes, useContext: options.useContext },
  format
})

/** The outputs. Languages whose outputs have the same name are columns of one. */
const find = ({ format, options, outputs: given }: Given, targets: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const info = yield* sourceFile.infoOf(options.path)
    const byName = new Map<string, Array<number>>()
    targets.map(LanguageCode.canonical).forEach((target, index) => {
      const name = given.outputOf(target)
      byName.set(name, [...(byName.get(name) ?? []), index])
    })
    return yield* Effect.forEach(byName.values(), (languages) => {
      const target = LanguageCode.canonical(targets[languages[0]!]!)
      return Effect.map(
        outputs.find(target, info, format, given, severalLanguages),
        ({ output }): Group => ({ output, languages })
      )
    })
  })

const openFor = (
  { format, options }: Given,
  file: localFile.LocalFile,
  targets: ReadonlyArray<string>
): Effect.Effect<OwnTable, ReadError | Format.FormatError> =>
  format.columnar.open(file, { file: options.path, targets: targets.map(LanguageCode.canonical) })

/** All parts, row group by row group. */
const partsOf = (table: OwnTable) =>
  Stream.flatMap(Stream.fromIterable([...table.groups.keys()]), (group) => table.parts(group))

export const check = (given: Given, targets: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { resolve } = yield* Path.Path
    const groups = yield* find(given, targets)
    yield* Effect.forEach(groups, ({ output }) => outputs.check(output, given.format, given.outputs))
    yield* Effect.flatMap(localFile.open(given.options.path), (file) => openFor(given, file, targets))
    return [...new Set([resolve(given.options.path), ...groups.map(({ output }) => output.path)])]
  }).pipe(Effect.scoped)

/** What an output is made of: all of its languages. */
const ingredientsOf = (given: Given, translations: ReadonlyArray<Pick<Translation, "options">>) =>
  Effect.map(
    Effect.forEach(translations, ({ options }) =>
      upToDate.ingredientsOf(bytesTranslation.optionsOf(readingOf(given), options), given.options)
    ),
    (all): upToDate.Ingredients => {
      const targets = translations.map(({ options }) => LanguageCode.canonical(options.targetLang))
      const together = (of: (one: upToDate.Ingredients) => string | undefined) =>
        all.some((one) => of(one) === undefined)
          ? undefined
          : hash(canonicalJson([targets, ...all.map((one) => of(one)!)]))
      return {
        options: together(({ options }) => options)!,
        settings: together(({ settings }) => settings),
        corrections: together(({ corrections }) => corrections)
      }
    }
  )

/** What each output is made of, and what is remembered of those of which all is up to date. */
const knownOf = (given: Given, groups: ReadonlyArray<Group>, asked: (language: number) => upToDate.Asked) =>
  Effect.flatMap(Effect.cached(sourceFile.hashOf(given.options.path)), (hashOfSource) =>
    Effect.forEach(groups, (group) =>
      Effect.gen(function* () {
        const all = group.languages.map(asked)
        const ingredients = yield* ingredientsOf(given, all)
        const made = yield* upToDate.find(group.output, all[0]!, ingredients, hashOfSource)
        return { ...group, ingredients, made, hashOfSource }
      }).pipe(Effect.either)
    )
  )

type Known = Either.Either.Right<Effect.Effect.Success<ReturnType<typeof knownOf>>[number]>

/** A language on its way into its output. */
const makeLanguage = (given: Given, translation: Translation, table: OwnTable) =>
  Effect.gen(function* () {
    const watched = upToDate.watch(translation)
    const mailbox = yield* Mailbox.make<Format.Part, Ending>(256)
    let told: { readonly ended: () => Ending | undefined; readonly isWhole: () => boolean } | undefined
    return {
      targetLang: translation.options.targetLang,
      watched,
      mailbox,
      ended: () => told?.ended(),
      isWhole: () => told?.isWhole() === true,
      /** Translates parts until there are no more, or nobody wants them. */
      translate: (decoded: Stream.Stream<Format.Part, ReadError | Format.FormatError>) => {
        const { parts, ...rest } = bytesTranslation.translatedParts(
          readingOf(given),
          watched.translation,
          decoded,
          partsOf(table)
        )
        told = rest
        return Stream.runForEachChunk(parts, (chunk) =>
          Effect.flatMap(mailbox.offerAll(chunk), (left) =>
            Chunk.isEmpty(left) ? Effect.void : Effect.interrupt
          )
        ).pipe(
          Effect.exit,
          Effect.flatMap((exit) => mailbox.done(exit))
        )
      }
    }
  })

type Language = Effect.Effect.Success<ReturnType<typeof makeLanguage>>

/** Gives a draft the name of its output, and says what became of each of its languages. */
const publish = (
  { hashOfSource, ingredients, output }: Known,
  languages: ReadonlyArray<Language>,
  draft: outputs.Draft,
  partial: boolean
) =>
  Effect.gen(function* () {
    const written = { output: output.name, stale: [] }
    const isWhole = languages.every((language) => language.isWhole())
    if (!isWhole && !partial)
      return languages.map(() => ({ ...written, state: "withheld" }) satisfies Written)
    const source = isWhole ? yield* hashOfSource : undefined
    const all = languages.map(({ watched }) =>
      watched.made(source, ingredients, { byPersons: undefined, stale: [] }, false)
    )
    const isSame = all.every((made) => canonicalJson(made ?? null) === canonicalJson(all[0] ?? null))
    const made: Made | undefined = isSame ? all[0] : undefined
    const state = yield* outputs.publish(output, draft, { made })
    return languages.map(() => ({ ...written, state: isWhole ? state : "partial" }) satisfies Written)
  })

type Result = Either.Either<Written, FileSourceError | Outcome.StreamError | Ending>

/** What became of the languages of an output. One that has failed withholds the others. */
const resultsOf = (
  output: outputs.Output,
  languages: ReadonlyArray<Language>,
  written: Either.Either<ReadonlyArray<Written>, FileSourceError | Ending>
): ReadonlyArray<Result> =>
  languages.map((language, index): Result => {
    const ended = language.ended()
    if (ended !== undefined && !(Either.isRight(written) && isJobStopped(ended))) return Either.left(ended)
    if (Either.isRight(written)) return Either.right(written.right[index]!)
    const isOfOther = languages.some((other) => other.ended() === written.left)
    return isOfOther
      ? Either.right({ output: output.name, stale: [], state: "withheld" })
      : Either.left(written.left)
  })

/** Translates a file into outputs that are not up to date. */
const translateInto = (
  given: Given,
  file: localFile.LocalFile,
  groups: ReadonlyArray<Known>,
  translations: ReadonlyArray<Translation>
) =>
  Effect.gen(function* () {
    const jobs = yield* Effect.forEach(groups, (group) =>
      Effect.gen(function* () {
        const own = group.languages.map((index) => translations[index]!)
        const table = yield* openFor(
          given,
          file,
          own.map(({ options }) => options.targetLang)
        )
        const languages = yield* Effect.forEach(own, (translation) => makeLanguage(given, translation, table))
        const bytes = table.encode(
          languages.map(({ mailbox, targetLang }) => ({
            targetLang: LanguageCode.canonical(targetLang),
            parts: Mailbox.toStream(mailbox)
          }))
        )
        const draft = yield* outputs
          .draft(group.output, bytes)
          .pipe(
            Effect.either,
            Effect.ensuring(Effect.forEach(languages, ({ mailbox }) => mailbox.shutdown)),
            Effect.forkScoped
          )
        return { group, table, languages, draft, partial: own[0]!.partial }
      })
    )
    const all = jobs.flatMap(({ languages }) => languages)
    const [job] = jobs
    if (job === undefined) return []
    let broken: Stream.Stream<never, ReadError | Format.FormatError> = Stream.empty
    const parts = partsOf(job.table).pipe(
      // What was written meanwhile is not damaged.
      Stream.catchAll((error) => Stream.fromEffect(Effect.zipRight(file.check, Effect.fail(error)))),
      Stream.catchAll((error) => {
        broken = Stream.fail(error)
        return Stream.empty
      }),
      (parts) => halting.ending(parts, translations[0]?.halted)
    )
    yield* Targets.run(
      parts,
      all.map(({ targetLang }) => targetLang),
      (targetLang) => (parts) =>
        all
          .find((language) => language.targetLang === targetLang)!
          .translate(
            Stream.concat(
              parts,
              Stream.suspend(() => broken)
            )
          )
    )
    const drafts = yield* Effect.forEach(jobs, ({ draft }) => Fiber.join(draft))
    yield* file.check
    return yield* Effect.forEach(jobs, ({ group, languages, partial }, index) =>
      Effect.map(
        Effect.either(Effect.flatMap(drafts[index]!, (draft) => publish(group, languages, draft, partial))),
        (written) => resultsOf(group.output, languages, written)
      )
    )
  })

export const translate = (given: Given, translations: ReadonlyArray<Translation>) =>
  Effect.gen(function* () {
    const file = yield* localFile.open(given.options.path)
    const groups = yield* find(
      given,
      translations.map(({ options }) => options.targetLang)
    )
    yield* Effect.forEach(groups, ({ output }) => outputs.check(output, given.format, given.outputs))
    const known = yield* knownOf(given, groups, (index) => translations[index]!)
    const left = Arr.getRights(known).filter(({ made }) => made === undefined)
    const translated = yield* translateInto(given, file, left, translations)
    const results: Array<Result> = []
    for (const [place, group] of groups.entries()) {
      const found = known[place]!
      const written = Either.isRight(found) ? translated[left.indexOf(found.right)] : undefined
      for (const [column, index] of group.languages.entries()) {
        const made = Either.isRight(found) ? found.right.made : undefined
        if (made !== undefined) yield* upToDate.tell(translations[index]!, made)
        results[index] =
          written?.[column] ??
          Either.map(found, () => ({ output: group.output.name, state: "unchanged", stale: [] }))
      }
    }
    return results
  }).pipe(Effect.scoped)

/** Forecasts those languages whose outputs are not up to date, as `estimate` does. */
const forecastWith = <E, R>(
  given: Given,
  { options: all, ...asked }: Forecasting,
  estimate: (table: OwnTable, left: Forecasting) => Effect.Effect<Estimate, E, R>
) =>
  Effect.gen(function* () {
    const targets = all.map(({ targetLang }) => targetLang)
    const file = yield* localFile.open(given.options.path)
    const table = yield* openFor(given, file, targets)
    const groups = yield* find(given, targets)
    const known = yield* Effect.all(
      yield* knownOf(given, groups, (index) => ({ ...asked, options: all[index]! }))
    )
    const left = known.flatMap(({ languages, made }) => (made === undefined ? languages : []))
    const { forecasts, isExact } =
      left.length === 0
        ? { forecasts: [], isExact: true }
        : yield* estimate(table, { ...asked, options: left.map((index) => all[index]!) })
    const found: Array<SourceForecast> = []
    for (const { languages, made } of known) {
      for (const index of languages) {
        found[index] =
          made === undefined ? forecasts[left.indexOf(index)]! : upToDate.forecast(all[index]!, made)
      }
    }
    return { forecasts: found, isExact } satisfies Estimate
  }).pipe(Effect.scoped)

const forecastParts = (
  given: Given,
  parts: Stream.Stream<Format.Part, ReadError | Format.FormatError>,
  { limit, options }: Forecasting
) =>
  Targets.run(
    parts,
    options.map(({ targetLang }) => targetLang),
    (targetLang) => (parts) =>
      partTranslation.forecast(
        Stream.map(parts, limiting.make(limit).limit),
        bytesTranslation.optionsOf(readingOf(given), options.find((one) => one.targetLang === targetLang)!)
      )
  ).pipe(Effect.flatMap((results) => Effect.all(results.map(({ result }) => result))))

const forecastAll = (given: Given) => (table: OwnTable, forecasting: Forecasting) =>
  Effect.map(forecastParts(given, partsOf(table), forecasting), (forecasts) => ({ forecasts, isExact: true }))

export const forecast = (given: Given, forecasting: Forecasting) =>
  Effect.map(forecastWith(given, forecasting, forecastAll(given)), ({ forecasts }) => forecasts)

/** The estimate of a file from the beginning of its first row group that is not empty. */
const estimateFrom = (given: Given) => (table: OwnTable, forecasting: Forecasting) =>
  Effect.gen(function* () {
    const { groups } = table
    const bytes = groups.reduce((sum, group) => sum + group.bytes, 0)
    const rows = groups.reduce((sum, group) => sum + group.rows, 0)
    const first = groups.findIndex((group) => group.rows > 0)
    const sampleRows = Math.ceil((rows * sampling.sampleBytes) / Math.max(1, bytes))
    if (first === -1 || sampleRows >= rows) return yield* forecastAll(given)(table, forecasting)
    const sampled = Math.min(sampleRows, groups[first]!.rows)
    const { limit = Number.POSITIVE_INFINITY, ...whole } = forecasting
    const forecasts = yield* forecastParts(given, table.parts(first, sampled), whole)
    return forecasts.some(({ in: texts }) => texts > 0)
      ? { forecasts: forecasts.map((one) => sampling.scaled(one, rows / sampled, limit)), isExact: false }
      : yield* forecastAll(given)(table, forecasting)
  })

export const estimate = (given: Given, forecasting: Forecasting) =>
  forecastWith(given, forecasting, estimateFrom(given))
