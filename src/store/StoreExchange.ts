/**
 * The content of a store, as files: to be moved to another store, read by other tools, or corrected by a person and read
 * back.
 *
 * @since 0.1.0
 */
import * as Arr from "effect/Array"
import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { dual } from "effect/Function"
import * as Rec from "effect/Record"
import * as Stream from "effect/Stream"
import * as Csv from "../format/Csv.js"
import * as Format from "../format/Format.js"
import * as Tmx from "../format/Tmx.js"
import * as jsonLines from "./internal/exchangeJsonLines.js"
import { parseAll } from "./internal/exchangeParse.js"
import type { DecodeOptions, Item } from "./internal/exchangeRows.js"
import * as rows from "./internal/exchangeRows.js"
import * as units from "./internal/exchangeTmx.js"
import type { StoreError } from "./StoreError.js"
import { namespaceId } from "./StoreKeys.js"
import type { Correction, Entry, Service } from "./TranslationStore.js"

/**
 * Entries that are exchanged, and options of reading them.
 *
 * @since 0.1.0
 * @category models
 */
export type { DecodeOptions, Item } from "./internal/exchangeRows.js"

/**
 * A format of files with the content of a store.
 *
 * @since 0.1.0
 * @category models
 */
export interface ExchangeFormat {
  readonly name: string
  /** Endings of file names, in lower case, with their dot. */
  readonly extensions: ReadonlyArray<string>
  /**
   * Reads a file. An entry without a namespace is a person's correction, written when it is read if it has no time. Fails
   * with a `FormatError`, with line or unit and field, after the entries before the fault.
   */
  readonly decode: (
    options?: DecodeOptions
  ) => <E, R>(self: Stream.Stream<Uint8Array, E, R>) => Stream.Stream<Item, E | Format.FormatError, R>
  /**
   * Writes a file that is read back as the same. Fails with a `FormatError` at an entry that the format cannot hold, after
   * those before it.
   */
  readonly encode: <E, R>(
    self: Stream.Stream<Item, E, R>
  ) => Stream.Stream<Uint8Array, E | Format.FormatError, R>
}

/** Gives items without a time the time at which their file is read. */
const withNow = <A, E, R>(use: (now: DateTime.Utc) => Stream.Stream<A, E, R>): Stream.Stream<A, E, R> =>
  Stream.unwrap(Effect.map(DateTime.now, use))

/** The fault of a row. The columns are fixed here: there is no schema that the caller could change. */
const describe = ({ column, line, message, refused }: Csv.CsvError): string => {
  if (refused === undefined) return message
  const place = column === undefined ? `Line ${line}` : `Line ${line}, column ${JSON.stringify(column)}`
  return refused.expected === undefined
    ? `${place}: the column is missing: check its spelling and the delimiter.`
    : `${place}: expected ${refused.expected}: correct the value.`
}

const withFormatError =
  (file: string | undefined) =>
  <A, E, R>(self: Stream.Stream<A, E | Csv.CsvError, R>): Stream.Stream<A, E | Format.FormatError, R> =>
    Stream.mapError(self, (error) => {
      if (!Csv.isCsvError(error)) return error
      const { column: key, line } = error
      return new Format.FormatError({
        format: "csv",
        file,
        line,
        key,
        message: `${file ?? "csv"}: ${describe(error)}`
      })
    })

/**
 * CSV with the columns `source`, `translation`, `sourceLang`, `targetLang` and `at`, and for translations of the machine
 * `detectedSourceLanguage`, `billedCharacters`, `modelTypeUsed`, `endpoint`, `service`, `account`, `settings` and `terms`. Only the first two are
 * needed, and `targetLang` unless it is an option. A row without an endpoint is a correction.
 *
 * @since 0.1.0
 * @category codecs
 */
export const csv: ExchangeFormat = {
  name: "csv",
  extensions: [".csv"],
  decode:
    (options = {}) =>
    (self) =>
      withNow((now) => self.pipe(Csv.decode(rows.csv(options, now)), withFormatError(options.file))),
  encode: (self) => self.pipe(Csv.encode(rows.csv({}, DateTime.unsafeMake(0))), withFormatError(undefined))
}

/**
 * JSON Lines with an object for each row, whose fields are the columns of {@link csv}. It holds every text as it is, also those that CSV
 * and TMX cannot hold.
 *
 * @since 0.1.0
 * @category codecs
 */
export const jsonl: ExchangeFormat = {
  name: jsonLines.name,
  extensions: [".jsonl", ".ndjson"],
  decode:
    (options = {}) =>
    (self) =>
      withNow((now) => jsonLines.decode(self, options, now)),
  encode: jsonLines.encode
}

/**
 * TMX 1.4, for programs of translators. Each text in another language than the source's is a correction. Translations of the machine
 * have their namespaces in properties, by which they are read back as such. It cannot hold control characters.
 *
 * @since 0.1.0
 * @category codecs
 */
