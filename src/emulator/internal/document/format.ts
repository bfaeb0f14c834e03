import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Format from "../../../format/Format.js"
import { DocumentFailure, type FileTranslator } from "./fileTranslator.js"

/** The most bytes of a file that is read as a whole: its parts take some twenty times as much memory. */
export const maxBytes = 32_000_000

/** Translates all units of a file by the codecs of its format. */
export const translateFormat =
  (format: Format.Format, targetLang: string): FileTranslator =>
  (content, translator) =>
    Stream.succeed(content).pipe(
      format.decode({ targetLang, maxBytes }),
      Stream.mapChunksEffect((parts) =>
        Effect.zipLeft(
          Effect.forEach(parts, (part) =>
            Effect.mapError(
              Format.write(
                part,
                part.units.map(({ text }) =>
                  format.tagHandling === undefined
                    ? translator.translate(text)
                    : translator.translateMarkup(text)
                )
              ),
              (problem) => Format.formatError(format.name, undefined, problem)
            )
          ).pipe(Effect.map(Chunk.unsafeFromArray)),
          Effect.yieldNow()
        )
      ),
      Format.encode,
      Stream.runCollect,
      Effect.mapBoth({
        onFailure: ({ message }) => new DocumentFailure({ message: `The file cannot be read: ${message}` }),
        onSuccess: (pieces) => Buffer.concat(Chunk.toReadonlyArray(pieces) as Array<Uint8Array>)
      })
    )
