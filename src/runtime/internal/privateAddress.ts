/** Addresses that are on this machine, on a private network, or of no host at all. */
import { type LookupAddress, type LookupOptions, lookup as lookupName } from "node:dns"
import { BlockList, isIP } from "node:net"
import * as Undici from "@effect/platform-node/Undici"

/** As IANA lists them: of special use, and not reachable by all. */
const ipv4 = new BlockList()
for (const [address, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  // That of the metadata of machines in a cloud is among these.
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4]
] as const) {
  ipv4.addSubnet(address, prefix, "ipv4")
}

const globalUnicast = new BlockList()
globalUnicast.addSubnet("2000::", 3, "ipv6")

/** Those within that are for tunnels, for documents, or for a network alone. */
const special = new BlockList()
for (const [address, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20]
] as const) {
  special.addSubnet(address, prefix, "ipv6")
}

const translated = new BlockList()
translated.addSubnet("64:ff9b::", 96, "ipv6")

/** The eight groups of an address, as numbers. */
const groupsOf = (address: string): ReadonlyArray<number> => {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const hex = (high: string, low: string) => ((Number(high) << 8) | Number(low)).toString(16)
  const plain =
    dotted === null ? address : `${dotted[1]}${hex(dotted[2]!, dotted[3]!)}:${hex(dotted[4]!, dotted[5]!)}`
  const [before = "", after] = plain.split("::")
  const read = (part: string) =>
    part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16))
  const [left, right] = [read(before), read(after ?? "")]
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
}

/** The IPv4 address in the last 32 bits. */
const embedded = (address: string): string =>
  groupsOf(address)
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join(".")

const isMapped = (address: string): boolean => {
  const groups = groupsOf(address)
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
}

/** True if an IP address is not public. An address that maps one of IPv4 is like that one. */
export const isPrivate = (address: string): boolean => {
  const family = isIP(address)
  if (family === 4) return ipv4.check(address, "ipv4")
  if (family === 0 || address.includes("%")) return true
  if (isMapped(address) || translated.check(address, "ipv6")) return ipv4.check(embedded(address), "ipv4")
  return !globalUnicast.check(address, "ipv6") || special.check(address, "ipv6")
}

/** An error whose code the storage knows. */
export const refusal = (): Error =>
  Object.assign(new Error("the address is private"), { code: "ERR_PRIVATE_ADDRESS" })

type Lookup = (
  hostname: string,
  options: LookupOptions,
  done: (error: Error | null, address: string | ReadonlyArray<LookupAddress>, family?: number) => void
) => void

/** A look-up of the public addresses of a name: the connection uses only these. */
export const publicLookup =
  (resolve: typeof lookupName = lookupName): Lookup =>
  (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, [])
      const open = addresses.filter(({ address }) => !isPrivate(address))
      const [first] = open
      if (first === undefined) return done(refusal(), [])
      return options.all === true ? done(null, open) : done(null, first.address, first.family)
    })
  }

/** Connects to hosts that everybody can reach. An address in place of a name is not looked up. */
export const connector = (lookup: Lookup = publicLookup()): Undici.buildConnector.connector => {
  const connect = Undici.buildConnector({ lookup: lookup as never })
  return (options, done) => (isPrivateHost(options.hostname) ? done(refusal(), null) : connect(options, done))
}

/** True if the host of a URL is a private address. A name is none yet. */
export const isPrivateHost = (hostname: string): boolean => {
  const host = hostname.replace(/^\[|\]$/g, "")
  return isIP(host) !== 0 && isPrivate(host)
}
