/** Objects that are written in parts, and have their name once they are whole. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { encoder } from "../../internal/utf8.js"
import type * as Address from "../Address.js"
import type { Draft } from "../Storage.js"
import { StorageError } from "../StorageError.js"
import * as s3 from "./s3Client.js"
import * as xml from "./xml.js"

/** The most parts that an object has. */
const maxParts = 10_000

/** Bytes that are gathered until they are a part. */
const makeBuffer = (most: number) => {
  let buffer = new Uint8Array(Math.min(most, 65_536))
  let filled = 0
  return {
    /** Takes as many bytes as there is room for, and tells how many. */
    take: (bytes: Uint8Array): number => {
      const piece = bytes.subarray(0, most - filled)
      if (filled + piece.length > buffer.length) {
        const larger = new Uint8Array(Math.min(most, Math.max(2 * buffer.length, filled + piece.length)))
        larger.set(buffer.subarray(0, filled))
        buffer = larger
      }
      buffer.set(piece, filled)
      filled += piece.length
      return piece.length
    },
    isFull: () => filled === most,
    isEmpty: () => filled === 0,
    bytes: () => buffer.subarray(0, filled),
    clear: () => {
      filled = 0
    }
  }
}

/** The parts of one object that were sent. */
const makeParts = (store: s3.Store, location: Address.Location, address: string) => {
  const request = { ...location, address } as const
  const tags: Array<string> = []
  let size = 0
  let id: string | undefined
  const begin = Effect.flatMap(
    s3.send(store, { ...request, method: "POST", query: { uploads: "" } }),
    ({ text }) => {
      id = xml.textOf(xml.parse(text), "UploadId")
      return id === undefined
        ? new StorageError({
            address,
            reason: "unsupported",
            detail: "the store begins no upload of several parts"
          })
        : Effect.void
    }
  )
  const add = (body: Uint8Array): Effect.Effect<void, StorageError> =>
    Effect.gen(function* () {
      if (id === undefined) yield* begin
      if (tags.length === maxParts) {
        return yield* new StorageError({
          address,
          reason: "unsupported",
          detail: `it is larger than ${maxParts} parts of ${store.partBytes} bytes: split its source, or write to a local file`
        })
      }
      const query = { partNumber: String(tags.length + 1), uploadId: id! }
      const { headers } = yield* s3.send(store, { ...request, method: "PUT", query, body })
      tags.push(headers.etag ?? "")
      size += body.length
    })
  /** A repetition whose first attempt has lost its answer finds no upload any more, and the object. */
  const completedBefore = (before: string | undefined, error: StorageError) =>
    Effect.filterOrFail(
      s3.head(store, location, address),
      (now) => now.size === size && now.version !== before,
      () => error
    )
  const complete = Effect.gen(function* () {
    const known = yield* s3.head(store, location, address).pipe(
      Effect.map(({ version }) => version),
      Effect.catchIf(
        ({ reason }) => reason === "missing",
        () => Effect.succeed(undefined)
      )
    )
    const parts = tags.map(
      (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${xml.escape(tag)}</ETag></Part>`
    )
    const body = encoder.encode(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`)
    const version = yield* s3
      .send(store, { ...request, method: "POST", query: { uploadId: id! }, body })
      .pipe(
        Effect.map(({ text }) => xml.textOf(xml.parse(text), "ETag")),
        Effect.catchAll((error) => Effect.map(completedBefore(known, error), ({ version }) => version))
      )
    id = undefined
    return version
  })
  // The effect of a finalizer can't be timed out, unless it is a fiber of its own.
  const abort = Effect.suspend(() =>
    id === undefined
      ? Effect.void
      : s3
          .send(store, { ...request, method: "DELETE", query: { uploadId: id } })
          .pipe(
            Effect.timeout(store.timeout),
            Effect.interruptible,
            Effect.forkDaemon,
            Effect.flatMap(Fiber.await)
          )
  )
  return { add, complete, abort, isBegun: () => id !== undefined }
}

/** Sends bytes as they come. An object smaller than a part is sent when it gets its name. */
export const draft = <E, R>(
  store: s3.Store,
  location: Address.Location,
  address: string,
  bytes: Stream.Stream<Uint8Array, E, R>
): Effect.Effect<Draft, E | StorageError, R | Scope.Scope> =>
  Effect.gen(function* () {
    const parts = yield* Effect.acquireRelease(
      Effect.sync(() => makeParts(store, location, address)),
      ({ abort }) => abort
    )
    const buffer = makeBuffer(store.partBytes)
    const flush = Effect.suspend(() => Effect.zipRight(parts.add(buffer.bytes()), Effect.sync(buffer.clear)))
    const push = (piece: Uint8Array): Effect.Effect<void, StorageError> =>
      Effect.suspend(() => {
        const taken = buffer.take(piece)
        const rest = piece.subarray(taken)
        if (!buffer.isFull()) return Effect.void
        return rest.length === 0 ? flush : Effect.zipRight(flush, push(rest))
      })
    yield* Stream.runForEach(bytes, push)
    if (!parts.isBegun()) {
      const body = buffer.bytes()
      const sent = s3.send(store, { ...location, address, method: "PUT", body })
      return { publish: Effect.map(sent, ({ headers }) => headers.etag) }
    }
    if (!buffer.isEmpty()) yield* flush
    return { publish: parts.complete }
  })
