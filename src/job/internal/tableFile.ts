/** A file that is read at any place: how it is opened, its outputs, and what is remembered of them. */
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import * as LanguageCode from "../../api/LanguageCode.js"
import type { ColumnarFormat, Table } from "../../format/Columnar.js"
import type * as Format from "../../format/Format.js"
import { cachedSuccess } from "../../internal/cachedSuccess.js"
import { canonicalJson, hash } from "../../internal/hash.js"
import * as Address from "../../storage/Address.js"
import { SourceChanged } from "../FileSourceError.js"
import type * as JobSource from "../JobSource.js"
import * as bytesTranslation from "./bytesTranslation.js"
import * as outputs from "./outputFiles.js"
import type { Translation } from "./sourceContract.js"
import * as sourceFile from "./sourceFile.js"
import * as upToDate from "./upToDate.js"

/** How a file is read. */
export interface Source {
  readonly options: Pick<JobSource.FileOptions, "failed" | "maxFileBytes" | "path" | "useContext" | "version">
  readonly format: ColumnarFormat
}

/** How a file is read, and its outputs. */
export interface Given extends Source {
  readonly options: JobSource.FileOptions
  readonly outputs: outputs.Options
}

export type ReadError = Effect.Effect.Error<sourceFile.OpenedFile["check"]>

export type OwnTable = Table<ReadError, never>

export type Ending = bytesTranslation.Ending<ReadError>

/** An output, and the languages of which it gets columns, by their places among those of the job. */
export interface Group {
  readonly output: outputs.Output
  readonly languages: ReadonlyArray<number>
}

/** What is remembered of an output is so of all languages in it. */
const severalLanguages = "mul"

export const readingOf = ({ format, options }: Source): bytesTranslation.Reading => ({
  failed: options.failed,
  file: {
    file: Address.shown(options.path),
    maxFileBytes: options.maxFileBytes,
    useContext: options.useContext
  },
  format
})

/** The outputs. Languages whose outputs have the same name are columns of one. */
export const find = (
  { format, outputs: given }: Omit<Given, "options">,
  targets: ReadonlyArray<string>,
  info: outputs.Info | undefined
) =>
  Effect.gen(function* () {
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

/** How much of the end of a file is read once: its footer as a rule, and of a small file all. */
const tailBytes = 65_536

/** Opens a file, of which all bytes must be there that it says are there. */
export const open = ({ path, version }: Source["options"]) =>
  Effect.map(sourceFile.openAt(path, version), (file): sourceFile.OpenedFile => {
    const read = (start: number, end: number) =>
      Effect.filterOrFail(
        file.read(start, end),
        ({ length }) => length === end - start,
        () => new SourceChanged({ path: Address.shown(path) })
      )
    const tailStart = Math.max(0, file.size - tailBytes)
    const tail = cachedSuccess(read(tailStart, file.size))
    return {
      ...file,
      read: (start, end) =>
        start < tailStart
          ? read(start, end)
          : Effect.map(tail, (bytes) => bytes.subarray(start - tailStart, end - tailStart)),
      bytes: tailStart === 0 ? Stream.fromEffect(tail) : file.bytes
    }
  })

export const openFor = (
  { format, options }: Source,
  file: sourceFile.OpenedFile,
  targets: ReadonlyArray<string>
): Effect.Effect<OwnTable, ReadError | Format.FormatError> =>
  format.columnar.open(file, {
    file: Address.shown(options.path),
    targets: targets.map(LanguageCode.canonical)
  })

/** All parts, row group by row group, or those of some row groups. */
export const partsOf = (table: OwnTable, from = 0, end = table.groups.length) =>
  Stream.flatMap(Stream.fromIterable(Array.from(table.groups.keys()).slice(from, end)), (group) =>
    table.parts(group)
  )

/** A hash of what all languages of an output have; `undefined` if one has none. */
export const hashOfAll = (targets: ReadonlyArray<string>, hashes: ReadonlyArray<string | undefined>) =>
  hashes.includes(undefined) ? undefined : hash(canonicalJson([targets, ...hashes]))

/** What an output is made of: all of its languages. */
const ingredientsOf = (given: Given, translations: ReadonlyArray<Pick<Translation, "options">>) =>
  Effect.map(
    Effect.forEach(translations, ({ options }) =>
      upToDate.ingredientsOf(bytesTranslation.optionsOf(readingOf(given), options), given.options)
    ),
    (all): upToDate.Ingredients => {
      const targets = translations.map(({ options }) => LanguageCode.canonical(options.targetLang))
      const together = (of: (one: upToDate.Ingredients) => string | undefined) =>
        hashOfAll(targets, all.map(of))
      return {
        options: together(({ options }) => options)!,
        settings: together(({ settings }) => settings),
        corrections: together(({ corrections }) => corrections)
      }
    }
  )

/** What each output is made of, and what is remembered of those of which all is up to date. */
export const knownOf = (
  given: Given,
  file: sourceFile.OpenedFile,
  groups: ReadonlyArray<Group>,
  asked: (language: number) => upToDate.Asked
) =>
  Effect.flatMap(Effect.cached(sourceFile.digestOfOpened(given.options.path, file)), (digestOfSource) =>
    Effect.forEach(groups, (group) =>
      Effect.gen(function* () {
        const all = group.languages.map(asked)
        const ingredients = yield* ingredientsOf(given, all)
        const made = yield* upToDate.find(group.output, all[0]!, ingredients, digestOfSource)
        return { ...group, ingredients, made, digestOfSource }
      }).pipe(Effect.either)
    )
  )

export type Known = Either.Either.Right<Effect.Effect.Success<ReturnType<typeof knownOf>>[number]>
