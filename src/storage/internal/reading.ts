import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { concat } from "../../internal/bytes.js"
import type { Opened } from "../Storage.js"
import { StorageError } from "../StorageError.js"

/** When a request is sent again; its input is the error. */
export type Retry = Schedule.Schedule<unknown, StorageError>

/** Six repetitions in some 20 seconds: as long as a store that asks to slow down takes to grow. */
export const defaultRetry: Retry = Schedule.exponential("300 millis").pipe(
  Schedule.jitteredWith({ min: 0.5, max: 1 }),
  Schedule.intersect(Schedule.recurs(6))
)

/** The repetitions of those requests that may succeed a little later. */
export const retrying = (retry: Retry): Retry => Schedule.whileInput(retry, ({ isRetryable }) => isRetryable)

/** A version, and a reader of its ranges. */
export interface Version {
  readonly address: string
  readonly size: number
  readonly version: string
  /** The bytes from `start` up to `end`, in one request. */
  readonly range: (start: number, end: number) => Stream.Stream<Uint8Array, StorageError>
}

/** A version of which reads go on where they were cut. */
export const opened = ({ address, range, size, version }: Version, retry: Retry): Opened => {
  const cut = new StorageError({
    address,
    reason: "unavailable",
    detail: "its bytes have ended too early: try it again"
  })
  const bytesOf = (start: number, end: number): Stream.Stream<Uint8Array, StorageError> =>
    Stream.suspend(() => {
      let position = start
      const rest = Stream.suspend(() => (position < end ? range(position, end) : Stream.empty)).pipe(
        Stream.mapChunks(
          Chunk.map((piece) => {
            position += piece.length
            return piece
          })
        ),
        Stream.concat(Stream.suspend(() => (position < end ? Stream.fail(cut) : Stream.empty)))
      )
      return Stream.retry(rest, retrying(retry))
    })
  return {
    size,
    version,
    read: (start, end) =>
      Effect.map(Stream.runCollect(bytesOf(start, Math.min(end, size))), (pieces) =>
        concat(Chunk.toReadonlyArray(pieces))
      ),
    bytes: bytesOf(0, size)
  }
}
