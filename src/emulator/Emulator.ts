/**
 * An emulator of the service: the contract's endpoints over state in memory, pseudo-translation for translation, a meter
 * of billed characters, and faults on demand.
 *
 * @since 0.1.0
 */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as HttpServer from "@effect/platform/HttpServer"
import type * as HttpServerError from "@effect/platform/HttpServerError"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as ServiceKind from "../api/ServiceKind.js"
import type * as TranslationMemory from "../api/TranslationMemory.js"
import * as Region from "../client/Region.js"
import * as TranslateClient from "../client/TranslateClient.js"
import * as BoundedServer from "../workflow/BoundedServer.js"
import type * as Fault from "./Fault.js"
import * as app from "./internal/app.js"
import * as inProcess from "./internal/inProcess.js"
import * as nodeHost from "./internal/nodeHost.js"
import type { Meter } from "./Meter.js"
import type { StateFile } from "./StateFile.js"

/**
 * A running emulator.
 *
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** The base address, such as `http://127.0.0.1:43210`. */
  readonly url: string
  /** The kind of service that it plays. */
  readonly kind: ServiceKind.ServiceKind
  /** The counts of requests and billed characters so far. */
  readonly meter: Effect.Effect<Meter>
  /** Appends faults. A request gets the first one that matches it and has repetitions left, and no other. */
  readonly script: (faults: Fault.Fault | ReadonlyArray<Fault.Fault>) => Effect.Effect<void>
  /** Drops the faults that have not happened yet. */
  readonly clear: Effect.Effect<void>
}

/**
 * A running emulator.
 *
 * @since 0.1.0
 * @category tags
 */
export class Emulator extends Context.Tag("effect-translate/Emulator")<Emulator, Service>() {}

/**
 * The key that an emulator accepts by default. It is of no use elsewhere.
 *
 * @since 0.1.0
 * @category constants
 */
export const defaultKey = "emulator-key"

/**
 * The admin key that an emulator accepts by default. It manages the account of {@link defaultKey}.
 *
 * @since 0.1.0
 * @category constants
 */
export const defaultAdminKey = "emulator-admin-key"

/**
 * The keys that an emulator accepts by default: {@link defaultKey} and {@link defaultAdminKey}, of one account.
 *
 * @since 0.1.0
 * @category constants
 */
export const defaultKeys: ReadonlyArray<KeyOptions> = [
  { key: defaultKey, account: "default" },
  { key: defaultAdminKey, account: "default", admin: true }
]

/**
 * A key that an emulator accepts.
 *
 * @since 0.1.0
 * @category models
 */
export interface KeyOptions {
  /** The key, as clients send it. */
  readonly key: string
  /** The most characters for this key in a month; 0 blocks all use, `null` is no limit. @default null */
  readonly characterLimit?: number | null | undefined
  /** The name of its account: keys of one account share its limit and its usage. @default an account of its own */
  readonly account?: string | undefined
  /** Makes it an admin key: it opens `/v2/admin/...` of its account and nothing else. @default false */
  readonly admin?: boolean | undefined
  /** The tier of its subscription. @default "paid" */
  readonly tier?: "paid" | "free" | undefined
  /** The permissions on translation memories: `translation_memories:read`, `translation_memories:write`. @default everything */
  readonly scopes?: ReadonlyArray<string> | undefined
}

/**
 * The emulator's treatment of documents.
 *
 * @since 0.1.0
 * @category models
 */
export interface DocumentOptions {
  /** The time for which each document is `queued`. @default 0 */
  readonly queueTime?: Duration.DurationInput | undefined
  /** The time for which each document is `translating` after that. @default 0 */
  readonly translationTime?: Duration.DurationInput | undefined
  /** The value of `seconds_remaining`: the time that is left, or always 2147483647. @default "honest" */
  readonly secondsRemaining?: "honest" | "absurd" | undefined
  /** The most documents of a key that wait for their download; uploads get a 429 beyond. @default no limit */
  readonly maxWaiting?: number | undefined
  /** The most bytes of a file; 413 beyond, as soon as they have come. @default 500,000,000 */
  readonly maxBytes?: number | undefined
}

/**
 * The emulator's treatment of imports and exports of translation memories.
 *
 * @since 0.1.0
 * @category models
 */
export interface TranslationMemoryJobOptions {
  /** The time for which an import is still `awaiting_input` once its file has come. @default 0 */
  readonly inputTime?: Duration.DurationInput | undefined
  /** The time for which each job is `processing`. @default 0: it is done at once */
  readonly processingTime?: Duration.DurationInput | undefined
}

