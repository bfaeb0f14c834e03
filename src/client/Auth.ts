/**
 * Credentials: admin keys for administration, API keys for all other endpoints.
 *
 * @since 0.1.0
 */
import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"

/**
 * A key and the scheme word before it: together the `Authorization` header.
 *
 * @since 0.1.0
 * @category models
 */
export interface Credentials {
  readonly key: Redacted.Redacted
  /** The scheme word. @default the one of the kind of service */
  readonly scheme?: string | undefined
  /** The account's name in stores of translations, if it is not a hash of its key. */
  readonly account?: string | undefined
}

/**
 * Options of {@link make} and the layers.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The key, without the scheme word. */
  readonly key: Redacted.Redacted
  /** The scheme word before the key. @default the one of the kind of service: "Service-Auth-Key" for the specification */
  readonly scheme?: string | undefined
  /**
   * A name of the account for stores of translations. With a name, a new key of the same account finds the paid translations
   * of the old one. @default a hash of the key
   */
  readonly account?: string | undefined
}

/**
 * The API key of a client.
 *
 * Source: service specification, Authentication, 1.
 *
 * @since 0.1.0
 * @category tags
 */
export class ApiKey extends Context.Tag("effect-translate/ApiKey")<ApiKey, Credentials>() {}

/**
 * The admin key of an admin client.
 *
 * Source: service specification, Authentication, 2.
 *
 * @since 0.1.0
 * @category tags
 */
export class AdminKey extends /* #__PURE__ */ Context.Tag("effect-translate/AdminKey")<
  AdminKey,
  Credentials
>() {}

const keyProblem = (key: string): string | undefined => {
  if (key.trim() === "") return "The key is empty: set it to the key of your subscription"
  if (/[\r\n]/.test(key)) return "The key holds a line break: remove it (a key file often ends in one)"
  return /^[\x21-\x7e]+$/.test(key)
    ? undefined
    : "The key holds a space or a character that no HTTP header takes"
}

const accountVariable = "LANGUAGE_SERVICE_ACCOUNT"

const makeFor =
  (variable: string) =>
  ({ account, key, scheme }: Options): Either.Either<Credentials, ConfigError.ConfigError> => {
    const problem = keyProblem(Redacted.value(key))
    if (problem !== undefined) return Either.left(ConfigError.InvalidData([variable], problem))
    if (account?.trim() === "") {
      return Either.left(
        ConfigError.InvalidData([accountVariable], "The name is empty: give one or leave it out")
      )
    }
    return scheme === undefined || /^[\w!#$%&'*+.^`|~-]+$/.test(scheme)
      ? Either.right({ key, scheme, account })
      : Either.left(ConfigError.InvalidData(["LANGUAGE_SERVICE_SCHEME"], "The scheme must be a single word"))
  }

const apiKeyVariable = "LANGUAGE_SERVICE_KEY"
const adminKeyVariable = "LANGUAGE_SERVICE_ADMIN_KEY"

/**
 * Checks a key and a scheme.
 *
 * Errors: `ConfigError` for an empty key, a key with a line break, a space or a non-ASCII character, and for a
 * scheme that is not one word. The key is never part of the message.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options: Options) => Either.Either<Credentials, ConfigError.ConfigError> =
  makeFor(apiKeyVariable)

/**
 * Where a key and its scheme come from.
 *
 * @since 0.1.0
 * @category models
 */
export interface ConfigOptions {
  /** The key. @default `LANGUAGE_SERVICE_KEY`, for administration `LANGUAGE_SERVICE_ADMIN_KEY` */
  readonly key?: Config.Config<Redacted.Redacted> | undefined
  /** The scheme word before the key. @default `LANGUAGE_SERVICE_SCHEME`, or else the one of the kind of service */
  readonly scheme?: Config.Config<string | undefined> | undefined
  /**
   * The name of the account for stores of translations. @default `LANGUAGE_SERVICE_ACCOUNT` if `key` is not set; else a
   * hash of the key
   */
  readonly account?: Config.Config<string | undefined> | undefined
}

const accountOfEnvironment = Config.string(accountVariable).pipe(Config.withDefault(undefined))

const fromConfig =
  (variable: string) =>
  ({ account, key, scheme }: ConfigOptions = {}): Effect.Effect<Credentials, ConfigError.ConfigError> =>
    Effect.flatMap(
      Config.all({
        // `Config.redacted` would hide that the variable is not set.
        key: key ?? Config.map(Config.string(variable), (value) => Redacted.make(value)),
        scheme: scheme ?? Config.string("LANGUAGE_SERVICE_SCHEME").pipe(Config.withDefault(undefined)),
        account: account ?? (key === undefined ? accountOfEnvironment : Config.succeed(undefined))
      }),
      makeFor(key === undefined ? variable : "key")
    )

/**
 * The API key.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<ApiKey, ConfigError.ConfigError> =>
  Layer.effect(ApiKey, make(options))

/**
 * The API key from the configuration: `LANGUAGE_SERVICE_KEY`, `LANGUAGE_SERVICE_SCHEME` and `LANGUAGE_SERVICE_ACCOUNT`, unless
 * told otherwise.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = (options?: ConfigOptions): Layer.Layer<ApiKey, ConfigError.ConfigError> =>
  Layer.effect(ApiKey, fromConfig(apiKeyVariable)(options))

/**
 * The admin key.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerAdmin = (options: Options): Layer.Layer<AdminKey, ConfigError.ConfigError> =>
  Layer.effect(AdminKey, makeFor(adminKeyVariable)(options))

/**
 * The admin key from the configuration: `LANGUAGE_SERVICE_ADMIN_KEY` and `LANGUAGE_SERVICE_SCHEME`, unless told otherwise.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerAdminConfig = (options?: ConfigOptions): Layer.Layer<AdminKey, ConfigError.ConfigError> =>
  Layer.effect(AdminKey, fromConfig(adminKeyVariable)(options))
