import * as Effect from "effect/Effect"
import * as StoreExchange from "../../../store/StoreExchange.js"
import { Usage } from "../../failure.js"
import { standard } from "../../files.js"

const { csv, jsonl, tmx } = StoreExchange
const codecs = { csv, jsonl, tmx }

/** The format of a file: as told, or as its name says. */
export const codecOf = (
  file: string,
  format: keyof typeof codecs | undefined
): Effect.Effect<StoreExchange.Codec, Usage> => {
  const name = file.toLowerCase()
  const found =
    format === undefined
      ? Object.values(codecs).find(({ extensions }) =>
          extensions.some((extension) => name.endsWith(extension))
        )
      : codecs[format]
  return found === undefined
    ? new Usage({
        message:
          file === standard
            ? "Say the format by --format csv, jsonl or tmx."
            : `${file}: the name must end with .csv, .jsonl or .tmx, or --format say what the file holds.`
      })
    : Effect.succeed(found)
}
