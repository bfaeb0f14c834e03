import type { SqlError } from "@effect/sql/SqlError"
import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Backend } from "../../store/StoreBackend.js"
import * as StoreError from "../../store/StoreError.js"
import { hashed, namespaceId } from "../../store/StoreKeys.js"
import type { Attempt, Correction, Entry, Namespace } from "../../store/TranslationStore.js"
import { attemptState } from "./attempts.js"
import type { Database } from "./database.js"
import { type KeyIndex, type Stored, storedFields } from "./keyIndex.js"
import type { Row } from "./statements.js"
import * as storedText from "./storedText.js"
import { translationOf } from "./translations.js"

/** Rows of one statement. The thread does nothing else meanwhile, and they are in memory together. */
const pageSize = 1000

type Numbered = readonly [id: number, ...Row]

/** The rows of a table in the order of their numbers, in pages. No statement is open between them. */
const rowsOf = <R extends Numbered>(
  { persist }: Database,
  page: (after: number) => Effect.Effect<ReadonlyArray<R>, SqlError>
): Stream.Stream<R, StoreError.StoreError> =>
  Stream.paginateChunkEffect(0, (after) =>
    Effect.map(persist(page(after)), (rows) => [
      Chunk.unsafeFromArray(rows),
      rows.length < pageSize ? Option.none<number>() : Option.some(rows[rows.length - 1]![0])
    ])
  )

type StoredNamespace = readonly [
  id: number,
  endpoint: string,
  service: string,
  account: string,
  sourceLang: string | null,
  targetLang: string | null,
  settings: string
]

/** All namespaces by their numbers. */
const namespacesOf = ({
  dialect: { number },
  queryTexts
}: Database): Effect.Effect<ReadonlyMap<number, Namespace>, SqlError> =>
  Effect.map(
    queryTexts<StoredNamespace>(
      7,
      `SELECT ${number("id")}, endpoint, service, account, source_lang, target_lang, settings
       FROM effect_translate_namespaces`
    ),
    (rows) =>
      new Map(
        rows.map(
          ([id, endpoint, service, account, sourceLang, targetLang, settings]): [number, Namespace] => [
            id,
            {
              endpoint,
              service,
              account,
              settings,
              sourceLang: sourceLang ?? undefined,
              targetLang: targetLang ?? undefined
            }
          ]
        )
      )
  )

/** Finds namespaces by their numbers. Those that were added after the last look are looked up again. */
export const namespaceReader = (database: Database) => {
  let known: ReadonlyMap<number, Namespace> = new Map()
  const hasAll = (ids: ReadonlyArray<number>) => ids.every((id) => known.has(id))
  return (
    ids: ReadonlyArray<number>
  ): Effect.Effect<ReadonlyMap<number, Namespace>, StoreError.StoreError> =>
    hasAll(ids)
      ? Effect.succeed(known)
      : Effect.flatMap(database.persist(namespacesOf(database)), (all) => {
          known = all
          return hasAll(ids) ? Effect.succeed(known) : new StoreError.StoreDamaged({ store: database.name })
        })
}

/** Rows of which the second field is the number of a namespace. */
const withNamespaces = <R extends readonly [id: number, namespace: number, ...Row], A>(
  database: Database,
  rows: Stream.Stream<R, StoreError.StoreError>,
  decode: (row: R, namespace: Namespace) => A
): Stream.Stream<A, StoreError.StoreError> =>
  Stream.suspend(() => {
    const namespaces = namespaceReader(database)
    return Stream.mapChunksEffect(rows, (chunk) =>
      Effect.flatMap(
        namespaces(Chunk.toReadonlyArray(Chunk.map(chunk, ([, namespace]) => namespace))),
        (known) => decoded(database, chunk, (row) => decode(row, known.get(row[1])!))
      )
    )
  })

/** Rows decoded. A time that is none is damaged. */
const decoded = <R, A>({ name }: Database, rows: Chunk.Chunk<R>, decode: (row: R) => A) =>
  Effect.try({
    try: () => Chunk.map(rows, decode),
    catch: () => new StoreError.StoreDamaged({ store: name })
  })

