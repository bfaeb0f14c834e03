import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import * as Predicate from "effect/Predicate"
import { encoder } from "./utf8.js"

/** 128 bits as hexadecimal digits. */
const digits = 32

/** Node's own, where there is Node: SHA-256 in JavaScript takes six times as long, which is 4 % of a job's time for a file. */
const native = globalThis.process?.getBuiltinModule?.("node:crypto")

/** 128 bits of the SHA-256 of a text, as 32 hexadecimal digits. */
export const hash: (text: string) => string =
  native?.hash === undefined
    ? (text) => bytesToHex(sha256(encoder.encode(text))).slice(0, digits)
    : (text) => native.hash("sha256", text).slice(0, digits)

/** The digits of a short hash. */
export const shortDigits = 16

/** 64 bits of it, which tell two versions of one text apart. */
export const shortHash = (text: string): string => hash(text).slice(0, shortDigits)

/** The same of bytes that come in pieces. */
export const makeByteHash = (): {
  readonly update: (bytes: Uint8Array) => void
  readonly digest: () => string
} => {
  const state = native?.createHash("sha256") ?? sha256.create()
  return {
    update: (bytes) => {
      state.update(bytes)
    },
    digest: () => bytesToHex(state.digest()).slice(0, digits)
  }
}

/** The same of bytes. */
export const hashOfBytes = (bytes: Uint8Array): string => {
  const { digest, update } = makeByteHash()
  update(bytes)
  return digest()
}

const sorted = (_key: string, value: unknown): unknown =>
  Predicate.isReadonlyRecord(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** JSON with sorted keys: the same for values that are equal. A key of `undefined` is no key. */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, sorted)
