/** Verdicts of checks that ask somebody, by hashes of all that they were asked about. */
import * as Effect from "effect/Effect"
import type { Backend } from "../../store/StoreBackend.js"
import type { Database } from "./database.js"
import * as storedText from "./storedText.js"

/** Where they are. */
export const table = ({ long, strict }: Database["dialect"]): string =>
  `CREATE TABLE effect_translate_verdicts (
    key TEXT NOT NULL UNIQUE,
    verdict TEXT NOT NULL,
    written_at ${long} NOT NULL
  ) ${strict}`

/** Removes those that were stored before a time, in milliseconds. */
export const prune = ({ persist, query }: Database, before: number) =>
  persist(query("DELETE FROM effect_translate_verdicts WHERE written_at < CAST($1 AS BIGINT)", [before]))

export const make = ({
  dialect: { elements, list, now },
  persist,
  query,
  queryTexts
}: Database): Pick<Backend, "judge" | "verdicts"> => ({
  verdicts: (keys) =>
    Effect.map(
      persist(
        queryTexts<[key: string, verdict: string]>(
          2,
          `SELECT v.key, v.verdict FROM ${list("$1")} CROSS JOIN effect_translate_verdicts v WHERE v.key = list.value`,
          [JSON.stringify(keys)]
        )
      ),
      (rows) => {
        const found = new Map(rows.map(([key, verdict]) => [key, storedText.decode(verdict)]))
        return keys.map((key) => found.get(key))
      }
    ),
  judge: (verdicts) =>
    Effect.asVoid(
      persist(
        query(
          `INSERT INTO effect_translate_verdicts (key, verdict, written_at)
           SELECT value ->> 0, value ->> 1, ${now} FROM ${elements("$1")} WHERE true
           ON CONFLICT (key) DO UPDATE SET verdict = excluded.verdict, written_at = excluded.written_at`,
          [
            JSON.stringify(
              Array.from(new Map(verdicts.map(({ key, verdict }) => [key, storedText.encode(verdict)])))
            )
          ]
        )
      )
    )
})
