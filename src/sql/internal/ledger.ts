import * as Effect from "effect/Effect"
import type { Backend, Claim } from "../../store/StoreBackend.js"
import type { Database } from "./database.js"
import type { Owner } from "./owner.js"

/** Each key of a request, as it is packed in the ledger: 32 digits. */
const keyLength = 32

const unpack = (packed: string): ReadonlyArray<string> =>
  Array.from({ length: packed.length / keyLength }, (_, index) =>
    packed.slice(index * keyLength, (index + 1) * keyLength)
  )

/** What decides about a claim: keys in flight, or the index of a key. */
type Fact =
  | readonly [kind: "held" | "lapsed" | "own", keys: string, index: null]
  | readonly [kind: "translated", keys: null, index: number]

/**
 * The keys that other owners have in flight, those of them whose leases have run out, those of the attempt itself if it was stored
 * and the answer was lost, and the keys that are translated.
 */
const facts = (
  { dialect: { digitsOf, keyOf, list, now }, query }: Database,
  owner: number,
  { attempt, keys, refreshBefore }: Claim
) =>
  query<Fact>(
    `SELECT CASE WHEN o.leased_until < ${now} THEN 'lapsed' ELSE 'held' END, ${digitsOf("a.keys")}, CAST(NULL AS INTEGER)
     FROM effect_translate_attempts a JOIN effect_translate_owners o ON o.id = a.owner
     WHERE a.ending IS NULL AND a.owner <> $1
     UNION ALL SELECT 'own', ${digitsOf("keys")}, NULL FROM effect_translate_attempts
     WHERE ending IS NULL AND owner = $1 AND attempt = $2
     UNION ALL SELECT 'translated', NULL, list.i FROM ${list("$3")} CROSS JOIN effect_translate_translations t
     WHERE t.key = ${keyOf("list.value")} AND t.written_at >= $4`,
    [owner, attempt, JSON.stringify(keys), refreshBefore?.epochMillis ?? 0]
  )

/** Requests of owners whose leases have run out are in doubt from now on. */
const expire = ({ dialect: { now }, query }: Database, owner: number) =>
  query(
    `UPDATE effect_translate_attempts SET ending = 'expired'
     WHERE ending IS NULL AND owner <> $1
       AND owner IN (SELECT id FROM effect_translate_owners WHERE leased_until < ${now})`,
    [owner]
  )

const insert = (
  { dialect: { bytesOf, now }, query }: Database,
  owner: number,
  { attempt, characters, keys, namespace }: Claim,
  granted: ReadonlyArray<boolean>
) => {
  const sent = keys.filter((_, index) => granted[index])
  const sum = characters.reduce((sum, each, index) => (granted[index] ? sum + each : sum), 0)
  return query(
    `INSERT INTO effect_translate_attempts (attempt, owner, namespace, texts, characters, keys, written_at)
     VALUES ($1, $2, (SELECT id FROM effect_translate_namespaces WHERE hash = $3), $4, $5, ${bytesOf("$6")}, ${now})`,
    [attempt, owner, namespace, sent.length, sum, sent.join("")]
  )
}

const claimOnce = (database: Database, owner: number, claim: Claim) =>
  Effect.gen(function* () {
    const found = yield* facts(database, owner, claim)
    const keysOf = (wanted: Fact[0]) =>
      new Set(found.flatMap(([kind, keys]) => (kind === wanted && keys !== null ? unpack(keys) : [])))
    const own = keysOf("own")
    if (own.size > 0) return { granted: claim.keys.map((key) => own.has(key)), isContested: false }
    if (found.some(([kind]) => kind === "lapsed")) yield* expire(database, owner)
    const held = keysOf("held")
    const translated = new Set(found.map(([, , index]) => index))
    const granted = claim.keys.map((key, index) => !translated.has(index) && !held.has(key))
    if (granted.includes(true)) yield* insert(database, owner, claim, granted)
    return { granted, isContested: claim.keys.some((key) => held.has(key)) }
  })

const repeatOnce = ({ dialect: { now }, query }: Database, owner: number, attempt: string, next: string) =>
  Effect.gen(function* () {
    const ended = yield* query(
      `UPDATE effect_translate_attempts SET ending = 'unknown'
       WHERE attempt = $1 AND owner = $2 AND ending IS NULL RETURNING id`,
      [attempt, owner]
    )
    if (ended.length > 0) {
      yield* query(
        `INSERT INTO effect_translate_attempts (attempt, owner, namespace, texts, characters, keys, written_at)
         SELECT $2, owner, namespace, texts, characters, keys, ${now} FROM effect_translate_attempts WHERE attempt = $1`,
        [attempt, next]
      )
      return true
    }
    const stored = yield* query(
      "SELECT 1 FROM effect_translate_attempts WHERE attempt = $1 AND owner = $2 AND ending IS NULL",
      [next, owner]
    )
    return stored.length > 0
  })

/** What is sent: one row for each request, before it leaves. */
export const make = (database: Database, owner: Owner): Pick<Backend, "claim" | "repeat" | "isHeld"> => {
  const { exclusively, persist } = database
  const claimNow = (claim: Claim) =>
    owner.current.pipe(
      Effect.zipRight(persist(exclusively(claimOnce(database, owner.id, claim)))),
      Effect.tap(({ granted }) =>
        Effect.sync(() => {
          if (granted.includes(true)) owner.live.add(claim.attempt)
        })
      )
    )
  return {
    claim: (claim) =>
      Effect.flatMap(claimNow(claim), ({ granted, isContested }) =>
        isContested && !granted.includes(true)
          ? Effect.flatMap(owner.buryDead, (found) =>
              found ? Effect.map(claimNow(claim), ({ granted }) => granted) : Effect.succeed(granted)
            )
          : Effect.succeed(granted)
      ),
    repeat: (attempt, next) =>
      owner.current.pipe(
        Effect.zipRight(persist(exclusively(repeatOnce(database, owner.id, attempt, next)))),
        Effect.tap((isHeld) =>
          Effect.sync(() => {
            owner.live.delete(attempt)
            if (isHeld) owner.live.add(next)
          })
        )
      ),
    isHeld: owner.holds
  }
}