export const tmx: ExchangeFormat = {
  name: "tmx",
  extensions: [".tmx"],
  decode:
    (options = {}) =>
    (self) =>
      withNow((now) =>
        self.pipe(
          Tmx.decode({ file: options.file }),
          parseAll("tmx", options.file, units.fromUnit(options, now))
        )
      ),
  encode: (self) => self.pipe(Stream.map(units.toUnit), Tmx.encode({ sourceLang: "*all*" }))
}

/**
 * All corrections and translations of a store. Fails with `SourcesNotKept` after the corrections if the store keeps hashes only.
 *
 * @since 0.1.0
 * @category combinators
 */
export const exportAll: (service: Service) => Stream.Stream<Item, StoreError> = ({ corrections, entries }) =>
  Stream.concat(corrections, entries)

/**
 * The number of items of an import, by their results.
 *
 * @since 0.1.0
 * @category models
 */
export interface ImportCounts {
  /** Corrections that are new, or have replaced others. Edited translations of the machine are among them. */
  readonly corrections: number
  /** Translations of the machine that are new. */
  readonly entries: number
  /** Corrections that the store has already. */
  readonly knownCorrections: number
  /** Translations of the machine that the store has already. */
  readonly knownEntries: number
  /** Corrections that have given way to a newer one of the store. */
  readonly outdated: number
  /** Edited translations without a target language, such as those of rephrasing: there are no corrections of them. */
  readonly withoutLanguage: number
}

/** The number of items that are stored at once. */
const atOnce = 1000

const isEntry = (item: Item): item is Entry => "namespace" in item

/** The correction that a person has made of a translation of the machine, at the time of its row. */
const correctionOf = ({ at, namespace, source, translation }: Entry): ReadonlyArray<Correction> => {
  const { sourceLang, targetLang } = namespace
  return targetLang === undefined
    ? []
    : [{ source, translation: translation.text, sourceLang, targetLang, at }]
}

/** Sorts entries by the translations that a store has of the same texts and namespaces. */
const compared = (entries: ReadonlyArray<Entry>, store: Service) =>
  Effect.map(
    Effect.forEach(Object.values(Arr.groupBy(entries, ({ namespace }) => namespaceId(namespace))), (group) =>
      Effect.map(store.translated(group, group[0].namespace), (known) => Arr.zip(group, known))
    ),
    (groups) => {
      const pairs = groups.flat()
      const isEdited = ([entry, known]: (typeof pairs)[number]) =>
        known !== undefined && known.text.trim() !== entry.translation.text.trim()
      const edited = pairs.filter(isEdited).map(([entry]) => entry)
      const added = pairs.flatMap(([entry, known]) => (known === undefined ? [entry] : []))
      return { added, edited, known: entries.length - added.length - edited.length }
    }
  )

const importChunk = (items: Chunk.Chunk<Item>, store: Service): Effect.Effect<ImportCounts, StoreError> =>
  Effect.gen(function* () {
    const [corrections, entries] = Chunk.partition(items, isEntry)
    const { added, edited, known } = yield* compared(Chunk.toReadonlyArray(entries), store)
    const ofPersons = edited.flatMap(correctionOf)
    const { outdated, stored, unchanged } = yield* store.correct([...corrections, ...ofPersons])
    yield* store.add(added)
    return {
      corrections: stored,
      entries: added.length,
      knownCorrections: unchanged,
      knownEntries: known,
      outdated,
      withoutLanguage: edited.length - ofPersons.length
    }
  })

const noCounts: ImportCounts = {
  corrections: 0,
  entries: 0,
  knownCorrections: 0,
  knownEntries: 0,
  outdated: 0,
  withoutLanguage: 0
}

const sumOf = (one: ImportCounts, other: ImportCounts): ImportCounts =>
  Rec.map(noCounts, (_, kind) => one[kind] + other[kind])

/**
 * Adds items to a store, and counts them. A translation of the machine that differs from the store's is a correction, which a person has made
 * in the file. Otherwise what the store has stays, but for corrections that are older.
 *
 * @since 0.1.0
 * @category combinators
 */
export const importAll: {
  /**
   * Adds items to a store, and counts them. A translation of the machine that differs from the store's is a correction, which a person has made
   * in the file. Otherwise what the store has stays, but for corrections that are older.
   */
  (store: Service): <E, R>(self: Stream.Stream<Item, E, R>) => Effect.Effect<ImportCounts, E | StoreError, R>
  /**
   * Adds items to a store, and counts them. A translation of the machine that differs from the store's is a correction, which a person has made
   * in the file. Otherwise what the store has stays, but for corrections that are older.
   */
  <E, R>(self: Stream.Stream<Item, E, R>, store: Service): Effect.Effect<ImportCounts, E | StoreError, R>
} = dual(2, <E, R>(self: Stream.Stream<Item, E, R>, store: Service) =>
  self.pipe(
    Stream.rechunk(atOnce),
    Stream.chunks,
    Stream.mapEffect((items) => importChunk(items, store)),
    Stream.runFold(noCounts, sumOf)
  )
)
