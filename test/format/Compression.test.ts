/** Compressed bytes, read and written by the tools of others. */
import * as zlib from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import { Compression } from "effect-translate/formats"

const hasZstd = "createZstdCompress" in zlib

const codecs = [
  [Compression.gzip, zlib.gzipSync, zlib.gunzipSync],
  [
    Compression.brotli,
    (bytes: Uint8Array) =>
      zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }),
    zlib.brotliDecompressSync
  ]
] as const

const pieces = (bytes: Uint8Array, size: number) =>
  Stream.fromIterable(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.slice(index * size, (index + 1) * size)
    )
  )

const whole = <E>(self: Stream.Stream<Uint8Array, E>) =>
  Effect.map(Stream.runCollect(self), (chunks) => Buffer.concat(Chunk.toReadonlyArray(chunks)))

const text = Buffer.from(Array.from({ length: 50_000 }, (_, index) => `row ${index * 7919}\n`).join(""))

describe("Compression", () => {
  for (const [compression, compress, decompress] of codecs) {
    it.effect(`${compression.name} reads bytes that others write, and others read its own`, () =>
      Effect.gen(function* () {
        const read = whole(compression.decompress()(pieces(compress(text), 1000)))
        expect((yield* read).equals(text)).toBe(true)
        expect(decompress(yield* whole(compression.compress(pieces(text, 777)))).equals(text)).toBe(true)
        expect(decompress(yield* whole(compression.compress(Stream.empty))).length).toBe(0)
      })
    )

    it.effect(
      `${compression.name} refuses bytes that are cut or something else, and reads a beginning that is one`,
      () =>
        Effect.gen(function* () {
          const bytes = compress(text)
          const cut = bytes.subarray(0, bytes.length - 20)
          for (const wrong of [cut, Buffer.from("id,title\n1,Mug\n")]) {
            const error = yield* Effect.flip(whole(compression.decompress()(pieces(wrong, 4096))))
            expect(error).toMatchObject({ _tag: "CompressionError", reason: "corrupt" })
            expect(error.message).not.toContain("Mug")
          }
          const head = yield* whole(
            compression.decompress({ isBeginning: true })(pieces(bytes.subarray(0, 20_000), 4096))
          )
          expect(head.length).toBeGreaterThan(20_000)
          expect(text.subarray(0, head.length).equals(head)).toBe(true)
        })
    )
  }

  it.effect("hands on the error of its input, and ends its reading when nobody reads on", () =>
    Effect.gen(function* () {
      const failing = Stream.concat(pieces(text, 65_536), Stream.fail("broken" as const))
      expect(yield* Effect.flip(whole(Compression.gzip.compress(failing)))).toBe("broken")
      let isClosed = false
      const endless = Stream.ensuring(
        Stream.repeatValue(new Uint8Array(zlib.gzipSync(text))),
        Effect.sync(() => {
          isClosed = true
        })
      )
      expect(yield* Stream.runCount(Stream.take(Compression.gzip.decompress()(endless), 3))).toBe(3)
      expect(isClosed).toBe(true)
    })
  )

  it.effect("reads several gzip files behind each other as one", () =>
    Effect.gen(function* () {
      const both = Buffer.concat([zlib.gzipSync("a\n"), zlib.gzipSync("b\n")])
      expect((yield* whole(Compression.gzip.decompress()(pieces(both, 7)))).toString()).toBe("a\nb\n")
    })
  )

  it.effect(`zstd ${hasZstd ? "reads its own output" : "says that this Node lacks it"}`, () =>
    Effect.gen(function* () {
      const { compress, decompress } = Compression.zstd
      const result = yield* Effect.either(whole(decompress()(compress(pieces(text, 777)))))
      if (hasZstd) expect(Either.getOrThrow(result).equals(text)).toBe(true)
      else {
        expect(result).toMatchObject({ left: { reason: "unavailable" } })
        expect(Either.flip(result).pipe(Either.getOrThrow).message).toContain("22.15")
      }
    })
  )

  it("is found by the ending of a name, in any casing", () => {
    expect(Compression.ofPath("a/b.CSV.GZ")).toEqual({ compression: Compression.gzip, path: "a/b.CSV" })
    expect(Compression.ofPath("gz")).toEqual({ compression: undefined, path: "gz" })
  })
})