/**
 * Settings of an emulator.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The accepted keys. @default Emulator.defaultKey, and Emulator.defaultAdminKey in the same account */
  readonly keys?: ReadonlyArray<string | KeyOptions> | undefined
  /** The most characters for each account in a month; 0 blocks all use, `null` is no limit. @default null */
  readonly characterLimit?: number | null | undefined
  /**
   * The kind of service that it emulates: its relaxed rules, its languages and documents, its billing, and the fields of
   * its answers. @default "specification"
   */
  readonly kind?: ServiceKind.Name | ServiceKind.ServiceKind | undefined
  /** The scheme word of the `Authorization` header. @default that of the kind: "Service-Auth-Key" of the specification */
  readonly scheme?: string | undefined
  /**
   * The answer to requests with the key in the query or the body (`auth_key`): 403, or in the "brownout" 403 for about
   * every second one of the paid tier, and for all of the free tier. @default "reject"
   */
  readonly deprecatedAuth?: "reject" | "brownout" | undefined
  /** The header that brings the custom tag of a request. @default that of the kind: "X-Custom-Tag" of the specification */
  readonly customTagHeader?: string | undefined
  /** The duration of a request. It is worked on and billed at the end, so an interrupted request bills nothing. @default 0 */
  readonly latency?: Duration.DurationInput | undefined
  /** The most requests at once; 429 beyond. @default no limit */
  readonly maxConcurrent?: number | undefined
  /**
   * The most requests per second, of all keys together; 429 beyond. It is a token bucket: up to one second's worth may come at once
   * after a pause. A request that is refused takes nothing from it. @default no limit
   */
  readonly requestsPerSecond?: number | undefined
  /**
   * The `Retry-After` of a 429 by `maxConcurrent` and `requestsPerSecond`, in whole seconds; `null` leaves the header
   * out.
   * @default 1
   */
  readonly retryAfter?: number | null | undefined
  /** The most bytes of a body for which the service states no limit, uploads aside; 413 beyond. @default 100,000,000 */
  readonly maxBodyBytes?: number | undefined
  /** Faults from the start, as if scripted. @default none */
  readonly faults?: ReadonlyArray<Fault.Fault> | undefined
  /** The translation memories of every account, without segments; imports make others. @default none */
  readonly translationMemories?: ReadonlyArray<TranslationMemory.TranslationMemory> | undefined
  /** The treatment of imports and exports of translation memories. @default they are done at once */
  readonly translationMemoryJobs?: TranslationMemoryJobOptions | undefined
  /**
   * The answer to a new custom instruction: the list that it is in, as in the specification, or the instruction itself,
   * as from the public service. @default "list" for the kind "specification", else "instruction"
   */
  readonly instructionAnswer?: "list" | "instruction" | undefined
  /**
   * Takes languages, writing styles, tones, translation memories and parameters of texts that the service does not know, and
   * `latency_optimized` together with any of them, which it refuses otherwise. @default false
   */
  readonly allowUnknown?: boolean | undefined
  /**
   * Changes letters of texts wherever they are, also in placeholders and in tags, but for markup and ignored elements of requests with
   * `tag_handling`: as services do now and then. @default false: syntax of all kinds stays
   */
  readonly rough?: boolean | undefined
  /** A file that keeps the accounts, from `StateFile.open`. Its keys go on working beside those of `keys`. @default none */
  readonly state?: StateFile | undefined
  /** The treatment of documents. @default they are translated at once, without limits */
  readonly documents?: DocumentOptions | undefined
}

/**
 * Settings of an emulator with a server of its own.
 *
 * @since 0.1.0
 * @category models
 */
export interface NodeOptions extends Options {
  /** The port on 127.0.0.1. @default a free one */
  readonly port?: number | undefined
}

const documentSettings = (options: DocumentOptions): app.Settings["documents"] => ({
  queueMillis: Duration.toMillis(options.queueTime ?? 0),
  translationMillis: Duration.toMillis(options.translationTime ?? 0),
  isEstimateAbsurd: options.secondsRemaining === "absurd",
  maxWaiting: options.maxWaiting ?? Number.POSITIVE_INFINITY,
  maxBytes: options.maxBytes ?? 500_000_000
})

const kindOf = ({ kind = "specification" }: Options): ServiceKind.ServiceKind =>
  typeof kind === "string" ? ServiceKind.kinds[kind] : kind

const isSpecified = (options: Options): boolean => kindOf(options).name === ServiceKind.specification.name

