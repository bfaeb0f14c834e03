/** `node:zlib`, where there is one: other runtimes decode bodies by themselves, so nothing imports it. */

/** The used part of a stream of `node:zlib`. */
export interface Transform extends AsyncIterable<Uint8Array> {
  readonly write: (bytes: Uint8Array, done: () => void) => void
  readonly end: () => void
  readonly destroy: (error?: Error) => void
  readonly on: (event: "error", listener: () => void) => void
}

type Decode = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array

export type Create = (options: {
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
