import { Chunk, Effect, Either, Stream } from "effect"
import * as Format from "../../src/format/Format.js"

/** What tests of formats share. */

export const bytesOf = (text: string | Uint8Array): Uint8Array =>
  typeof text === "string" ? new TextEncoder().encode(text) : text

export const textOf = (chunks: Iterable<Uint8Array>): string => Buffer.concat([...chunks]).toString("utf8")

const languages: Format.DecodeOptions = { sourceLang: "en", targetLang: "de" }

/** The parts of a file, which arrives in pieces of some bytes. */
export const partsOf = (
  format: Format.Format,
  file: string | Uint8Array,
  options: Partial<Format.DecodeOptions> & { readonly chunkSize?: number } = {}
): Effect.Effect<ReadonlyArray<Format.Part>, Format.FormatError> => {
  const bytes = bytesOf(file)
  const size = options.chunkSize ?? Math.max(1, bytes.length)
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.slice(index * size, (index + 1) * size)
  )
  return Stream.fromIterable(pieces).pipe(
    Stream.rechunk(1),
    format.decode({ ...languages, ...options }),
    Stream.runCollect,
    Effect.map(Chunk.toReadonlyArray)
  )
}

/** The units of a file. */
export const unitsOf = (
  format: Format.Format,
  file: string | Uint8Array,
  options?: Partial<Format.DecodeOptions>
): Effect.Effect<ReadonlyArray<Format.Unit>, Format.FormatError> =>
  Effect.map(partsOf(format, file, options), (parts) => parts.flatMap(({ units }) => units))

/** The texts of a file by their keys. */
export const textsOf = (
  format: Format.Format,
  file: string | Uint8Array,
  options?: Partial<Format.DecodeOptions>
): Effect.Effect<Record<string, string>, Format.FormatError> =>
  Effect.map(unitsOf(format, file, options), (units) =>
    Object.fromEntries(units.map(({ key, text }) => [key, text]))
  )

/** The bytes of a file in which each unit becomes what a function makes of it; `undefined` leaves it. */
export const rewriteBytes = (
  format: Format.Format,
  file: string | Uint8Array,
  translate: (unit: Format.Unit) => string | undefined,
  options?: Partial<Format.DecodeOptions> & { readonly chunkSize?: number }
): Effect.Effect<Uint8Array, Format.FormatError> =>
  Effect.flatMap(partsOf(format, file, options), (parts) =>
    Stream.fromIterable(parts).pipe(
      Stream.mapEffect((part) =>
        Effect.mapError(Format.write(part, part.units.map(translate)), (problem) =>
          Format.formatError(format.name, undefined, problem)
        )
      ),
      Format.encode,
      Stream.runCollect,
      Effect.map((chunks) => new Uint8Array(Buffer.concat([...chunks])))
    )
  )

/** The text of a file in which each unit becomes what a function makes of it. */
export const rewrite = (
  format: Format.Format,
  file: string | Uint8Array,
  translate: (unit: Format.Unit) => string | undefined,
  options?: Partial<Format.DecodeOptions> & { readonly chunkSize?: number }
): Effect.Effect<string, Format.FormatError> =>
  Effect.map(rewriteBytes(format, file, translate, options), (bytes) => textOf([bytes]))

/** The file with all units left as they are. */
export const untouched = (
  format: Format.Format,
  file: string | Uint8Array,
  options?: Partial<Format.DecodeOptions> & { readonly chunkSize?: number }
): Effect.Effect<string, Format.FormatError> => rewrite(format, file, () => undefined, options)

/** The file with each unit written anew with its own text: the same bytes, if the writer escapes as people do. */
export const writtenAnew = (
  format: Format.Format,
  file: string | Uint8Array,
  options?: Partial<Format.DecodeOptions>
): Effect.Effect<string, Format.FormatError> => rewrite(format, file, ({ text }) => text, options)

/** The existing target with all units of the source, or why they can't be merged. */
export const merge = (
  format: Format.Format,
  source: string,
  target: string,
  options: Partial<Format.MergeOptions> = {}
): Effect.Effect<string, Format.Problem> =>
  Effect.suspend(() =>
    Either.match(format.merge!(source, target, { ...languages, removed: "keep", ...options }), {
      onLeft: Effect.fail,
      onRight: Effect.succeed
    })
  )
