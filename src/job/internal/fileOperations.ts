/** The operations of a file and its outputs: those that are up to date are told of, and the others made. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Arr from "effect/Array"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as LanguageCode from "../../api/LanguageCode.js"
import type * as Translator from "../../client/Translator.js"
import type { Format } from "../../format/Format.js"
import type * as Outcome from "../../stream/Outcome.js"
import type { ReadError } from "../FileSourceError.js"
import type {
  Estimate,
  Forecasting,
  JobSource,
  JobStopped,
  NamedLanguage,
  SourceForecast,
  TargetOptions,
  Translation,
  Written
} from "./contract.js"
import type { FileError } from "./fileReading.js"
import type { JudgedUnit } from "./findings.js"
import * as outputs from "./outputFiles.js"
import * as recordFiles from "./recordFiles.js"
import * as upToDate from "./upToDate.js"

/** The result of a language. */
type Result = Either.Either<Written, FileError | Outcome.StreamError | JobStopped>

type Needs = FileSystem.FileSystem | Path.Path | Translator.Translator

type Work<A, E = FileError> = Effect.Effect<A, E, Needs | Scope.Scope>

/** A file to read, from its beginning or at any place. Results and forecasts are those of the languages of the outputs in turn. */
export interface SourceFile {
  readonly find: (targets: ReadonlyArray<NamedLanguage>) => Work<ReadonlyArray<outputs.Found>>
  /** Fails if it can't go into the languages. */
  readonly check?: (targets: ReadonlyArray<NamedLanguage>) => Work<unknown>
  /** The version of its bytes, which is found once. */
  readonly digest: Effect.Effect<string, ReadError, FileSystem.FileSystem>
  readonly ingredientsOf: (
    targets: ReadonlyArray<Pick<TargetOptions, "options">>
  ) => Work<upToDate.Ingredients, Outcome.StreamError>
  readonly translate: (
    outdated: ReadonlyArray<upToDate.Known>,
    translations: ReadonlyArray<Translation>
  ) => Work<ReadonlyArray<Result>>
  readonly forecast: (
    outdated: ReadonlyArray<upToDate.Known>,
    forecasting: Forecasting
  ) => Work<ReadonlyArray<SourceForecast>, FileError | Outcome.StreamError>
  readonly estimate: (
    forecasting: Forecasting,
    all: Work<Estimate, FileError | Outcome.StreamError>
  ) => Work<Estimate, FileError | Outcome.StreamError>
}

/** The units that look wrong in the language of an output as it is, or that a check has not looked at. */
export type Look = (
  output: outputs.Found,
  translation: TargetOptions
) => Stream.Stream<JudgedUnit, FileError | Outcome.StreamError, FileSystem.FileSystem>

/** The ingredients of each output, and the state of those that are up to date in all languages. */
const knownOf = (
  { digest, ingredientsOf }: SourceFile,
  found: ReadonlyArray<outputs.Found>,
  asked: ReadonlyArray<upToDate.Asked>
) =>
  Effect.forEach(found, (one) => {
    const own = one.languages.map((index) => asked[index]!)
    return ingredientsOf(own).pipe(
      Effect.flatMap((ingredients) =>
        Effect.map(
          upToDate.find(one.output, own[0]!, ingredients, digest),
          (known): upToDate.Known => ({ ...one, ingredients, ...known })
        )
      ),
      Effect.either
    )
  })

/** Outputs that are not up to date, and their languages. */
const outdatedOf = (known: ReadonlyArray<upToDate.Known>) => {
  const outdated = known.filter(({ made }) => made === undefined)
  return { outdated, places: outdated.flatMap(({ languages }) => languages) }
}

/** Tells of the findings in an output that is up to date. Those of other checks than the current ones, or of another clone, are looked for. */
const tellFlagged = (
  look: Look,
  known: upToDate.Known,
  made: recordFiles.Made,
  translations: ReadonlyArray<Translation>
) =>
  Effect.gen(function* () {
    const { ingredients, output } = known
    const remembered = new upToDate.Remembered()
    for (const translation of translations) {
      const targetLang = LanguageCode.canonical(translation.options.targetLang)
      const seen: ReturnType<Look> = upToDate.isSeen(known)
        ? Stream.fromIterable(upToDate.seenIn(made.seen!, targetLang))
        : look(known, translation)
      yield* Stream.runForEachChunk(seen, (chunk) => {
        const units = Chunk.toReadonlyArray(chunk)
        for (const unit of units) remembered.add(targetLang, unit)
        return upToDate.tellJudged(translation, output, units)
      })
    }
    const seen = remembered.seen(ingredients.checks)
    if (seen === undefined || upToDate.isSeen(known)) return
    yield* recordFiles.rememberMade(output.record, output.state!, { ...made, seen })
  })

