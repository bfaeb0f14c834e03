/** The hashes of texts and files are the same in Node, whose digest is taken, and where there is none. */
import { describe, it } from "@effect/vitest"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import * as fc from "fast-check"
import { expect } from "vitest"
import { hash, makeByteHash } from "../../src/internal/hash.js"

const expected = (bytes: Uint8Array) => bytesToHex(sha256(bytes)).slice(0, 32)

describe("a hash", () => {
  it("of a text is half of the SHA-256 of its UTF-8", () => {
    fc.assert(
      fc.property(fc.fullUnicodeString(), (text) => {
        expect(hash(text)).toBe(expected(new TextEncoder().encode(text)))
      })
    )
  })

  it("of bytes does not depend on their pieces", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array()), (pieces) => {
        const state = makeByteHash()
        for (const piece of pieces) state.update(piece)
        expect(state.digest()).toBe(expected(Uint8Array.from(pieces.flatMap((piece) => [...piece]))))
      })
    )
  })
})
