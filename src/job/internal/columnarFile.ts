/** A file that is read at any place: opening it, its outputs, their state, and the way of its texts. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Arr from "effect/Array"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Mailbox from "effect/Mailbox"
import * as Stream from "effect/Stream"
import * as LanguageCode from "../../api/LanguageCode.js"
import type * as Format from "../../format/Format.js"
import { canonicalJson, hash } from "../../internal/hash.js"
import * as Address from "../../storage/Address.js"
import type * as Outcome from "../../stream/Outcome.js"
import * as Targets from "../../stream/Targets.js"
import type { FileSourceError } from "../FileSourceError.js"
import { type OwnFile, openFor, partsOf, type ReadError, type Source } from "./columnarReading.js"
import {
  type Ending as EndingOf,
  isJobStopped,
  type NamedLanguage,
  type Translation,
  type Written
} from "./contract.js"
import type * as fileReading from "./fileReading.js"
import * as halting from "./halting.js"
import * as keptTexts from "./keptTexts.js"
import * as outputs from "./outputFiles.js"
import { optionsOf, type Reading } from "./partOptions.js"
import { translatedParts } from "./partStream.js"
import type { Made } from "./recordFiles.js"
import * as upToDate from "./upToDate.js"

/** The file to read, and its outputs. */
export interface Given extends Source {
  readonly options: fileReading.FileOptions
  readonly outputs: outputs.Options
}

type Ending = EndingOf<ReadError>

type Digest = Effect.Effect<string, ReadError, FileSystem.FileSystem>

/** The language code in the state of an output with several languages. */
export const severalLanguages = "mul"

export const readingOf = ({ format, options }: Source): Reading => ({
  failed: options.failed,
  file: Address.shown(options.path),
  maxFileBytes: options.maxFileBytes,
  useContext: options.useContext,
  isOneOfSeveral: true,
  format
})

/** The outputs. Languages whose outputs have the same name are columns of one. */
export const find = (
  { format, outputs: given }: Omit<Given, "options">,
  targets: ReadonlyArray<NamedLanguage>,
  info: outputs.Info | undefined
) =>
  Effect.gen(function* () {
    const byName = new Map<string, Array<number>>()
    targets.forEach((target, index) => {
      const name = given.outputOf(target.lang, target.name)
      byName.set(name, [...(byName.get(name) ?? []), index])
    })
    return yield* Effect.forEach(byName.values(), (languages) => {
      return Effect.map(
        outputs.find(targets[languages[0]!]!, info, format, given, severalLanguages),
        (one): outputs.Found => ({ ...one, languages })
      )
    })
  })

/** A hash of the hashes of all languages of an output; `undefined` if one has none. */
export const hashOfAll = (targets: ReadonlyArray<string>, hashes: ReadonlyArray<string | undefined>) =>
  hashes.includes(undefined) ? undefined : hash(canonicalJson([targets, ...hashes]))

/** The ingredients of an output: of all of its languages. */
export const ingredientsOf = (given: Given, translations: ReadonlyArray<Pick<Translation, "options">>) =>
  Effect.map(
    Effect.forEach(translations, ({ options }) =>
      upToDate.ingredientsOf(optionsOf(readingOf(given), options), given.options)
    ),
    (all): upToDate.Ingredients => {
      const targets = translations.map(({ options }) => LanguageCode.canonical(options.targetLang))
      const together = (of: (one: upToDate.Ingredients) => string | undefined) =>
        hashOfAll(targets, all.map(of))
      return {
        options: together(({ options }) => options)!,
        settings: together(({ settings }) => settings),
        terms: together(({ terms = "" }) => terms),
        corrections: together(({ corrections }) => corrections),
        checks: together(({ checks }) => checks),
        policies: all[0]?.policies
      }
    }
  )

