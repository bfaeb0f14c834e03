/** The rows of a file that is read at any place, and of its output with a column for each language. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ColumnarFormat } from "../../format/Columnar.js"
import type { FormatError, Part } from "../../format/Format.js"
import type { ReadError } from "../FileSourceError.js"
import * as columnarReading from "./columnarReading.js"
import type * as fileReading from "./fileReading.js"

type Parts = Stream.Stream<Part, ReadError | FormatError>

/** The texts of a row group, column by column, with the identities of its rows. */
const withKeys = (texts: columnarReading.OwnFile, keys: columnarReading.OwnFile): Parts =>
  Stream.flatMap(Stream.fromIterable(texts.groups.keys()), (group) =>
    Stream.unwrap(
      Effect.map(Stream.runCollect(keys.parts(group)), (parts) => {
        const values = Chunk.toReadonlyArray(parts).map(({ raw, units }) => (units.length === 0 ? null : raw))
        const { rows } = texts.groups[group]!
        const ids = Array.from({ length: rows }, (_, row) =>
          JSON.stringify(values.filter((_, index) => index % rows === row))
        )
        let index = 0
        return Stream.map(texts.parts(group), (part): Part => ({ ...part, id: ids[index++ % rows]! }))
      })
    )
  )

/** The texts of an opened file, with the identities of their rows by a key. */
const withIds = (
  format: ColumnarFormat,
  file: fileReading.OpenedFile,
  path: string,
  texts: columnarReading.OwnFile
): Parts => {
  const key = format.rows?.key ?? []
  if (key.length === 0) return Stream.map(columnarReading.partsOf(texts), (part) => ({ ...part, id: "" }))
  const options = { options: { path }, format: format.columnar.ofColumns(key) }
  return Stream.unwrap(
    Effect.map(columnarReading.openFor(options, file, [], false), (keys) => withKeys(texts, keys))
  )
}

/** The parts of a file, and those of a language of its output: both have the texts of the source. */
export const parts = (
  format: ColumnarFormat,
  source: {
    readonly file: fileReading.OpenedFile
    readonly path: string
    readonly columnar: columnarReading.OwnFile
  },
  output: { readonly path: string; readonly targetLang: string }
) => {
  const { found } = source.columnar.selection
  const ofOutput = Effect.gen(function* () {
    const { path, targetLang } = output
    const file = yield* columnarReading.open({ path })
    const open = (format: ColumnarFormat) =>
      columnarReading.openFor({ options: { path }, format }, file, [], false)
    const texts = yield* open(format.columnar.ofColumns(found))
    const translated = yield* Effect.catchIf(
      Effect.asSome(open(format.columnar.translated(targetLang, found))),
      // An output that lacks a language has no texts in it.
      (error) => error._tag === "FormatError" && error.choice !== undefined,
      () => Effect.succeedNone
    )
    return translated._tag === "None"
      ? Stream.empty
      : Stream.zipWith(
          withIds(format, file, path, texts),
          columnarReading.partsOf(translated.value),
          (text, translation): Part => ({
            ...text,
            units: text.units.map((unit) => ({ ...unit, translation: translation.units[0]?.text }))
          })
        )
  })
  return {
    isBilingual: true,
    source: withIds(format, source.file, source.path, source.columnar),
    output: Stream.unwrapScoped(ofOutput)
  }
}
