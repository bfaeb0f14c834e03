import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { askedAt } from "../../internal/askedAt.js"
import type { Backend, Claim } from "../../store/StoreBackend.js"
import type { StoreError } from "../../store/StoreError.js"
import * as SqlLease from "../SqlLease.js"
import type { Owner } from "./claimOwner.js"
import type { Database } from "./database.js"
import type { Dialect } from "./dialect.js"
import type { Added } from "./keyIndex.js"
import { ask, type Statements } from "./statements.js"
import type { Recorder } from "./translations.js"

/** Each key of a request, as it is packed in the ledger: 32 digits. */
const keyLength = 32

const unpack = (packed: string): ReadonlyArray<string> =>
  Array.from({ length: packed.length / keyLength }, (_, index) =>
    packed.slice(index * keyLength, (index + 1) * keyLength)
  )

/** A fact that decides about claims. */
type Fact =
  | readonly [kind: "held" | "lapsed", attempt: null, keys: string]
  | readonly [kind: "own", attempt: string, keys: string]
  | readonly [kind: "translated", attempt: null, keys: null, index: number, at: number]

/**
 * Facts about claims: `held`, the keys that other owners have in flight; `lapsed`, those of them whose leases have run out; `own`, the keys
 * of these attempts, if they were stored and the answer was lost (none if others have expired them since); `translated`, the keys that are
 * translated by now.
 */
const facts = (
  { dialect: { digitsOf, list, now, number, withKey } }: Database,
  owner: number,
  claims: ReadonlyArray<Claim>,
  keys: ReadonlyArray<string>
) =>
  ask<Fact>(
    `SELECT CASE WHEN ${SqlLease.hasEnded(now, "o.leased_until")} THEN 'lapsed' ELSE 'held' END, CAST(NULL AS TEXT), ${digitsOf("a.keys")},
       CAST(NULL AS INTEGER), ${number("CAST(NULL AS BIGINT)")}
     FROM effect_translate_attempts a JOIN effect_translate_owners o ON o.id = a.owner
     WHERE a.ending IS NULL AND a.owner <> $1
     UNION ALL SELECT 'own', a.attempt, CASE WHEN a.ending IS NULL THEN ${digitsOf("a.keys")} ELSE '' END, NULL, NULL
     FROM ${list("$2")} CROSS JOIN effect_translate_attempts a
     WHERE a.attempt = list.value AND a.owner = $1
     UNION ALL SELECT 'translated', NULL, NULL, list.i, ${number("t.written_at")}
     FROM ${list("$3")} CROSS JOIN ${withKey("list.value")}`,
    [owner, JSON.stringify(claims.map(({ attempt }) => attempt)), JSON.stringify(keys)]
  )

/** Requests of owners whose leases have run out are in doubt from now on. */
const expire = ({ dialect: { now } }: Database, owner: number) =>
  ask(
    `UPDATE effect_translate_attempts SET ending = 'expired'
     WHERE ending IS NULL AND owner <> $1
       AND owner IN (SELECT id FROM effect_translate_owners WHERE ${SqlLease.hasEnded(now, "leased_until")})`,
    [owner]
  )

/** The decision about a claim. */
export interface Decision {
  readonly claim: Claim
  readonly granted: ReadonlyArray<boolean>
  /** True if it is stored already. */
  readonly isStored: boolean
  /** True if another owner has some of its keys in flight. */
  readonly isContested: boolean
}

export const grantedKeys = ({ claim: { keys }, granted }: Decision): ReadonlyArray<string> =>
  granted.includes(false) ? keys.filter((_, index) => granted[index]) : keys

/** The rows of some requests, in JSON, with the keys that no later one takes over. */
const rowsOf = (namespaces: ReadonlyMap<string, number>, decisions: ReadonlyArray<Decision>): string => {
  const later = new Set<string>()
  const rows = decisions.toReversed().map((decision) => {
    const { attempt, characters, namespace } = decision.claim
    const sent = grantedKeys(decision)
    const held = sent.filter((key) => !later.has(key))
    for (const key of sent) later.add(key)
    const sum = characters.reduce((sum, each, index) => (decision.granted[index] ? sum + each : sum), 0)
    return [attempt, namespaces.get(namespace)!, sent.length, sum, held.join()]
  })
  return JSON.stringify(rows.toReversed())
}