/** The results of the languages of an output that is up to date. */
const tell = (
  look: Look,
  known: upToDate.Known,
  made: recordFiles.Made,
  translations: ReadonlyArray<Translation>
): Work<ReadonlyArray<Result>> =>
  Effect.zipRight(
    tellFlagged(look, known, made, translations),
    Effect.forEach(translations, (translation) => upToDate.tell(translation, known.output, made))
  ).pipe(
    Effect.match({
      onFailure: (error): ReadonlyArray<Result> => translations.map(() => Either.left(error)),
      onSuccess: (written) => written.map((one) => Either.right(one))
    })
  )

/** The translations of these outputs, in which accepted findings count for no policy. */
const accepting = <T extends Pick<Translation, "options">>(
  outdated: ReadonlyArray<upToDate.Known>,
  translations: ReadonlyArray<T>
): ReadonlyArray<T> => {
  const outputs = new Map(
    outdated.flatMap(({ languages, output }) => languages.map((index) => [index, output]))
  )
  return translations.map((translation, index) => {
    const output = outputs.get(index)
    return output === undefined ? translation : upToDate.withAccepted(translation, output)
  })
}

const translate = (
  file: SourceFile,
  look: Look,
  found: ReadonlyArray<outputs.Found>,
  translations: ReadonlyArray<Translation>
) =>
  Effect.gen(function* () {
    const known = yield* knownOf(file, found, translations)
    const { outdated, places } = outdatedOf(Arr.getRights(known))
    yield* Effect.forEach(translations, ({ shared }, index) =>
      shared === undefined || places.includes(index) ? Effect.void : shared.leave
    )
    const translated =
      outdated.length === 0 ? [] : yield* file.translate(outdated, accepting(outdated, translations))
    const results = new Map(translated.map((result, place) => [places[place]!, result]))
    for (const [place, one] of known.entries()) {
      const { languages } = found[place]!
      const own = languages.map((index) => translations[index]!)
      if (Either.isRight(one) && one.right.made === undefined) continue
      const told = Either.isLeft(one)
        ? own.map((): Result => Either.left(one.left))
        : yield* tell(look, one.right, one.right.made!, own)
      for (const [position, index] of languages.entries()) results.set(index, told[position]!)
    }
    return translations.map((_, index) => results.get(index)!)
  })

/** Forecasts those languages whose outputs are not up to date, as `ask` does. */
const forecast = (
  file: SourceFile,
  { targets, ...asked }: Forecasting,
  ask: SourceFile["estimate"] = (_, all) => all
) =>
  Effect.gen(function* () {
    const named = targets.map(outputs.namedOf)
    yield* file.check?.(named) ?? Effect.void
    const found = yield* file.find(named)
    const wishes = targets.map((target) => ({ ...asked, ...target }))
    const known = yield* Effect.all(yield* knownOf(file, found, wishes))
    const { outdated, places } = outdatedOf(known)
    const own = accepting(outdated, targets)
    const rest = { ...asked, targets: places.map((index) => own[index]!) }
    const all = Effect.map(
      file.forecast(outdated, rest),
      (forecasts): Estimate => ({ forecasts, isExact: true })
    )
    const { forecasts, isExact } =
      outdated.length === 0 ? { forecasts: [], isExact: true } : yield* ask(rest, all)
    return {
      forecasts: targets.map(({ options }, index) => {
        const { made } = known.find(({ languages }) => languages.includes(index))!
        return made === undefined ? forecasts[places.indexOf(index)]! : upToDate.forecast(options, made)
      }),
      isExact
    } satisfies Estimate
  })

/** The operations of a source that need its format. */
export type Operations = {
  readonly [Name in "check" | "estimate" | "forecast" | "translate"]: NonNullable<
    JobSource<FileError, Needs>[Name]
  >
}

/** The operations of a file that is opened for each of them. */
export const make = (
  open: Work<SourceFile>,
  format: Format,
  given: outputs.Options,
  look: Look
): Operations => {
  const opened = <A, E>(use: (file: SourceFile) => Work<A, E>) => Effect.scoped(Effect.flatMap(open, use))
  const check = (file: SourceFile, targets: ReadonlyArray<NamedLanguage>, hasStore = true) =>
    Effect.tap(file.find(targets), (found) =>
      Effect.forEach(found, ({ output }) => outputs.check(output, format, given, hasStore), { discard: true })
    )
  return {
    check: (targets, hasStore) =>
      Effect.map(
        opened((file) =>
          Effect.zipLeft(check(file, targets, hasStore), file.check?.(targets) ?? Effect.void)
        ),
        (found) => [...new Set([given.source, ...found.map(({ output }) => output.path)])]
      ),
    translate: (translations) =>
      opened((file) =>
        Effect.flatMap(check(file, translations.map(outputs.namedOf)), (found) =>
          translate(file, look, found, translations)
        )
      ),
    forecast: (forecasting) =>
      Effect.map(
        opened((file) => forecast(file, forecasting)),
        ({ forecasts }) => forecasts
      ),
    estimate: (forecasting) => opened((file) => forecast(file, forecasting, file.estimate))
  }
}
