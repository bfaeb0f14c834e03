import type * as HttpClientError from "@effect/platform/HttpClientError"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Cause from "effect/Cause"
import * as Channel from "effect/Channel"
import * as Chunk from "effect/Chunk"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as monotonic from "../../../internal/monotonic.js"
import type { CallError } from "../../TranslateError.js"
import * as documentType from "../checking/documentType.js"
import type { Call } from "./call.js"
import * as multipart from "./multipart.js"
import * as responseBody from "./responseBody.js"
import * as responseErrors from "./responseErrors.js"
import * as timeouts from "./timeouts.js"

type Bytes = Chunk.Chunk<Uint8Array>

/** An answer whose headers have come. */
export interface Answer {
  readonly call: Call
  readonly response: HttpClientResponse.HttpClientResponse
  /** Closes the connection. */
  readonly close: Effect.Effect<void>
}

interface Options {
  readonly idleTimeout: Duration.Duration
  /** The extension of the file; `undefined` if it is not known. */
  readonly type: string | undefined
}

/** The first bytes of pieces. */
const headOf = (pieces: Bytes): Uint8Array => {
  const head = new Uint8Array(Math.min(documentType.headBytes, multipart.byteLength(pieces)))
  let filled = 0
  for (const piece of pieces) {
    const part = piece.subarray(0, head.length - filled)
    head.set(part, filled)
    filled += part.length
  }
  return head
}

/** The bytes of an answer: of a document, as many as announced, and never longer waited for than allowed. */
export const receive = ({ call, close, response }: Answer, { idleTimeout, type }: Options) =>
  Effect.gen(function* () {
    // None was asked for. Bytes that are still encoded are no document.
    const encodings = responseBody.encodingsOf(response)
    if (encodings.length > 0) {
      return Stream.fail<CallError>(responseErrors.undecodable(call, { encoding: encodings.join(", ") }))
    }
    // The length of an encoded answer differs from the bytes here.
    const isEncoded = response.headers["content-encoding"] !== undefined
    const size = Number(isEncoded ? undefined : response.headers["content-length"])
    const clock = yield* Effect.clock
    let received = 0
    let isIdle = false
    /** `undefined` while the consumer is at work. */
    let waitingSince: number | undefined
    const watch: Effect.Effect<void> = Effect.suspend(() => {
      const now = monotonic.millisOf(clock)
      const end = (waitingSince ?? now) + Duration.toMillis(idleTimeout)
      if (end > now) return Effect.flatMap(timeouts.sleepUntil(end), () => watch)
      isIdle = true
      return close
    })
    yield* Effect.forkScoped(watch)
    const wrongLength = Channel.suspend(() => Channel.fail(responseErrors.wrongLength(call, received, size)))
    /** The bytes that are held until the first of them can be judged. */
    let held: Bytes | undefined = Chunk.empty()
    // One stage does all, since each stage costs every chunk.
    const next: Channel.Channel<Bytes, Bytes, CallError, HttpClientError.HttpClientError, unknown, unknown> =
      Channel.suspend(() => {
        waitingSince = monotonic.millisOf(clock)
        return piece
      })
    /** Counts the bytes of an answer that is cut as received. */
    const cut = <E>(failure: Channel.Channel<never, unknown, E, unknown, never, unknown>) =>
      Channel.suspend(() => Channel.flatMap(Channel.write(held ?? Chunk.empty()), () => failure))
    const release = (pieces: Bytes) =>
      Channel.suspend(() => {
        held = undefined
        return documentType.isPossible(type, response.headers["content-type"], headOf(pieces))
          ? Channel.write(pieces)
          : Channel.fail<CallError>(responseErrors.undecodable(call))
      })
    const piece = Channel.readWithCause({
      onInput: (bytes: Bytes) => {
        waitingSince = undefined
        received += multipart.byteLength(bytes)
        if (received > size) return wrongLength
        if (held === undefined) return Channel.flatMap(Channel.write(bytes), () => next)
        held = Chunk.appendAll(held, bytes)
        return received < documentType.headBytes ? next : Channel.flatMap(release(held), () => next)
      },
      onFailure: (cause: Cause.Cause<HttpClientError.HttpClientError>) =>
        cut(
          Channel.failCause(
            Cause.map(cause, (error) =>
              isIdle
                ? responseErrors.timedOut(call, idleTimeout, true)
                : responseErrors.transportError(call, error)
            )
          )
        ),
      onDone: () => (received < size ? cut(wrongLength) : held === undefined ? Channel.void : release(held))
    })
    return Stream.pipeThroughChannel(response.stream, next)
  })
