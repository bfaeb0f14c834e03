/** Which hosts are reached without a proxy, as `NO_PROXY` lists them. */
import { BlockList, isIP, isIPv6 } from "node:net"

/** A host and a port, as an address asks for them. */
interface Destination {
  readonly host: string
  readonly port: number
}

type Rule = (destination: Destination) => boolean

const defaultPorts: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 }

const destinationOf = ({ hostname, port, protocol }: URL): Destination => ({
  host: hostname.replace(/^\[|\]$/g, "").replace(/\.$/, ""),
  port: port === "" ? (defaultPorts[protocol] ?? 0) : Number(port)
})

const familyOf = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4")

const isListed =
  (list: BlockList): Rule =>
  ({ host }) =>
    isIP(host) !== 0 && list.check(host, familyOf(host))

/** The addresses of a subnet, such as `10.0.0.0/8`; none if it is none. */
const subnet = (address: string, prefix: number): Rule => {
  const list = new BlockList()
  const most = isIP(address) === 0 ? -1 : isIPv6(address) ? 128 : 32
  if (Number.isInteger(prefix) && prefix >= 0 && prefix <= most)
    list.addSubnet(address, prefix, familyOf(address))
  return isListed(list)
}

const address = (host: string): Rule => {
  const list = new BlockList()
  list.addAddress(host, familyOf(host))
  return isListed(list)
}

const hostRule = (entry: string): Rule => {
  const [host = "", prefix] = entry.split("/")
  if (prefix !== undefined) return subnet(host, Number(prefix))
  if (isIP(host) !== 0) return address(host)
  const name = host.replace(/^\*?\./, "").replace(/\.$/, "")
  return ({ host }) => host === name || host.endsWith(`.${name}`)
}

/** `host`, `.suffix`, `host:port`, `[address]:port`, `address/bits` or `*`. */
const ruleOf = (entry: string): Rule => {
  if (entry === "*") return () => true
  const [, bracketed, plain = bracketed ?? entry, digits] =
    /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? []
  const matches = hostRule(plain)
  return digits === undefined
    ? matches
    : (destination) => destination.port === Number(digits) && matches(destination)
}

/** Returns a function that is `true` for an address that is reached without a proxy. */
export const matcher = (noProxy: string): ((url: URL) => boolean) => {
  const rules = noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .map(ruleOf)
  return (url) => {
    const destination = destinationOf(url)
    return rules.some((matches) => matches(destination))
  }
}

/** True if an address is on this machine. */
export const isLoopback = matcher("localhost,127.0.0.0/8,::1")
