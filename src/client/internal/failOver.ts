import type * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { CallHooks } from "../../internal/callHooks.js"
import type { Access, Documents } from "../Documents.js"
import type { Service } from "../TranslateClient.js"
import * as TranslateError from "../TranslateError.js"
import { after, billedBy, type Call, type Deliver, isQuotaExceeded } from "./quota.js"

const isOutage = (error: unknown): error is TranslateError.Outage =>
  TranslateError.isTranslateError(error) && error._tag === "Outage"

/** Ends a call that takes part in the circuit breaker once the circuit is open. */
const failingFast = <A, E>(call: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.flatMap(CallHooks, (hooks) =>
    hooks.circuit === undefined
      ? call
      : Effect.provideService(call, CallHooks, { ...hooks, circuit: { ...hooks.circuit, failFast: true } })
  )

/**
 * Sends by the one of several clients that is in use. A used-up quota and an outage move on to the next. A call tries each
 * client once, and at last waits for the first one that was down.
 */
const inTurn = (all: Arr.NonEmptyReadonlyArray<Service>): Deliver => {
  let inUse = 0
  return <A, E>(send: (client: Service) => Call<A, E>, isRepeatable = true) =>
    Effect.suspend(() => {
      const end = inUse + all.length
      let down: Service | undefined
      const next = (refused?: TranslateError.TranslateError): Call<A, E> =>
        Effect.suspend(() => {
          const turn = inUse
          const client = all[turn % all.length]!
          const call = after(refused, send(client))
          return Effect.catchAll(isRepeatable ? failingFast(call) : call, (error) => {
            if (!isQuotaExceeded(error) && !isOutage(error)) return Effect.fail(error)
            if (isOutage(error)) down ??= client
            // Another call may have moved on already.
            if (inUse === turn) inUse++
            if (!isRepeatable) return Effect.fail(error)
            if (inUse < end) return next(error)
            return down === undefined ? Effect.fail(error) : after(error, send(down))
          })
        })
      return next()
    })
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
  const remembering = (client: Service): Service => {
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
  return { access, remembering }
}

/** See `QuotaPolicy.failOver`. */
export const make = (all: Arr.NonEmptyReadonlyArray<Service>): Service => {
  const { access, remembering } = byOwner(all)
  const [first, ...others] = all
  const client = billedBy(first, inTurn([remembering(first), ...others.map(remembering)]))
  return { ...client, documents: { ...client.documents, ...access } }
}
