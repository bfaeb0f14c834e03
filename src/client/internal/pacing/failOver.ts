import * as Arr from "effect/Array"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import * as Stream from "effect/Stream"
import type { Access, Documents } from "../../Documents.js"
import * as TranslateError from "../../TranslateError.js"
import { after, type Billed, billedBy, type Call, type Deliver, isQuotaExceeded } from "./billedCalls.js"
import { type Leaving, OutageLeaving } from "./outage.js"

const isOutage = (error: unknown): error is TranslateError.Outage =>
  TranslateError.isTranslateError(error) && error._tag === "Outage"

/** A call that leaves outages in its own way, and else as a policy around this one does. */
const leaving = <A, E>(call: Effect.Effect<A, E>, how: Partial<Leaving>): Effect.Effect<A, E> =>
  Effect.flatMap(OutageLeaving, (outer) => Effect.provideService(call, OutageLeaving, { ...outer, ...how }))

/**
 * Sends by the one of several clients that is in use. A used-up quota and an outage move on to the next. A call tries each
 * client once. Then it waits for one of those that are down, until another one answers: it begins there again.
 */
const inTurn = <C>(all: Arr.NonEmptyReadonlyArray<C>): Deliver<C> => {
  let inUse = 0
  let waiting = 0
  let recoveries = 0
  let recovered = Deferred.unsafeMake<void>(FiberId.none)
  const recovers = Effect.suspend(() => Deferred.await(recovered))

  const answered = (turn: number) => {
    if (waiting === 0) return
    inUse = turn
    recoveries++
    Deferred.unsafeDone(recovered, Effect.void)
    recovered = Deferred.unsafeMake(FiberId.none)
  }

  return <A, E>(send: (client: C) => Call<A, E>, isRepeatable = true) => {
    const sendBy = (
      turn: number,
      how: Partial<Leaving>,
      refused: TranslateError.TranslateError | undefined
    ) => Effect.tap(leaving(after(refused, send(all[turn % all.length]!)), how), () => answered(turn))

    const round = (refused?: TranslateError.TranslateError): Call<A, E> =>
      Effect.suspend(() => {
        const end = inUse + all.length
        const down: Array<number> = []
        const from = (turn: number, refused: TranslateError.TranslateError | undefined): Call<A, E> =>
          Effect.catchAll(sendBy(turn, isRepeatable ? { atOnce: true } : {}, refused), (error) => {
            if (!isQuotaExceeded(error) && !isOutage(error)) return Effect.fail(error)
            if (isOutage(error)) down.push(turn)
            // Another call may have moved on already.
            if (inUse === turn) inUse++
            if (!isRepeatable) return Effect.fail(error)
            if (turn + 1 < end) return from(turn + 1, error)
            return down.length === 0 ? Effect.fail(error) : wait(down[waiting % down.length]!, error)
          })
        return from(inUse, refused)
      })

    const wait = (turn: number, refused: TranslateError.TranslateError): Call<A, E> =>
      Effect.suspend(() => {
        const before = recoveries
        return Effect.acquireUseRelease(
          Effect.sync(() => waiting++),
          () => sendBy(turn, { when: recovers }, refused),
          () => Effect.sync(() => waiting--)
        ).pipe(
          Effect.catchAll((error) =>
            isOutage(error) && recoveries > before ? round(error) : Effect.fail(error)
          )
        )
      })
    return round()
  }
}

/** Asks for documents and downloads them by the client that has uploaded them. */
const byOwner = (all: Arr.NonEmptyReadonlyArray<Documents>) => {
  const owners = new Map<string, Documents>()

  /** The status, from the first client that knows the document. */
  const find = (
    handle: Access,
    [documents, ...others]: Arr.NonEmptyReadonlyArray<Documents>
  ): ReturnType<Documents["status"]> =>
    documents.status(handle).pipe(
      Effect.tap(() => owners.set(handle.documentId, documents)),
      Effect.catchTag("NotFound", (error) =>
        others.length === 0 ? Effect.fail(error) : find(handle, others as never)
      )
    )

  /** A client that remembers its uploads. */
  const tracking = <C extends Billed>(client: C): C => {
    const { documents } = client
    return {
      ...client,
      documents: documents && {
        ...documents,
        upload: (source, options) =>
          Effect.tap(documents.upload(source, options), ({ documentId }) => owners.set(documentId, documents))
      }
    }
  }

  const access: Pick<Documents, "status" | "download"> = {
    status: (handle) => owners.get(handle.documentId)?.status(handle) ?? find(handle, all),
    download: (handle, options) =>
      Stream.suspend(() => {
        const owner = owners.get(handle.documentId)
        return owner === undefined
          ? Stream.flatMap(find(handle, all), () => owners.get(handle.documentId)!.download(handle, options))
          : Stream.ensuring(
              owner.download(handle, options),
              Effect.sync(() => owners.delete(handle.documentId))
            )
      })
  }
  return { access, tracking }
}

/** See `QuotaPolicy.failOver`. */
export const make = <C extends Billed>(all: Arr.NonEmptyReadonlyArray<C>): C => {
  const documents = Arr.flatMap(all, ({ documents }) => Arr.fromNullable(documents))
  if (!Arr.isNonEmptyReadonlyArray(documents)) return billedBy(all[0], inTurn(all))
  const { access, tracking } = byOwner(documents)
  const client = billedBy(all[0], inTurn(Arr.map(all, tracking)))
  return { ...client, documents: { ...client.documents, ...access } }
}
