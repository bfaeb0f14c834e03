import type { Readable } from "node:stream"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import yauzl from "yauzl"
import { DocumentFailure } from "./fileTranslator.js"

/** The files in an archive. */
export type Parts = { [name: string]: Uint8Array }

/** What an archive may unpack to, so that a small one can't use up the memory. */
const bounds = {
  files: 5000,
  bytes: 200_000_000,
  /** How many times its own size, of what is larger than `freeBytes`. */
  ratio: 200,
  freeBytes: 10_000_000,
  time: "30 seconds"
} as const

const fail = (message: string) => new DocumentFailure({ message })

const tooLarge = (entries: ReadonlyArray<yauzl.Entry>, size: number): string | undefined => {
  const unpacked = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0)
  if (unpacked > bounds.bytes) return `The archive unpacks to more than ${bounds.bytes} bytes`
  return unpacked > bounds.freeBytes && unpacked > bounds.ratio * size
    ? `The archive unpacks to ${Math.round(unpacked / size)} times its size; the limit is ${bounds.ratio}`
    : undefined
}

const isFolder = ({ fileName }: yauzl.Entry): boolean => fileName.endsWith("/")

/** A file that unpacks to more than its entry says fails, so that the sum of the entries bounds them all. */
const contentOf = (zip: yauzl.ZipFile, entry: yauzl.Entry) =>
  Effect.acquireUseRelease(
    Effect.tryPromise(() => zip.openReadStreamPromise(entry)),
    (content: Readable) =>
      Effect.map(
        Effect.tryPromise((signal) => content.toArray({ signal })),
        (parts: ReadonlyArray<Uint8Array>) => new Uint8Array(Buffer.concat(parts))
      ),
    (content) => Effect.sync(() => content.destroy())
  )

/** The files in an archive of the type. */
export const unpack = (content: Uint8Array, type: string): Effect.Effect<Parts, DocumentFailure> =>
  Effect.gen(function* () {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
    const zip = yield* Effect.tryPromise(() => yauzl.fromBufferPromise(bytes, { lazyEntries: true }))
    if (zip.entryCount > bounds.files) {
      return yield* fail(`The archive holds more than ${bounds.files} files`)
    }
    const entries = Chunk.toReadonlyArray(
      yield* Stream.runCollect(Stream.fromAsyncIterable(zip.eachEntry(), (error) => error))
    )
    const problem = tooLarge(entries, content.length)
    if (problem !== undefined) return yield* fail(problem)
    const parts: Parts = Object.create(null)
    for (const entry of entries) {
      if (!isFolder(entry)) parts[entry.fileName] = yield* contentOf(zip, entry)
    }
    return parts
  }).pipe(
    Effect.timeoutFail({
      duration: bounds.time,
      onTimeout: () => fail(`The archive takes more than ${bounds.time} to unpack`)
    }),
    Effect.mapError((error) =>
      error instanceof DocumentFailure
        ? error
        : fail(`The file is no ${type}: it is no zip archive, or a broken one`)
    )
  )
