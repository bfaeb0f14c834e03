import type * as Arr from "effect/Array"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import * as Stream from "effect/Stream"
import { CallHooks, type Circuit, extend } from "../../../internal/callHooks.js"
import type { Access, Documents } from "../../Documents.js"
import type { Service } from "../../TranslateClient.js"
import * as TranslateError from "../../TranslateError.js"
import { after, billedBy, type Call, type Deliver, isQuotaExceeded } from "./billedCalls.js"

const isOutage = (error: unknown): error is TranslateError.Outage =>
  TranslateError.isTranslateError(error) && error._tag === "Outage"

/** A call that another client has refused, and may have left waiting. */
const resent = <A, E>(call: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.flatMap(CallHooks, ({ waiting }) =>
    waiting === undefined ? call : Effect.zipRight(waiting.end, call)
  )

/**
 * Sends by the one of several clients that is in use. A used-up quota and an outage move on to the next. A call tries each
 * client once. Then it waits for one of those that are down, until another one answers: it begins there again.
 */
const inTurn = (all: Arr.NonEmptyReadonlyArray<Service>): Deliver => {
  let inUse = 0
  let waiting = 0
  let recoveries = 0
  let recovered = Deferred.unsafeMake<void>(FiberId.none)
  const leave = Effect.suspend(() => Deferred.await(recovered))

  const answered = (turn: number) => {
    if (waiting === 0) return
    inUse = turn
    recoveries++
    Deferred.unsafeDone(recovered, Effect.void)
    recovered = Deferred.unsafeMake(FiberId.none)
  }

  return <A, E>(send: (client: Service) => Call<A, E>, isRepeatable = true) => {
    const sendBy = (turn: number, circuit: Circuit, refused: TranslateError.TranslateError | undefined) => {
      const call = send(all[turn % all.length]!)
      const next = refused === undefined ? call : after(refused, resent(call))
      return Effect.tap(extend(next, { circuit }), () => answered(turn))
    }

    const round = (refused?: TranslateError.TranslateError): Call<A, E> =>
      Effect.suspend(() => {
        const end = inUse + all.length
        const down: Array<number> = []
        const from = (turn: number, refused: TranslateError.TranslateError | undefined): Call<A, E> =>
          Effect.catchAll(sendBy(turn, isRepeatable ? { failFast: true } : {}, refused), (error) => {
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
          () => sendBy(turn, { leave }, refused),
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
const byOwner = (all: Arr.NonEmptyReadonlyArray<Service>) => {
  const owners = new Map<string, Documents>()

  /** The status, from the first client that knows the document. */
  const find = (
    handle: Access,
    [{ documents }, ...others]: Arr.NonEmptyReadonlyArray<Service>
  ): ReturnType<Documents["status"]> =>
    documents.status(handle).pipe(
      Effect.tap(() => owners.set(handle.documentId, documents)),
      Effect.catchTag("NotFound", (error) =>
        others.length === 0 ? Effect.fail(error) : find(handle, others as never)
      )
    )

  /** A client that remembers what it has uploaded. */
  const tracking = (client: Service): Service => {
    const { documents } = client
    return {
      ...client,
      documents: {
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
export const make = (all: Arr.NonEmptyReadonlyArray<Service>): Service => {
  const { access, tracking } = byOwner(all)
  const [first, ...others] = all
  const client = billedBy(first, inTurn([tracking(first), ...others.map(tracking)]))
  return { ...client, documents: { ...client.documents, ...access } }
}
