import { sha256 } from "@noble/hashes/sha2"
import { bytesToHex } from "@noble/hashes/utils"
import { encoder } from "./utf8.js"

/** 128 bits of the SHA-256 of a text, as 32 hexadecimal digits. */
export const hash = (text: string): string => bytesToHex(sha256(encoder.encode(text)).subarray(0, 16))

/** The same of bytes that come in pieces. */
export const makeByteHash = (): {
  readonly update: (bytes: Uint8Array) => void
  readonly digest: () => string
} => {
  const state = sha256.create()
  return {
    update: (bytes) => {
      state.update(bytes)
    },
    digest: () => bytesToHex(state.digest().subarray(0, 16))
  }
}
