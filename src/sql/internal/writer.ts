/** Claims and recordings, in few transactions: those of one moment share one. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Backend, Claim, Recording } from "../../store/StoreBackend.js"
import type { StoreError } from "../../store/StoreError.js"
import * as claimLedger from "./claimLedger.js"
import * as groupCommit from "./groupCommit.js"
import * as serviceFailures from "./serviceFailures.js"
import * as translations from "./translations.js"

type Write =
  | { readonly _tag: "Claim"; readonly claim: Claim }
  | { readonly _tag: "Recording"; readonly recording: Recording }

type Decisions = ReadonlyArray<claimLedger.Decision | undefined>

/** A file has one transaction at a time: claims and recordings that come within this time after one wait for the next. */
const pauseMillis = 5

export const make = (
  recorder: translations.Recorder,
  inPlace: Effect.Effect<void, StoreError>
): Effect.Effect<Pick<Backend, "claim" | "record">, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { database, index, owner } = recorder
    const { dialect, exclusively, persist, read, transaction } = database

    const transact = (claims: ReadonlyArray<Claim>, recordings: ReadonlyArray<Recording>) => {
      const isExact =
        claims.some(({ refreshBefore }) => refreshBefore !== undefined) ||
        !recordings.every(translations.isAdding)
      const hasFailures = serviceFailures.areIn(recordings)
      const body = function* () {
        const added = yield* index.begin(isExact)
        if (recordings.length > 0) yield* translations.record(recorder, recordings, added)
        if (hasFailures) yield* serviceFailures.record(recorder, recordings)
        const decisions = claims.length === 0 ? [] : yield* claimLedger.claim(recorder, claims, added)
        yield* index.end(added)
        return { added, decisions }
      }
      const inOne = claims.length === 0 && !hasFailures && translations.isOneStatement(dialect, recordings)
      const done = inOne ? read(body) : claims.length === 0 ? transaction(body) : exclusively(body)
      return Effect.map(done, ({ added, decisions }) => {
        index.committed(added)
        return decisions
      })
    }

    /** Where transactions do not exclude each other, claims come without recordings. */
    const store = (claims: ReadonlyArray<Claim>, recordings: ReadonlyArray<Recording>) =>
      claims.length === 0 || dialect.isFile
        ? transact(claims, recordings)
        : Effect.flatMap(claimLedger.claimAll(recorder, claims), (decisions) =>
            decisions === undefined ? transact(claims, recordings) : Effect.succeed(decisions)
          )

    const end = (recordings: ReadonlyArray<Recording>) => {
      for (const { endings } of recordings) for (const { attempt } of endings) owner.holdings.end(attempt)
    }

    const write = (writes: ReadonlyArray<Write>): Effect.Effect<Decisions, StoreError> => {
      const claims = writes.flatMap((write) => (write._tag === "Claim" ? [write.claim] : []))
      const recordings = writes.flatMap((write) => (write._tag === "Recording" ? [write.recording] : []))
      return inPlace.pipe(
        Effect.zipRight(claims.length === 0 ? Effect.void : owner.current),
        Effect.zipRight(Effect.suspend(() => persist(store(claims, recordings)))),
        Effect.map((decisions) => {
          end(recordings)
          for (const decision of decisions) {
            const keys = claimLedger.grantedKeys(decision)
            if (keys.length > 0) owner.holdings.take(decision.claim.attempt, keys)
          }
          let next = 0
          return writes.map((write) => (write._tag === "Claim" ? decisions[next++] : undefined))
        }),
        // Nobody records endings again that come without translations: the next renewals of the lease note them as unknown.
        Effect.tapError(() =>
          Effect.sync(() => end(recordings.filter(({ translations }) => translations.length === 0)))
        )
      )
    }

    const queue = () => groupCommit.make(write, dialect.isFile ? pauseMillis : 0)
    const claims = yield* queue()
    const recordings = dialect.isFile ? claims : yield* queue()
    const claimNow = (claim: Claim) => Effect.map(claims({ _tag: "Claim", claim }), (decision) => decision!)
    return {
      claim: (claim) =>
        Effect.flatMap(claimNow(claim), ({ granted, isContested }) =>
          isContested && !granted.includes(true)
            ? Effect.flatMap(owner.buryDead, (found) =>
                found ? Effect.map(claimNow(claim), ({ granted }) => granted) : Effect.succeed(granted)
              )
            : Effect.succeed(granted)
        ),
      record: (recording) => Effect.asVoid(recordings({ _tag: "Recording", recording }))
    }
  })
