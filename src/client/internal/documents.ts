import type * as HttpBody from "@effect/platform/HttpBody"
import type * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Cause from "effect/Cause"
import * as Channel from "effect/Channel"
import type * as Chunk from "effect/Chunk"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Document from "../../api/Document.js"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as Violation from "../../api/Violation.js"

import type { DocumentSource } from "../DocumentSource.js"
import type { Access, DocumentHandle, Documents, UploadOptions } from "../Documents.js"
import * as RetryPolicy from "../RetryPolicy.js"
import * as StyleRules from "../StyleRules.js"
import * as TranslateError from "../TranslateError.js"
import * as answer from "./answer.js"
import { CurrentCall } from "./call.js"
import type { Endpoints } from "./endpoints.js"
import * as multipart from "./multipart.js"

/** Bytes are stored, not translated, before the answer: as fast as a hundredth of the characters is. */
const share = 100

/** A 429 may mean that too many documents wait for their download: waiting here does not help. */
const uploadBusy = [503, 529]

/** A 503 means that the document is not ready, or was downloaded. */
const downloadBusy = [429, 529]

const encoders = [false, true].map((isAnyFormatAllowed) =>
  Schema.encodeUnknownEither(Document.uploadDescription(isAnyFormatAllowed))
)

/** The parts of an upload beside its file, or what its rules say. */
const fieldsOf = (
  { name, size }: DocumentSource<unknown>,
  { isAnyFormatAllowed = false, ...options }: UploadOptions
): Either.Either<multipart.Fields, TranslateError.TranslateError> =>
  Either.mapBoth(
    encoders[isAnyFormatAllowed ? 1 : 0]!({
      file: options.filename === undefined ? { name, size } : { size },
      ...options
    }),
    {
      onLeft: ({ issue }) => TranslateError.invalidRequest(Document.upload, Violation.fromIssue(issue)),
      onRight: ({ file: _, ...fields }) =>
        Object.entries(fields).flatMap(([name, value]) =>
          [value ?? []].flat().map((value) => [name, value] as const)
        )
    }
  )

const wrongSize = (size: number, bytes: number) =>
  TranslateError.invalidRequest(Document.upload, [
    {
      field: "file.size",
      rule: `is ${size}, but the file holds ${bytes > size ? "more" : `only ${bytes}`} bytes: give its exact size, and do not change it meanwhile`
    }
  ])

type Bytes = Chunk.Chunk<Uint8Array>

const bytesOf = (chunk: Bytes): number => {
  let bytes = 0
  for (const { length } of chunk) bytes += length
  return bytes
}

/**
 * The bytes, and at their end whether they were as many as were announced. A channel, since an effect for each chunk
 * would keep all of them alive until V8's next full collection.
 */
const exactly = <E, E2>(
  stream: Stream.Stream<Uint8Array, E>,
  size: number,
  wrong: (bytes: number) => E2
): Stream.Stream<Uint8Array, E | E2> => {
  const after = (before: number): Channel.Channel<Bytes, Bytes, E | E2, E, unknown, unknown> =>
    Channel.readWithCause({
      onInput: (chunk: Bytes) => {
        const bytes = before + bytesOf(chunk)
        return bytes > size
          ? Channel.fail(wrong(bytes))
          : Channel.flatMap(Channel.write(chunk), () => after(bytes))
      },
      onFailure: Channel.failCause,
      onDone: () => (before < size ? Channel.fail(wrong(before)) : Channel.void)
    })
  return Stream.pipeThroughChannel(stream, after(0))
}

/** The stream, until a value is another one than at its beginning. */
const whileSame =
  (value: () => number) =>
  <A, E>(stream: Stream.Stream<A, E>): Stream.Stream<A, E> =>
    Stream.suspend(() => {
      const before = value()
      return Stream.takeWhile(stream, () => value() === before)
    })

interface Upload {
  readonly body: HttpBody.HttpBody
  readonly size: number
  /** Why the file could not be read, if so. */
  readonly broken: () => Cause.Cause<unknown> | undefined
  /** Whoever reads the file for an attempt that is over stops. */
  readonly stopReading: () => void
}

