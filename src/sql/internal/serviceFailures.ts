/** Texts that the service has failed with: few, so their keys are kept as they are. */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { Backend, Recording } from "../../store/StoreBackend.js"
import type { Database } from "./database.js"
import { ask, type Statements } from "./statements.js"
import type { Recorder } from "./translations.js"

/** Where they are. */
export const table = ({ long, strict }: Database["dialect"]): string =>
  `CREATE TABLE effect_translate_failures (
    key TEXT NOT NULL UNIQUE,
    namespace ${long} NOT NULL,
    failures ${long} NOT NULL,
    written_at ${long} NOT NULL
  ) ${strict}`

/** True if recordings have any. */
export const areIn = (recordings: ReadonlyArray<Recording>): boolean =>
  recordings.some(({ failures = [] }) => failures.length > 0)

/** Counts failures, and forgets those of texts that have a translation now. */
export function* record(
  { database: { dialect }, namespaces }: Recorder,
  recordings: ReadonlyArray<Recording>
): Statements<void> {
  const last = new Map(
    recordings.flatMap(({ failures = [], namespace }) =>
      failures.map(
        ({ hasFailed, key }) => [key, { hasFailed, namespace: namespaces.get(namespace)! }] as const
      )
    )
  )
  const failed = Array.from(last).filter(([, { hasFailed }]) => hasFailed)
  yield* ask(`DELETE FROM effect_translate_failures WHERE key IN (SELECT value FROM ${dialect.list("$1")})`, [
    JSON.stringify(Array.from(last).flatMap(([key, { hasFailed }]) => (hasFailed ? [] : [key])))
  ])
  yield* ask(
    `INSERT INTO effect_translate_failures (key, namespace, failures, written_at)
     SELECT value ->> 0, CAST(value ->> 1 AS BIGINT), 1, ${dialect.now} FROM ${dialect.elements("$1")} WHERE true
     ON CONFLICT (key) DO UPDATE
     SET failures = effect_translate_failures.failures + 1, written_at = excluded.written_at`,
    [JSON.stringify(failed.map(([key, { namespace }]) => [key, namespace]))]
  )
}

/** Which texts of a namespace the service has failed with. */
export const make = (
  { dialect: { number }, persist, queryTexts }: Database,
  namespaces: ReadonlyMap<string, number>
): Pick<Backend, "failures"> => ({
  failures: (namespace) =>
    Effect.suspend(() =>
      Effect.map(
        persist(
          queryTexts<[key: string, failures: number, at: number]>(
            3,
            `SELECT key, ${number("failures")}, ${number("written_at")} FROM effect_translate_failures WHERE namespace = $1`,
            [namespaces.get(namespace)!]
          )
        ),
        (rows) => new Map(rows.map(([key, failures, at]) => [key, { failures, at: DateTime.unsafeMake(at) }]))
      )
    )
})
