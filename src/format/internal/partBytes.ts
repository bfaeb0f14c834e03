import * as Chunk from "effect/Chunk"
import * as Stream from "effect/Stream"
import * as charset from "./charset.js"

interface Part {
  readonly raw: string
  readonly encoding?: charset.Encoding | undefined
}

/** The bytes of a file from its parts. */
export const encode = <E, R>(self: Stream.Stream<Part, E, R>): Stream.Stream<Uint8Array, E, R> =>
  Stream.mapChunks(self, (parts) => {
    const pieces: Array<Uint8Array> = []
    let text = ""
    let encoding: charset.Encoding = "utf-8"
    for (const part of parts) {
      const next = part.encoding ?? "utf-8"
      if (next !== encoding && text !== "") {
        pieces.push(charset.encode(text, encoding))
        text = ""
      }
      encoding = next
      text += part.raw
    }
    if (text !== "") pieces.push(charset.encode(text, encoding))
    return Chunk.unsafeFromArray(pieces)
  })
