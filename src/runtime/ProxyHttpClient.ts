/**
 * An HTTP client of Node that goes through a proxy, which the environment or the program names.
 *
 * @since 0.1.0
 */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Undici from "@effect/platform-node/Undici"
import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as noProxyList from "./internal/noProxy.js"
import * as privateAddress from "./internal/privateAddress.js"

/**
 * Which hosts a client reaches.
 *
 * @since 0.1.0
 * @category models
 */
export interface Reach {
  /**
   * Refuses hosts on private networks and on this machine, by the address to which the name of each connection leads. Behind
   * a proxy names are looked up by the proxy, which has to refuse them itself. @default false
   */
  readonly publicOnly?: boolean | undefined
}

/**
 * Options of {@link make} and {@link layer}.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends Reach {
  /**
   * The proxy for addresses with `https:`, such as `http://proxy:8080`. A name and a password before the host, `user:password@`, are
   * percent-encoded. `https://` is a proxy that is reached by TLS; SOCKS is not supported. @default no proxy
   */
  readonly httpsProxy?: string | Redacted.Redacted | undefined
  /** The proxy for addresses with `http:`. @default no proxy */
  readonly httpProxy?: string | Redacted.Redacted | undefined
  /**
   * The hosts that are reached without a proxy: hosts with their subdomains (`example.com`, `.example.com`), addresses
   * and subnets (`10.0.0.0/8`), each with a port or without, and `*` for all; with commas or whitespace between them.
   * @default nothing
   */
  readonly noProxy?: string | undefined
}

/**
 * The way to an address: direct or through a proxy.
 *
 * @since 0.1.0
 * @category models
 */
export interface Way {
  /** The address of the proxy, which may hold a password. @default no proxy */
  readonly proxy: Redacted.Redacted<URL> | undefined
  /** The same for people, without name and password: "through the proxy http://proxy:8080 (HTTPS_PROXY)". */
  readonly description: string
}

/**
 * The ways to addresses.
 *
 * @since 0.1.0
 * @category models
 */
export interface Proxies {
  /** The way to an address. */
  readonly wayTo: (url: URL) => Way
}

/** A proxy, and the name of its setting. */
interface Proxy {
  readonly name: string
  readonly address: Redacted.Redacted<URL>
}

const invalid = (name: string) =>
  ConfigError.InvalidData(
    [name],
    "This is no address of an HTTP proxy: give one such as http://host:8080, or http://user:password@host:8080 with %40 for an @ within the password"
  )

/** As other programs, it takes an address without `http://`. */
const proxyOf = (
  name: string,
  given: string | Redacted.Redacted
): Either.Either<Proxy, ConfigError.ConfigError> => {
  const text = (Redacted.isRedacted(given) ? Redacted.value(given) : given).trim()
  const address = text.includes("://") ? text : `http://${text}`
  if (!URL.canParse(address)) return Either.left(invalid(name))
  const url = new URL(address)
  const isReadable = [url.username, url.password].every((part) =>
    Either.isRight(Encoding.decodeUriComponent(part))
  )
  return isReadable && (url.protocol === "http:" || url.protocol === "https:")
    ? Either.right({ name, address: Redacted.make(url) })
    : Either.left(invalid(name))
}

const direct = (why: string): Way => ({ proxy: undefined, description: `directly${why}` })

const through = ({ address, name }: Proxy): Way => {
  const { host, protocol } = Redacted.value(address)
  return { proxy: address, description: `through the proxy ${protocol}//${host} (${name})` }
}

/** The ways of some proxies. Unless a program names them, hosts on this machine are reached without them. */
const proxies = (
  {
    http,
    https,
    noProxy
  }: {
    readonly http: Proxy | undefined
    readonly https: Proxy | undefined
    readonly noProxy: string
  },
  isOfEnvironment: boolean
): Proxies => {
  const isExempt = noProxyList.matcher(noProxy)
  return {
    wayTo: (url) => {
      const proxy = url.protocol === "https:" ? https : http
      if (proxy === undefined) return direct("")
      if (isExempt(url)) return direct(", as NO_PROXY names it")
      if (isOfEnvironment && noProxyList.isLoopback(url)) return direct(", as it is on this machine")
      return through(proxy)
    }
  }
}

const given = (name: string, proxy: string | Redacted.Redacted | undefined) =>
  proxy === undefined ? Either.right(undefined) : proxyOf(name, proxy)

/**
 * Makes ways from options. They hold for this machine too (`localhost`), unless `noProxy` names it.
 *
 * Errors: `ConfigError` if a proxy is no http(s) URL. Its address is never part of the message.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options: Options) => Either.Either<Proxies, ConfigError.ConfigError> = ({
  httpProxy,
  httpsProxy,
  noProxy = ""
}) =>
  Either.map(
    Either.all({ http: given("httpProxy", httpProxy), https: given("httpsProxy", httpsProxy) }),
    (both) => proxies({ ...both, noProxy }, false)
  )

/** A variable by its name in small letters, which comes first, or in capitals. An empty one counts as not set. */
const variable = (name: string) =>
  Config.nonEmptyString(name.toLowerCase()).pipe(
    Config.orElse(() => Config.nonEmptyString(name)),
    Config.withDefault(undefined)
  )

