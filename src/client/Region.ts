/**
 * Where the service is: one regional data center, of the paid or the free tier.
 *
 * @since 0.1.0
 */
import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as ServiceKind from "../api/ServiceKind.js"

/**
 * Where the service is.
 *
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** The base address, without a trailing slash; a gateway's path prefix stays. */
  readonly url: string
  /** The tier of the subscription, if known: style rules are for the paid tier only. */
  readonly tier?: "paid" | "free" | undefined
  /** The service's name in stores of translations, if it is not its address. */
  readonly name?: string | undefined
  /** The kind of service: all that differs between services of this shape. @default `ServiceKind.specification` */
  readonly kind?: ServiceKind.ServiceKind | undefined
}

/**
 * Options of {@link make} and {@link layer}.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The base address of the paid tier, the free tier, or a region. */
  readonly url: string | URL
  /** The tier of the subscription. @default unknown: the service decides */
  readonly tier?: "paid" | "free" | undefined
  /**
   * A name for stores of translations, such as "emulator" or "test": paid translations are found again at another
   * address of the same name, and never for a service without it. @default the base address
   */
  readonly name?: string | undefined
  /**
   * The kind of the service: scheme, header of custom tags, relaxed rules, documents, and free characters. Give the name
   * of a known one, or another one as data. It is no part of the service's name in stores of translations. @default
   * "specification"
   */
  readonly kind?: ServiceKind.Name | ServiceKind.ServiceKind | undefined
}

/**
 * The region that a client talks to.
 *
 * Source: service specification, introduction and Authentication, 5.
 *
 * @since 0.1.0
 * @category tags
 */
export class Region extends Context.Tag("effect-translate/Region")<Region, Service>() {}

const variable = "LANGUAGE_SERVICE_URL"
const nameVariable = "LANGUAGE_SERVICE_NAME"

/**
 * The kind of the service of a region.
 *
 * @since 0.1.0
 * @category accessors
 */
export const kindOf: (service: Service) => ServiceKind.ServiceKind = ({ kind = ServiceKind.specification }) =>
  kind

/**
 * Where the values of a region come from.
 *
 * @since 0.1.0
 * @category models
 */
export interface ConfigOptions {
  /** The base address. @default `LANGUAGE_SERVICE_URL` */
  readonly url?: Config.Config<string | URL> | undefined
  /** The tier of the subscription. @default `LANGUAGE_SERVICE_TIER`, "paid" or "free"; unknown without it */
  readonly tier?: Config.Config<"paid" | "free" | undefined> | undefined
  /**
   * The name of the service for stores of translations. @default `LANGUAGE_SERVICE_NAME` if `url` is not set; else the base
   * address
   */
  readonly name?: Config.Config<string | undefined> | undefined
  /** The kind of the service. @default `LANGUAGE_SERVICE_KIND`, "specification" or "deepl"; "specification" without it */
  readonly kind?: Config.Config<ServiceKind.Name | ServiceKind.ServiceKind | undefined> | undefined
}

/**
 * The first words of the service's paths: `translate` of `/v2/translate`.
 *
 * @internal
 */
export const words: ReadonlyArray<string> = [
  "translate",
  "document",
  "usage",
  "languages",
  "style_rules",
  "glossaries",
  "glossary-language-pairs",
  "translation_memories",
  "write",
  "voice",
  "admin"
]

/** The part of a path before the service's own. A gateway may have a `v2` of its own. */
const prefixOf = (pathname: string): string => {
  const path = pathname.replace(/\/+$/, "")
  const [, prefix = path, word] = /^(.*)\/v[23](?:\/([^/]+).*)?$/.exec(path) ?? []
  return (word === undefined || words.includes(word) ? prefix : path).replace(/\/+$/, "")
}

const makeFor =
  (name: string) =>
  ({ kind, name: called, tier, url: given }: Options): Either.Either<Service, ConfigError.ConfigError> => {
    const invalid = (problem: string) =>
      Either.left(
        ConfigError.InvalidData([name], `${problem}: give the service's base address, such as https://host`)
      )
    const text = String(given).trim()
    if (!URL.canParse(text)) return invalid("The base address is not a URL")
    const url = new URL(text)
    if (url.protocol !== "https:" && url.protocol !== "http:")
      return invalid("The base address is not an http(s) URL")
    if (url.username !== "" || url.password !== "") return invalid("The base address carries credentials")
    if (called?.trim() === "") {
      return Either.left(
        ConfigError.InvalidData([nameVariable], "The name is empty: give one or leave it out")
      )
    }
    return Either.right({
      url: url.origin + prefixOf(url.pathname),
      tier,
      name: called,
      kind: typeof kind === "string" ? ServiceKind.kinds[kind] : kind
    })
  }

/**
 * Makes a region from a base address. A trailing slash, a query, and a path of the service (`/v2/translate`) are removed.
 *
 * Errors: `ConfigError` if the address is not an http(s) URL, or has a user name or password.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options: Options) => Either.Either<Service, ConfigError.ConfigError> = makeFor(variable)

/**
 * A region from its base address.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<Region, ConfigError.ConfigError> =>
  Layer.effect(Region, make(options))

const tierOfEnvironment = Config.literal(
  "paid",
  "free"
)("LANGUAGE_SERVICE_TIER").pipe(Config.withDefault(undefined))

/**
 * The name of the kind of the service in the configuration: `LANGUAGE_SERVICE_KIND`; `undefined` without it.
 *
 * @since 0.1.0
 * @category accessors
 */
export const kindConfig: Config.Config<ServiceKind.Name | undefined> = Config.literal(
  "specification",
  "deepl"
)("LANGUAGE_SERVICE_KIND").pipe(Config.withDefault(undefined))

const nameOfEnvironment = Config.string(nameVariable).pipe(Config.withDefault(undefined))

/**
 * A region from the configuration: `LANGUAGE_SERVICE_URL`, `LANGUAGE_SERVICE_TIER`, `LANGUAGE_SERVICE_NAME` and `LANGUAGE_SERVICE_KIND`, unless told
 * otherwise.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig: (options?: ConfigOptions) => Layer.Layer<Region, ConfigError.ConfigError> = ({
  kind,
  name,
  tier,
  url
} = {}) =>
  Layer.effect(
    Region,
    Effect.flatMap(
      Config.all({
        url: url ?? Config.string(variable),
        tier: tier ?? tierOfEnvironment,
        kind: kind ?? kindConfig,
        name: name ?? (url === undefined ? nameOfEnvironment : Config.succeed(undefined))
      }),
      makeFor(url === undefined ? variable : "url")
    )
  )