const insertion = ({ elements, keysOf, now }: Dialect, owner: string, rows: string): string =>
  `INSERT INTO effect_translate_attempts (attempt, owner, namespace, texts, characters, keys, written_at)
   SELECT value ->> 0, CAST(${owner} AS BIGINT), CAST(value ->> 1 AS BIGINT),
     CAST(value ->> 2 AS BIGINT), CAST(value ->> 3 AS BIGINT), ${keysOf("value ->> 4")}, ${now}
   FROM ${elements(rows)}`

/**
 * Functions of the database that claim everything at once if nothing is in the way, as it is for nearly every request. One
 * way there and back in place of five, and no lock waits for the network. It sees all that was committed before it had the
 * lock, since each statement of such a function looks anew; those of a function in SQL, or of one statement, would not. Its
 * plans are made once for a connection, maybe while the tables are empty: without their indices, each claim would read whole
 * tables later.
 */
export const functions = (dialect: Dialect): ReadonlyArray<string> => {
  const { elements, keysOf, now } = dialect
  const lock = dialect.lock("effect_translate_attempts")
  if (lock === undefined) return []
  const body = `
    DECLARE
      named text[] := ARRAY(SELECT value ->> 0 FROM ${elements("requests")});
      asked uuid[] := ARRAY(SELECT unnest(${keysOf("value ->> 4")}) FROM ${elements("requests")});
    BEGIN
      IF current_setting('transaction_isolation') <> 'read committed' THEN
        RETURN false;
      END IF;
      PERFORM ${lock};
      IF EXISTS (
        SELECT 1 FROM effect_translate_attempts a WHERE a.ending IS NULL AND a.owner <> claimant
          AND ${SqlLease.hasEnded(now, "(SELECT o.leased_until FROM effect_translate_owners o WHERE o.id = a.owner)")}
      ) OR EXISTS (
        SELECT 1 FROM effect_translate_attempts a CROSS JOIN unnest(a.keys) held JOIN unnest(asked) wanted ON wanted = held
        WHERE a.ending IS NULL AND a.owner <> claimant
      ) OR EXISTS (
        SELECT 1 FROM effect_translate_attempts a WHERE a.attempt = ANY (named)
      ) OR EXISTS (
        SELECT 1 FROM effect_translate_translations t WHERE t.key = ANY (asked)
      ) THEN
        RETURN false;
      END IF;
      ${insertion(dialect, "claimant", "requests")};
      RETURN true;
    END`
  return [
    `CREATE OR REPLACE FUNCTION effect_translate_claim (claimant bigint, requests jsonb) RETURNS boolean
     LANGUAGE plpgsql SET enable_seqscan = off AS $body$ ${body} $body$`
  ]
}

/** Writes the keys that attempts still hold after later ones have claimed some of them. */
const reduce = (
  { dialect: { elements, keysOf } }: Database,
  losers: ReturnType<Owner["holdings"]["losers"]>
) =>
  ask(
    `UPDATE effect_translate_attempts SET keys = ${keysOf("e.keys")}
     FROM (SELECT value ->> 0 AS attempt, value ->> 1 AS keys FROM ${elements("$1")}) e
     WHERE effect_translate_attempts.attempt = e.attempt AND effect_translate_attempts.ending IS NULL`,
    [JSON.stringify(losers.map(([attempt, keys]) => [attempt, keys.join()]))]
  )

