/** Which addresses are those of hosts that everybody can reach. */
import { describe, expect, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { isPrivate, publicLookup } from "../../src/runtime/internal/privateAddress.js"

const octet = FastCheck.integer({ min: 0, max: 255 })

/** Ways to write an address of IPv4 in one of IPv6. */
const spellings = (address: string) => {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number)
  const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  return [
    `::ffff:${address}`,
    `::ffff:${hex}`,
    `0:0:0:0:0:ffff:${hex}`,
    `64:ff9b::${hex}`,
    `64:ff9b::${address}`
  ]
}

describe("an address", () => {
  it.each([
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "ff02::1",
    "64:ff9b:1::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "no address"
  ])("is refused: %s", (address) => {
    expect(isPrivate(address)).toBe(true)
  })

  it.each([
    "1.1.1.1",
    "8.8.8.8",
    "172.15.255.255",
    "172.32.0.1",
    "100.63.255.255",
    "2606:4700::1111",
    "2a00:1450:4001::1"
  ])("is reached: %s", (address) => {
    expect(isPrivate(address)).toBe(false)
  })

  it.prop("of IPv4 is the same however IPv6 spells it", [octet, octet, octet, octet], (octets) => {
    const address = octets.join(".")
    for (const spelling of spellings(address)) expect(isPrivate(spelling)).toBe(isPrivate(address))
  })
})

describe("a name", () => {
  const lookedUp = (
    addresses: ReadonlyArray<{ readonly address: string; readonly family: number }>,
    all: boolean
  ) => {
    let answer: unknown
    publicLookup(((_: string, _1: unknown, done: (error: null, found: unknown) => void) =>
      done(null, addresses)) as never)("host.test", { all }, (error, address) => {
      answer = error === null ? address : (error as Error & { readonly code: string }).code
    })
    return answer
  }

  it("leads to those of its addresses that are public", () => {
    const both = [
      { address: "127.0.0.1", family: 4 },
      { address: "1.1.1.1", family: 4 }
    ]
    expect(lookedUp(both, true)).toEqual([both[1]])
    expect(lookedUp(both, false)).toBe("1.1.1.1")
  })

  it("that leads to private addresses only is refused", () => {
    expect(lookedUp([{ address: "169.254.169.254", family: 4 }], true)).toBe("ERR_PRIVATE_ADDRESS")
    expect(lookedUp([{ address: "::1", family: 6 }], false)).toBe("ERR_PRIVATE_ADDRESS")
  })
})
