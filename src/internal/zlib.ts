/** `node:zlib`, where there is one: other runtimes decode bodies by themselves, so nothing imports it. */

/** The used part of a stream of `node:zlib`. */
export interface Transform extends AsyncIterable<Uint8Array> {
  readonly write: (bytes: Uint8Array, done: () => void) => void
  readonly end: () => void
  readonly destroy: (error?: Error) => void
  readonly on: (event: "error", listener: () => void) => void
}

type Decode = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array

type Create = (options: {
  readonly chunkSize: number
  readonly finishFlush?: number
  readonly params?: Readonly<Record<number, number>>
}) => Transform

export interface Zlib {
  readonly gunzipSync: Decode
  readonly inflateSync: Decode
  readonly inflateRawSync: Decode
  readonly brotliDecompressSync: Decode
  readonly createGzip: Create
  readonly createGunzip: Create
  readonly createBrotliCompress: Create
  readonly createBrotliDecompress: Create
  readonly createZstdCompress?: Create
  readonly createZstdDecompress?: Create
  readonly constants: {
    readonly BROTLI_OPERATION_FLUSH: number
    readonly BROTLI_PARAM_QUALITY: number
    readonly Z_SYNC_FLUSH: number
    readonly ZSTD_e_flush?: number
  }
}

interface Runtime {
  readonly process?: { readonly getBuiltinModule?: (id: "node:zlib") => Zlib | undefined }
}

export const zlib: Zlib | undefined = (globalThis as Runtime).process?.getBuiltinModule?.("node:zlib")

/** Functions for compressing and decompressing, where they are known. */
export interface Codec {
  readonly compressor: (() => Transform) | undefined
  readonly decompressor: ((isBeginning: boolean) => Transform) | undefined
}

const chunkSize = 131_072

/** A codec of two functions of `node:zlib`; `finishFlush` ends a stream that is cut. */
const codec = (
  compress: Create | undefined,
  decompress: Create | undefined,
  finishFlush: number | undefined,
  params: Readonly<Record<number, number>> = {}
): Codec => ({
  compressor: compress && (() => compress({ chunkSize, params })),
  decompressor:
    decompress &&
    ((isBeginning) =>
      decompress({ chunkSize, ...(isBeginning && finishFlush !== undefined ? { finishFlush } : {}) }))
})

export const gzip = codec(zlib?.createGzip, zlib?.createGunzip, zlib?.constants.Z_SYNC_FLUSH)

export const brotli = codec(
  zlib?.createBrotliCompress,
  zlib?.createBrotliDecompress,
  zlib?.constants.BROTLI_OPERATION_FLUSH,
  zlib && { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 }
)

export const zstd = codec(zlib?.createZstdCompress, zlib?.createZstdDecompress, zlib?.constants.ZSTD_e_flush)