const proxyOfEnvironment = (...names: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    for (const name of names) {
      const found = yield* variable(name)
      if (found !== undefined) return yield* proxyOf(name, found)
    }
    return undefined
  })

const own = "LANGUAGE_SERVICE_PROXY"

/** The value that turns proxies off, whatever else the environment says. */
const none = "none"

/**
 * Where the proxy of a client comes from.
 *
 * @since 0.1.0
 * @category models
 */
export interface ConfigOptions extends Reach {
  /**
   * The proxy for all addresses, or "none" for no proxy. It comes before all other variables but `NO_PROXY`.
   * @default that of `LANGUAGE_SERVICE_PROXY`
   */
  readonly proxy?: Config.Config<Redacted.Redacted | undefined> | undefined
}

const proxyOfService = Config.redacted(Config.nonEmptyString(own)).pipe(Config.withDefault(undefined))

/**
 * Ways from the configuration: `LANGUAGE_SERVICE_PROXY`, or else `HTTPS_PROXY` for `https:`, `HTTP_PROXY` for `http:` and `ALL_PROXY` for
 * both; and `NO_PROXY`. Names in small letters come first, as with other programs. The proxies of the last three don't hold for this
 * machine (`localhost`, `127.0.0.1`, `::1`).
 *
 * Errors: `ConfigError` if a proxy is no http(s) URL. Its address is never part of the message.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromConfig: (options?: ConfigOptions) => Effect.Effect<Proxies, ConfigError.ConfigError> = ({
  proxy = proxyOfService
} = {}) =>
  Effect.gen(function* () {
    const noProxy = (yield* variable("NO_PROXY")) ?? ""
    const named = yield* proxy
    if (named !== undefined) {
      const all = Redacted.value(named) === none ? undefined : yield* proxyOf(own, named)
      return proxies({ http: all, https: all, noProxy }, false)
    }
    const https = yield* proxyOfEnvironment("HTTPS_PROXY", "ALL_PROXY")
    const http = yield* proxyOfEnvironment("HTTP_PROXY", "ALL_PROXY")
    return proxies({ http, https, noProxy }, true)
  })

const decoded = (part: string): string => Either.getOrElse(Encoding.decodeUriComponent(part), () => part)

/** The header that identifies the client to a proxy. */
const authorization = ({ password, username }: URL): string | undefined =>
  username === "" && password === ""
    ? undefined
    : `Basic ${Encoding.encodeBase64(`${decoded(username)}:${decoded(password)}`)}`

/** The connections to an origin: its own, or those through a proxy. `https:` is tunnelled, `http:` is asked of the proxy itself. */
const connections =
  ({ wayTo }: Proxies, { publicOnly = false }: Reach) =>
  (origin: string | URL, options: object): Undici.Dispatcher => {
    const url = new URL(origin)
    const { proxy } = wayTo(url)
    if (publicOnly && (proxy === undefined || privateAddress.isPrivateHost(url.hostname))) {
      return new Undici.Pool(origin, { ...options, connect: privateAddress.connector() })
    }
    if (proxy === undefined) return new Undici.Pool(origin, options)
    const proxyUrl = Redacted.value(proxy)
    const token = authorization(proxyUrl)
    return new Undici.ProxyAgent({
      uri: proxyUrl.origin,
      proxyTunnel: false,
      ...(token === undefined ? {} : { token })
    })
  }

const layerOf = (proxies: Proxies, reach: Reach): Layer.Layer<HttpClient.HttpClient> =>
  NodeHttpClient.layerUndiciWithoutDispatcher.pipe(
    Layer.provide(
      Layer.scoped(
        NodeHttpClient.Dispatcher,
        Effect.acquireRelease(
          Effect.sync(() => new Undici.Agent({ factory: connections(proxies, reach) })),
          (agent) => Effect.promise(() => agent.destroy())
        )
      )
    )
  )

/**
 * A client on undici, as `NodeHttpClient.layerUndici`, that goes through the proxies of the options: see {@link make}.
 *
 *     Layer.provide(Translator.layerConfig(), ProxyHttpClient.layer({ httpsProxy: "http://proxy:8080" }))
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<HttpClient.HttpClient, ConfigError.ConfigError> =>
  Layer.unwrapEffect(Effect.map(make(options), (proxies) => layerOf(proxies, options)))

/**
 * A client on undici, as `NodeHttpClient.layerUndici`, that goes through the proxies of the configuration: see {@link fromConfig}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = (
  options: ConfigOptions = {}
): Layer.Layer<HttpClient.HttpClient, ConfigError.ConfigError> =>
  Layer.unwrapEffect(Effect.map(fromConfig(options), (proxies) => layerOf(proxies, options)))
