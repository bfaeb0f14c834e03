import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { concat } from "../../internal/bytes.js"
import type { Problem } from "./problem.js"

/** All bytes of a stream, which are read no further than to the bound. */
export const readWholeFile = <E, R, E2>(
  self: Stream.Stream<Uint8Array, E, R>,
  maxBytes: number,
  toError: (problem: Problem) => E2
): Effect.Effect<Uint8Array, E | E2, R> =>
  Effect.suspend(() => {
    const chunks: Array<Uint8Array> = []
    let size = 0
    return Stream.runForEachChunk(self, (pieces): Effect.Effect<void, E2> => {
      for (const piece of Chunk.toReadonlyArray(pieces)) {
        size += piece.length
        if (size > maxBytes) {
          const message = `the file has more than ${maxBytes} bytes, the most that is read as a whole: split it, or raise \`maxFileBytes\` (--max-file-bytes), if there is memory for up to a hundred times the file.`
          return Effect.fail(toError({ message }))
        }
        chunks.push(piece)
      }
      return Effect.void
    }).pipe(Effect.map(() => concat(chunks)))
  })
