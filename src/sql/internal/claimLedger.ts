import * as Effect from "effect/Effect"
import type { Backend, Claim } from "../../store/StoreBackend.js"
import type { Owner } from "./claimOwner.js"
import type { Database } from "./database.js"
import * as groupCommit from "./groupCommit.js"

/** Each key of a request, as it is packed in the ledger: 32 digits. */
const keyLength = 32

const unpack = (packed: string): ReadonlyArray<string> =>
  Array.from({ length: packed.length / keyLength }, (_, index) =>
    packed.slice(index * keyLength, (index + 1) * keyLength)
  )

/** What decides about claims. */
type Fact =
  | readonly [kind: "held" | "lapsed", attempt: null, keys: string]
  | readonly [kind: "own", attempt: string, keys: string]
  | readonly [kind: "translated", attempt: null, keys: null, index: number, at: number]

/**
 * The keys that other owners have in flight, those of them whose leases have run out, those of the attempts themselves if they were
 * stored and the answer was lost (none if others have expired them since), and the keys that are translated.
 */
const facts = (
  { dialect: { digitsOf, keyOf, list, now, number }, query }: Database,
  owner: number,
  claims: ReadonlyArray<Claim>
) =>
  query<Fact>(
    `SELECT CASE WHEN o.leased_until < ${now} THEN 'lapsed' ELSE 'held' END, CAST(NULL AS TEXT), ${digitsOf("a.keys")},
       CAST(NULL AS INTEGER), ${number("CAST(NULL AS BIGINT)")}
     FROM effect_translate_attempts a JOIN effect_translate_owners o ON o.id = a.owner
     WHERE a.ending IS NULL AND a.owner <> $1
     UNION ALL SELECT 'own', a.attempt, CASE WHEN a.ending IS NULL THEN ${digitsOf("a.keys")} ELSE '' END, NULL, NULL
     FROM ${list("$2")} CROSS JOIN effect_translate_attempts a
     WHERE a.attempt = list.value AND a.owner = $1
     UNION ALL SELECT 'translated', NULL, NULL, list.i, ${number("t.written_at")}
     FROM ${list("$3")} CROSS JOIN effect_translate_translations t WHERE t.key = ${keyOf("list.value")}`,
    [
      owner,
      JSON.stringify(claims.map(({ attempt }) => attempt)),
      JSON.stringify(claims.flatMap(({ keys }) => keys))
    ]
  )

/** Requests of owners whose leases have run out are in doubt from now on. */
const expire = ({ dialect: { now }, query }: Database, owner: number) =>
  query(
    `UPDATE effect_translate_attempts SET ending = 'expired'
     WHERE ending IS NULL AND owner <> $1
       AND owner IN (SELECT id FROM effect_translate_owners WHERE leased_until < ${now})`,
    [owner]
  )

interface Decision {
  readonly claim: Claim
  readonly granted: ReadonlyArray<boolean>
  /** Whether it is stored already. */
  readonly isStored: boolean
  /** Whether another owner has some of its keys in flight. */
  readonly isContested: boolean
}

const grantedKeys = ({ claim, granted }: Decision) => claim.keys.filter((_, index) => granted[index])

/** One row for each, with the keys that no later one takes over. */
const insert = (
  { dialect: { bytesOf, elements, now }, query }: Database,
  owner: number,
  decisions: ReadonlyArray<Decision>
) => {
  const later = new Set<string>()
  const rows = decisions.toReversed().map((decision) => {
    const { attempt, characters, namespace } = decision.claim
    const sent = grantedKeys(decision)
    const held = sent.filter((key) => !later.has(key))
    for (const key of sent) later.add(key)
    const sum = characters.reduce((sum, each, index) => (decision.granted[index] ? sum + each : sum), 0)
    return [attempt, namespace, sent.length, sum, held.join("")]
  })
  return query(
    `INSERT INTO effect_translate_attempts (attempt, owner, namespace, texts, characters, keys, written_at)
     SELECT value ->> 0, CAST($1 AS BIGINT), (SELECT id FROM effect_translate_namespaces WHERE hash = value ->> 1),
       CAST(value ->> 2 AS BIGINT), CAST(value ->> 3 AS BIGINT), ${bytesOf("value ->> 4")}, ${now}
     FROM ${elements("$2")}`,
    [owner, JSON.stringify(rows.toReversed())]
  )
}

/** What attempts still hold after later ones have claimed some of their keys. */
const reduce = (
  { dialect: { bytesOf, elements }, query }: Database,
  losers: ReturnType<Owner["holdings"]["losers"]>
) =>
  query(
    `UPDATE effect_translate_attempts SET keys = ${bytesOf("e.keys")}
     FROM (SELECT value ->> 0 AS attempt, value ->> 1 AS keys FROM ${elements("$1")}) e
     WHERE effect_translate_attempts.attempt = e.attempt AND effect_translate_attempts.ending IS NULL`,
    [JSON.stringify(losers.map(([attempt, keys]) => [attempt, keys.join("")]))]
  )

const decide = (found: ReadonlyArray<Fact>, claims: ReadonlyArray<Claim>): ReadonlyArray<Decision> => {
  const held = new Set<string>()
  const own = new Map<string, ReadonlySet<string>>()
  const translated = new Map<number, number>()
  for (const fact of found) {
    if (fact[0] === "held") for (const key of unpack(fact[2])) held.add(key)
    if (fact[0] === "own") own.set(fact[1], new Set(unpack(fact[2])))
    if (fact[0] === "translated") translated.set(fact[3], fact[4])
  }
  let first = 0
  return claims.map((claim) => {
    const { attempt, keys, refreshBefore } = claim
    const since = refreshBefore?.epochMillis ?? 0
    const stored = own.get(attempt)
    const isFree = (key: string, index: number) =>
      !held.has(key) && (translated.get(first + index) ?? Number.NEGATIVE_INFINITY) < since
    const granted = keys.map((key, index) => (stored === undefined ? isFree(key, index) : stored.has(key)))
    first += keys.length
    const isStored = stored !== undefined
    return { claim, granted, isStored, isContested: !isStored && keys.some((key) => held.has(key)) }
  })
}

const claimOnce = (database: Database, { holdings, id }: Owner, claims: ReadonlyArray<Claim>) =>
  Effect.gen(function* () {
    const found = yield* facts(database, id, claims)
    if (found.some(([kind]) => kind === "lapsed")) yield* expire(database, id)
    const decisions = decide(found, claims)
    const news = decisions.filter(({ granted, isStored }) => !isStored && granted.includes(true))
    if (news.length > 0) {
      const losers = holdings.losers(new Set(news.flatMap(grantedKeys)))
      if (losers.length > 0) yield* reduce(database, losers)
      yield* insert(database, id, news)
    }
    return decisions
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
  // Those of one moment in one transaction, as each waits for the disk.
  const claimNow = groupCommit.make((claims: ReadonlyArray<Claim>) =>
    owner.current.pipe(
      Effect.zipRight(persist(exclusively(claimOnce(database, owner, claims)))),
      Effect.tap((decisions) =>
        Effect.sync(() => {
          for (const decision of decisions) {
            const keys = grantedKeys(decision)
            if (keys.length > 0) owner.holdings.take(decision.claim.attempt, keys)
          }
        })
      )
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
            if (isHeld) owner.holdings.rename(attempt, next)
            else owner.holdings.end(attempt)
          })
        )
      ),
    isHeld: owner.holds
  }
}
