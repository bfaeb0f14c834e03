import type * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import type { Access, Documents } from "../../client/Documents.js"
import * as TranslateError from "../../client/TranslateError.js"
import * as QuotaPolicy from "../../stream/QuotaPolicy.js"
import type * as DocumentQuota from "../DocumentQuota.js"

/** One client, without a policy. */
export const single = (documents: Documents): DocumentQuota.Service => ({
  upload: (send) => send(documents.upload),
  documents
})

/** An upload that waits for its quota. Every other error is an answer to the gate. */
export const gated = <A, E, R>(
  gate: QuotaPolicy.Gate,
  upload: Effect.Effect<A, E, R>
): Effect.Effect<A, E | TranslateError.TranslateError, R> =>
  Effect.flatMap(Effect.context<R>(), (context) => {
    const answer = (result: Either.Either<A, E>) => ({ result, attempts: 0, ambiguousAttempts: 0 })
    const sent = Effect.matchEffect(Effect.provide(upload, context), {
      onFailure: (error) =>
        TranslateError.isTranslateError(error) && error._tag === "QuotaExceeded"
          ? Effect.fail(error)
          : Effect.succeed(answer(Either.left(error))),
      onSuccess: (uploaded) => Effect.succeed(answer(Either.right(uploaded)))
    })
    return Effect.flatMap(
      gate(() => sent),
      ({ result }) => result
    )
  })

/** Uploads by the client that is in use, and remembers who has a document until it is downloaded. */
export const failOver = (all: Arr.NonEmptyReadonlyArray<DocumentQuota.Service>): DocumentQuota.Service => {
  const send = QuotaPolicy.inTurn(all)
  const owners = new Map<string, DocumentQuota.Service["documents"]>()

  /** The status, from the first client that knows the document. */
  const find = (
    handle: Access,
    [{ documents }, ...others]: Arr.NonEmptyReadonlyArray<DocumentQuota.Service>
  ): ReturnType<Documents["status"]> =>
    documents.status(handle).pipe(
      Effect.tap(() => owners.set(handle.documentId, documents)),
      Effect.catchTag("NotFound", (error) =>
        others.length === 0 ? Effect.fail(error) : find(handle, others as never)
      )
    )

  return {
    upload: (upload) =>
      send((one) =>
        one.upload((uploadBy) =>
          upload((source, options) =>
            Effect.tap(uploadBy(source, options), ({ documentId }) => owners.set(documentId, one.documents))
          )
        )
      ),
    documents: {
      status: (handle) => owners.get(handle.documentId)?.status(handle) ?? find(handle, all),
      download: (handle, options) =>
        Stream.suspend(() => {
          const owner = owners.get(handle.documentId)
          return owner === undefined
            ? Stream.flatMap(find(handle, all), () =>
                owners.get(handle.documentId)!.download(handle, options)
              )
            : Stream.ensuring(
                owner.download(handle, options),
                Effect.sync(() => owners.delete(handle.documentId))
              )
        })
    }
  }
}