const settingsOf = (options: Options): app.Settings => ({
  kind: kindOf(options),
  keys: (options.keys ?? defaultKeys)
    .map((key): KeyOptions => (typeof key === "string" ? { key } : key))
    .map(({ account, admin = false, characterLimit = null, key, scopes, tier = "paid" }) => ({
      key,
      account,
      isAdmin: admin,
      tier,
      scopes,
      characterLimit
    })),
  characterLimit: options.characterLimit ?? null,
  scheme: options.scheme ?? kindOf(options).scheme,
  hasBrownout: options.deprecatedAuth === "brownout",
  customTagHeader: (options.customTagHeader ?? kindOf(options).customTagHeader).toLowerCase(),
  latency: Duration.decode(options.latency ?? 0),
  maxConcurrent: options.maxConcurrent ?? Number.POSITIVE_INFINITY,
  requestsPerSecond: options.requestsPerSecond ?? Number.POSITIVE_INFINITY,
  retryAfter: options.retryAfter === undefined ? 1 : options.retryAfter,
  maxBodyBytes: options.maxBodyBytes ?? 100_000_000,
  faults: options.faults ?? [],
  translationMemories: options.translationMemories ?? [],
  translationMemoryJobs: {
    inputMillis: Duration.toMillis(options.translationMemoryJobs?.inputTime ?? 0),
    processingMillis: Duration.toMillis(options.translationMemoryJobs?.processingTime ?? 0)
  },
  documents: documentSettings(options.documents ?? {}),
  answersInstruction:
    (options.instructionAnswer ?? (isSpecified(options) ? "list" : "instruction")) === "instruction",
  allowsUnknown: options.allowUnknown ?? false,
  isRough: options.rough ?? false,
  state: options.state
})

const service = (url: string, options: Options, { meter, script }: app.Parts): Service => ({
  url,
  kind: kindOf(options),
  meter: Effect.sync(() => meter.snapshot()),
  script: (faults) => Effect.sync(() => script.add("kind" in faults ? [faults] : faults)),
  clear: Effect.sync(() => script.clear())
})

/** The address of a server that listens on all interfaces is on the loopback. */
const urlOf = (address: HttpServer.Address): string =>
  HttpServer.formatAddress(
    address._tag === "TcpAddress" && address.hostname === "0.0.0.0"
      ? { ...address, hostname: "127.0.0.1" }
      : address
  )

/**
 * Serves an emulator on the given server. Each layer has its own state. Cutting connections works with the server
 * of `@effect/platform-node`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options = {}): Layer.Layer<Emulator, never, HttpServer.HttpServer> =>
  Layer.scoped(
    Emulator,
    Effect.gen(function* () {
      const server = yield* HttpServer.HttpServer
      const parts = yield* app.make(settingsOf(options))
      yield* nodeHost.serve(parts.app)
      return service(urlOf(server.address), options, parts)
    })
  )

/**
 * Serves an emulator on 127.0.0.1. Closing its scope cuts requests in flight. Fails if the port is taken.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerNode = (options: NodeOptions = {}): Layer.Layer<Emulator, HttpServerError.ServeError> =>
  Layer.suspend(() => {
    const server = BoundedServer.make()
    return layer(options).pipe(
      Layer.provide(
        Layer.scopedDiscard(Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections())))
      ),
      Layer.provide(NodeHttpServer.layerServer(() => server, { port: options.port ?? 0, host: "127.0.0.1" }))
    )
  })

const inProcessUrl = "http://emulator.localhost"

/** The name of the service for stores of translations. */
const name = "emulator"

/**
 * Answers the requests of an `HttpClient` in process, without a socket, for any host.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerHttpClient = (options: Options = {}): Layer.Layer<Emulator | HttpClient.HttpClient> =>
  Layer.scopedContext(
    Effect.map(app.make(settingsOf(options)), (parts) =>
      Context.merge(
        Context.make(Emulator, service(inProcessUrl, options, parts)),
        inProcess.context(parts.app)
      )
    )
  )

/**
 * Settings of an emulator and of a client of it.
 *
 * @since 0.1.0
 * @category models
 */
export interface ClientOptions extends Options {
  /** Values of the client. @default the first key of `keys`, and what `TranslateClient.layer` takes by default */
  readonly client?: Partial<Omit<TranslateClient.Options, "kind" | "url">> | undefined
}

/**
 * For tests, in one line: an emulator in process, and a client and a translator of it, as {@link layerHttpClient} and
 * `TranslateClient.layer` make them.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerClient = (
  settings: ClientOptions = {}
): Layer.Layer<Emulator | HttpClient.HttpClient | TranslateClient.Provided> => {
  const { client, ...options } = settings
  const [first = defaultKey] = options.keys ?? []
  const key = Redacted.make(typeof first === "string" ? first : first.key)
  return TranslateClient.layer({ url: inProcessUrl, name, kind: kindOf(options), key, ...client }).pipe(
    Layer.orDie,
    Layer.provideMerge(layerHttpClient(options))
  )
}

/**
 * The region of a running emulator, by the name "emulator": a store finds its translations again, whatever the port, and
 * keeps them apart from those of a real service.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerRegion: Layer.Layer<Region.Region, never, Emulator> = Layer.effect(
  Region.Region,
  Effect.map(Emulator, ({ kind, url }) => ({ url, name, kind }))
)