/** A language on its way into its output. */
const makeLanguage = (
  given: Given,
  translation: Translation,
  columnar: OwnFile,
  corrected: keptTexts.Corrected | undefined,
  known: upToDate.Known
) =>
  Effect.gen(function* () {
    const into = keptTexts.intoParts(corrected)
    const watched = upToDate.watch(translation, known)
    const mailbox = yield* Mailbox.make<Format.Part, Ending>(256)
    let told: { readonly ended: () => Ending | undefined; readonly isWhole: () => boolean } | undefined
    return {
      targetLang: translation.options.targetLang,
      watched,
      corrected,
      mailbox,
      ended: () => told?.ended(),
      isWhole: () => told?.isWhole() === true,
      /** Translates parts until there are no more, or no output wants them. */
      translate: (decoded: Stream.Stream<Format.Part, ReadError | Format.FormatError>) => {
        const { parts, ...rest } = translatedParts(
          readingOf(given),
          watched.translation,
          into(decoded),
          into(partsOf(columnar))
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

/** The ingredients of an output, if they are the same of all of its languages, and the findings in these. */
const togetherMade = ([first, ...others]: ReadonlyArray<Made | undefined>): Made | undefined => {
  const common = (made: Made | undefined) =>
    canonicalJson(made === undefined ? null : { ...made, seen: undefined })
  if (first === undefined || others.some((made) => common(made) !== common(first))) return undefined
  const seen = [first, ...others].map((made) => made?.seen)
  return seen.every((one) => one !== undefined)
    ? {
        ...first,
        seen: {
          ...seen[0]!,
          flagged: seen.flatMap(({ flagged }) => flagged),
          faultless: seen.flatMap(({ faultless = [] }) => faultless)
        }
      }
    : { ...first, seen: undefined }
}

/** Gives a draft the name of its output, and returns the result of each of its languages. */
const publish = (
  { output }: upToDate.Known,
  digest: Digest,
  languages: ReadonlyArray<Language>,
  columnar: OwnFile,
  draft: outputs.Draft,
  partial: boolean
) =>
  Effect.gen(function* () {
    const { found, lacks } = columnar.selection
    const selection = found.length + lacks.length > 1 ? columnar.selection : undefined
    const writtenOf = ({ corrected }: Language) => ({
      output: output.name,
      stale: corrected?.stale ?? [],
      corrections: corrected?.corrections,
      deleted: corrected?.deleted,
      ...(selection && { selection })
    })
    const isWhole = languages.every((language) => language.isWhole())
    if (!isWhole && !partial)
      return languages.map((one) => ({ ...writtenOf(one), state: "withheld" }) satisfies Written)
    const source = isWhole ? yield* digest : undefined
    const all = languages.map((one) =>
      one.watched.made(source, { ...writtenOf(one), byPersons: undefined }, false)
    )
    const made = togetherMade(all)
    const lists = languages.map(({ watched }) => watched.failed())
    const failed = isWhole && lists.every((list) => list !== undefined) ? lists.flat() : undefined
    const state = yield* outputs.publish(output, draft, {
      made,
      onlyHere: keptTexts.onlyHere(languages),
      failed
    })
    return languages.map(
      (one) => ({ ...writtenOf(one), state: isWhole ? state : "partial" }) satisfies Written
    )
  })

export type Result = Either.Either<Written, FileSourceError | Outcome.StreamError | Ending>

/** The results of an output's languages. One that has failed withholds the others. */
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
export const translateInto = (
  { digest, ...given }: Given & { readonly digest: Digest },
  file: fileReading.OpenedFile,
  groups: ReadonlyArray<
    upToDate.Known & { readonly corrected: ReadonlyArray<keptTexts.Corrected | undefined> }
  >,
  translations: ReadonlyArray<Translation>
) =>
  Effect.gen(function* () {
    const jobs = yield* Effect.forEach(groups, (group) =>
      Effect.gen(function* () {
        const own = group.languages.map((index) => translations[index]!)
        const columnar = yield* openFor(given, file, own.map(outputs.namedOf))
        const languages = yield* Effect.forEach(own, (translation, index) =>
          makeLanguage(given, translation, columnar, group.corrected[index], group)
        )
        const bytes = columnar.encode(
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
        return { group, columnar, languages, draft, partial: own[0]!.partial }
      })
    )
    const all = jobs.flatMap(({ languages }) => languages)
    const [job] = jobs
    if (job === undefined) return []
    let broken: Stream.Stream<never, ReadError | Format.FormatError> = Stream.empty
    const parts = partsOf(job.columnar).pipe(
      // A change meanwhile is not damaged.
      Stream.catchAll((error) => Stream.fromEffect(Effect.zipRight(file.check, Effect.fail(error)))),
      Stream.catchAll((error) => {
        broken = Stream.fail(error)
        return Stream.empty
      }),
      (parts) => halting.interruptWhen(parts, translations[0]?.halted)
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
    return yield* Effect.forEach(jobs, ({ group, languages, partial, columnar }, index) =>
      Effect.map(
        Effect.either(
          Effect.flatMap(drafts[index]!, (draft) =>
            publish(group, digest, languages, columnar, draft, partial)
          )
        ),
        (written) => resultsOf(group.output, languages, written)
      )
    ).pipe(Effect.map(Arr.flatten))
  })