const uploader = ({ api, call, region }: Endpoints) => {
  const send = call(
    Document.upload,
    "never",
    ({ body, broken, stopReading }: Upload) =>
      Effect.gen(function* () {
        const current = yield* CurrentCall
        current.amend = HttpClientRequest.setBody(body)
        yield* Effect.addFinalizer(() => Effect.sync(stopReading))
        // Another body goes in its place: the transports do not stream a form.
        return yield* Effect.catchAll(api.documents.upload({ payload: new FormData() }), (error) =>
          // It has no place among the errors of a call, and ends all attempts: `upload` takes it out again.
          Effect.fail(broken() === undefined ? error : TranslateError.invalidRequest(current, []))
        )
      }),
    { size: ({ size }) => size / share, busy: uploadBusy }
  )

  return <E>(
    source: DocumentSource<E>,
    options: UploadOptions
  ): Effect.Effect<DocumentHandle, TranslateError.TranslateError | E> =>
    Effect.gen(function* () {
      yield* StyleRules.check(region, Document.upload, options)
      const fields = yield* fieldsOf(source, options)
      const { content, size } = source
      let broken: Cause.Cause<TranslateError.TranslateError | E> | undefined
      let stopped = 0
      const body = yield* multipart.make(fields, {
        name: source.name,
        size,
        content:
          content instanceof Uint8Array
            ? content
            : exactly(content, size, (bytes) => wrongSize(size, bytes)).pipe(
                Stream.tapErrorCause((cause) =>
                  Effect.sync(() => {
                    if (!Cause.isInterruptedOnly(cause)) broken = cause
                  })
                ),
                // Once it is cut, fetch reads on to the end.
                whileSame(() => stopped)
              )
      })
      const upload = {
        body,
        size,
        broken: () => broken,
        stopReading: () => {
          stopped++
        }
      }
      const sent = Effect.catchAll(send(upload), (error) =>
        broken === undefined ? Effect.fail(error) : Effect.failCause(broken)
      )
      const { documentId, documentKey } = yield* source.isRepeatable
        ? sent
        : RetryPolicy.adjusted({ maxAttempts: 1 })(sent)
      const name = options.filename ?? source.name
      return {
        documentId,
        documentKey,
        name,
        translatedName: Document.translatedName(name, options.outputFormat),
        targetLang: LanguageCode.canonical(options.targetLang)
      }
    })
}

interface Download extends Access {
  /** Where the connection belongs once the attempt has succeeded. */
  readonly scope: Scope.Scope
}

const downloader = ({ api, call }: Endpoints): Documents["download"] => {
  const open = call(
    Document.download,
    "never",
    ({ documentId, documentKey, scope }: Download) =>
      Effect.gen(function* () {
        const current = yield* CurrentCall
        // Not all transports decode: what is encoded on the way would be taken for the translation.
        current.amend = HttpClientRequest.setHeader("accept-encoding", "identity")
        const attempt = yield* Effect.scope
        const connection = yield* Scope.fork(scope, ExecutionStrategy.sequential)
        yield* Scope.addFinalizer(attempt, Scope.close(connection, Exit.void))
        const [, response] = yield* Scope.extend(
          api.documents.download({ path: { documentId }, payload: { documentKey }, withResponse: true }),
          connection
        )
        return { call: current, close: Scope.close(connection, Exit.void), response }
      }),
    { busy: downloadBusy }
  )

  return ({ documentId, documentKey }, { idleTimeout = "1 minute" } = {}) =>
    Stream.unwrapScoped(
      Effect.gen(function* () {
        const after = Duration.decode(idleTimeout)
        const { call, close, response } = yield* RetryPolicy.adjusted({ timeout: after })(
          open({ documentId, documentKey, scope: yield* Effect.scope })
        )
        // The length of an encoded answer is not that of its bytes here.
        const size = Number(
          response.headers["content-encoding"] === undefined ? response.headers["content-length"] : undefined
        )
        const clock = yield* Effect.clock
        let received = 0
        let isIdle = false
        /** Nothing while the consumer is at work. */
        let waitingSince: number | undefined
        const watch: Effect.Effect<void> = Effect.suspend(() => {
          const now = clock.unsafeCurrentTimeMillis()
          const left = (waitingSince ?? now) + Duration.toMillis(after) - now
          if (left > 0) return Effect.flatMap(Effect.sleep(left), () => watch)
          isIdle = true
          return close
        })
        yield* Effect.forkScoped(watch)
        const incomplete = Channel.suspend(() => Channel.fail(answer.incomplete(call, received, size)))
        // One stage does all, since each more costs every chunk.
        const next: Channel.Channel<
          Bytes,
          Bytes,
          TranslateError.TranslateError,
          HttpClientError.HttpClientError,
          unknown,
          unknown
        > = Channel.suspend(() => {
          waitingSince = clock.unsafeCurrentTimeMillis()
          return piece
        })
        const piece = Channel.readWithCause({
          onInput: (bytes: Bytes) => {
            waitingSince = undefined
            received += bytesOf(bytes)
            return received > size ? incomplete : Channel.flatMap(Channel.write(bytes), () => next)
          },
          onFailure: (cause: Cause.Cause<HttpClientError.HttpClientError>) =>
            Channel.failCause(
              Cause.map(cause, (error) =>
                isIdle ? answer.idle(call, after) : answer.transportError(call, error)
              )
            ),
          onDone: () => (received < size ? incomplete : Channel.void)
        })
        return Stream.pipeThroughChannel(response.stream, next)
      })
    )
}

export const make = (endpoints: Endpoints): Documents => {
  const { api, call } = endpoints
  return {
    upload: uploader(endpoints),
    status: call(Document.status, "free", ({ documentId, documentKey }: Access) =>
      Effect.map(
        api.documents.status({ path: { documentId }, payload: { documentKey }, withResponse: true }),
        ([status, { request }]) =>
          status.errorMessage === undefined
            ? status
            : { ...status, errorMessage: answer.ownWords(request, status.errorMessage) }
      )
    ),
    download: downloader(endpoints)
  }
}