type StoredEntry = readonly [
  id: number,
  namespace: number,
  key: string,
  text: string | null,
  at: number,
  ...Stored
]

const entryPage =
  ({ dialect: { digitsOfKey, number }, queryTexts }: Database) =>
  (after: number) =>
    queryTexts<StoredEntry>(
      10,
      `SELECT ${number("t.id")}, ${number("t.namespace")}, ${digitsOfKey("t.key")}, t.text, ${number("t.written_at")}, ${storedFields(number)}
       FROM effect_translate_translations t WHERE t.id > $1 AND t.refused_by IS NULL ORDER BY t.id LIMIT ${pageSize}`,
      [after]
    )

const entriesOf = (database: Database, index: KeyIndex): Stream.Stream<Entry, StoreError.StoreError> =>
  withNamespaces(
    database,
    Stream.unwrap(Effect.as(database.persist(index.settled), rowsOf(database, entryPage(database)))).pipe(
      Stream.tap(([, , , text]) =>
        text === null ? new StoreError.SourcesNotKept({ store: database.name }) : Effect.void
      )
    ),
    ([, , key, text, at, ...stored], namespace) => {
      const source = storedText.decode(text ?? "")
      const terms = hashed.termsOf(key, hashed.keyOf(namespaceId(namespace), source))
      return {
        source,
        translation: translationOf(stored),
        namespace,
        ...(terms && { terms }),
        at: DateTime.unsafeMake(at)
      }
    }
  )

type StoredCorrection = readonly [
  id: number,
  text: string,
  translation: string,
  sourceLang: string,
  targetLang: string,
  at: number
]

const correctionPage =
  ({ dialect: { number }, queryTexts }: Database) =>
  (after: number) =>
    queryTexts<StoredCorrection>(
      6,
      `SELECT ${number("id")}, text, translation, source_lang, target_lang, ${number("written_at")}
       FROM effect_translate_corrections WHERE id > $1 ORDER BY id LIMIT ${pageSize}`,
      [after]
    )

const correctionOf = ([, source, translation, sourceLang, targetLang, at]: StoredCorrection): Correction => ({
  source: storedText.decode(source),
  translation: storedText.decode(translation),
  sourceLang: sourceLang === "" ? undefined : sourceLang,
  targetLang,
  at: DateTime.unsafeMake(at)
})

type StoredAttempt = readonly [
  id: number,
  namespace: number,
  attempt: string,
  owner: string,
  texts: number,
  characters: number,
  at: number,
  state: Attempt["state"]
]

const attemptPage =
  ({ dialect: { now, number }, queryTexts }: Database) =>
  (after: number) =>
    queryTexts<StoredAttempt>(
      8,
      `SELECT ${number("a.id")}, ${number("a.namespace")}, a.attempt, o.name, ${number("a.texts")},
         ${number("a.characters")}, ${number("a.written_at")}, ${attemptState(now)}
       FROM effect_translate_attempts a JOIN effect_translate_owners o ON o.id = a.owner
       WHERE a.id > $1 ORDER BY a.id LIMIT ${pageSize}`,
      [after]
    )

const attemptOf = (
  [, , id, owner, texts, characters, at, state]: StoredAttempt,
  namespace: Namespace
): Attempt => ({ id, owner, namespace, texts, characters, at: DateTime.unsafeMake(at), state })

/** All that is stored, as streams. */
export const make = (
  database: Database,
  index: KeyIndex,
  sources: boolean
): Pick<Backend, "entries" | "corrections" | "attempts"> => ({
  entries: sources
    ? entriesOf(database, index)
    : Stream.fail(new StoreError.SourcesNotKept({ store: database.name })),
  corrections: Stream.mapChunksEffect(rowsOf(database, correctionPage(database)), (rows) =>
    decoded(database, rows, correctionOf)
  ),
  attempts: withNamespaces(database, rowsOf(database, attemptPage(database)), attemptOf)
})