const decide = (
  found: ReadonlyArray<Fact>,
  claims: ReadonlyArray<Claim>,
  asked: ReadonlyArray<string>,
  isTranslated: (namespace: string, key: string) => boolean
): ReadonlyArray<Decision> => {
  const held = new Set<string>()
  const own = new Map<string, ReadonlySet<string>>()
  const translated = new Map<string, number>()
  for (const fact of found) {
    if (fact[0] === "held") for (const key of unpack(fact[2])) held.add(key)
    if (fact[0] === "own") own.set(fact[1], new Set(unpack(fact[2])))
    if (fact[0] === "translated") translated.set(asked[fact[3]]!, fact[4])
  }
  return claims.map((claim) => {
    const { attempt, keys, namespace, refreshBefore } = claim
    const since = refreshBefore?.epochMillis ?? askedAt(0)
    const stored = own.get(attempt)
    const isFree = (key: string) =>
      !held.has(key) &&
      !isTranslated(namespace, key) &&
      (translated.get(key) ?? Number.NEGATIVE_INFINITY) < since
    const granted = keys.map(stored === undefined ? isFree : (key) => stored.has(key))
    const isStored = stored !== undefined
    return { claim, granted, isStored, isContested: !isStored && keys.some((key) => held.has(key)) }
  })
}

/** Decides about claims, and stores those that are granted, in a transaction. */
export function* claim(
  { database, index, namespaces, owner: { holdings, id } }: Recorder,
  claims: ReadonlyArray<Claim>,
  added: Added
): Statements<ReadonlyArray<Decision>> {
  const asked = claims.flatMap(({ keys, namespace }) => keys.filter((key) => index.mayHave(namespace, key)))
  const found = yield* facts(database, id, claims, asked)
  if (found.some(([kind]) => kind === "lapsed")) yield* expire(database, id)
  const decisions = decide(found, claims, asked, (namespace, key) => index.has(namespace, key, added))
  const news = decisions.filter(({ granted, isStored }) => !isStored && granted.includes(true))
  if (news.length > 0) {
    const losers = holdings.losers(news.flatMap(grantedKeys))
    if (losers.length > 0) yield* reduce(database, losers)
    yield* ask(insertion(database.dialect, "$1", "$2"), [id, rowsOf(namespaces, news)])
  }
  return decisions
}

/** All of the claims are granted and stored by one statement; none is if anything is in the way, or if it may be. */
export const claimAll = (
  { database: { query }, namespaces, owner: { holdings, id } }: Recorder,
  claims: ReadonlyArray<Claim>
): Effect.Effect<ReadonlyArray<Decision> | undefined, SqlError> => {
  const decisions = claims.map((claim) => ({
    claim,
    granted: claim.keys.map(() => true),
    isStored: false,
    isContested: false
  }))
  const mayBeGranted =
    claims.every(({ refreshBefore }) => refreshBefore === undefined) &&
    holdings.losers(claims.flatMap(({ keys }) => keys)).length === 0
  return mayBeGranted
    ? Effect.map(
        query<[boolean]>("SELECT effect_translate_claim($1, $2)", [id, rowsOf(namespaces, decisions)]),
        ([row]) => (row![0] ? decisions : undefined)
      )
    : Effect.succeed(undefined)
}

function* repeatOnce(
  { dialect: { now } }: Database,
  owner: number,
  attempt: string,
  next: string
): Statements<boolean> {
  const ended = yield* ask(
    `UPDATE effect_translate_attempts SET ending = 'unknown'
     WHERE attempt = $1 AND owner = $2 AND ending IS NULL RETURNING id`,
    [attempt, owner]
  )
  if (ended.length > 0) {
    yield* ask(
      `INSERT INTO effect_translate_attempts (attempt, owner, namespace, texts, characters, keys, written_at)
       SELECT $2, owner, namespace, texts, characters, keys, ${now} FROM effect_translate_attempts WHERE attempt = $1`,
      [attempt, next]
    )
    return true
  }
  const stored = yield* ask(
    "SELECT 1 FROM effect_translate_attempts WHERE attempt = $1 AND owner = $2 AND ending IS NULL",
    [next, owner]
  )
  return stored.length > 0
}

/** Repeats requests in the ledger, and tells if they hold their claims. */
export const make = (
  database: Database,
  owner: Owner,
  inPlace: Effect.Effect<void, StoreError>
): Pick<Backend, "repeat" | "isHeld"> => {
  const { exclusively, persist } = database
  return {
    repeat: (attempt, next) =>
      inPlace.pipe(
        Effect.zipRight(owner.current),
        Effect.zipRight(persist(exclusively(() => repeatOnce(database, owner.id, attempt, next)))),
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
