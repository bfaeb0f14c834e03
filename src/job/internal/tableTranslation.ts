/** Texts of a file that is read at any place on their way into its outputs. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Mailbox from "effect/Mailbox"
import * as Stream from "effect/Stream"
import * as LanguageCode from "../../api/LanguageCode.js"
import type * as Format from "../../format/Format.js"
import { canonicalJson } from "../../internal/hash.js"
import type * as Outcome from "../../stream/Outcome.js"
import * as Targets from "../../stream/Targets.js"
import type { FileSourceError } from "../FileSourceError.js"
import * as bytesTranslation from "./bytesTranslation.js"
import type { Made } from "./fileState.js"
import * as halting from "./halting.js"
import * as outputs from "./outputFiles.js"
import { isJobStopped, type Translation, type Written } from "./sourceContract.js"
import type * as sourceFile from "./sourceFile.js"
import {
  type Ending,
  type Given,
  type Known,
  type OwnTable,
  openFor,
  partsOf,
  type ReadError,
  readingOf
} from "./tableFile.js"
import * as upToDate from "./upToDate.js"

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
  { digestOfSource, ingredients, output }: Known,
  languages: ReadonlyArray<Language>,
  draft: outputs.Draft,
  partial: boolean
) =>
  Effect.gen(function* () {
    const written = { output: output.name, stale: [] }
    const isWhole = languages.every((language) => language.isWhole())
    if (!isWhole && !partial)
      return languages.map(() => ({ ...written, state: "withheld" }) satisfies Written)
    const source = isWhole ? yield* digestOfSource : undefined
    const all = languages.map(({ watched }) =>
      watched.made(source, ingredients, { byPersons: undefined, stale: [] }, false)
    )
    const isSame = all.every((made) => canonicalJson(made ?? null) === canonicalJson(all[0] ?? null))
    const made: Made | undefined = isSame ? all[0] : undefined
    const state = yield* outputs.publish(output, draft, { made })
    return languages.map(() => ({ ...written, state: isWhole ? state : "partial" }) satisfies Written)
  })

export type Result = Either.Either<Written, FileSourceError | Outcome.StreamError | Ending>

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
export const translateInto = (
  given: Given,
  file: sourceFile.OpenedFile,
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
