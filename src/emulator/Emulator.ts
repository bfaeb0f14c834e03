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
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as ServiceKind from "../api/ServiceKind.js"
import * as Region from "../client/Region.js"
import * as TranslateClient from "../client/TranslateClient.js"
import * as BoundedServer from "../workflow/BoundedServer.js"
import type * as Fault from "./Fault.js"
import type { KeyOptions } from "./internal/account.js"
import * as app from "./internal/app.js"
import * as inProcess from "./internal/inProcess.js"
import * as nodeHost from "./internal/nodeHost.js"
import type { Options } from "./internal/options.js"
import type { Meter } from "./Meter.js"

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
export type { KeyOptions } from "./internal/account.js"

/**
 * The emulator's treatment of imports and exports of translation memories.
 *
 * @since 0.1.0
 * @category models
 */
export type { TranslationMemoryJobOptions } from "./internal/memoryState.js"

/**
 * Settings of an emulator, and its treatment of documents.
 *
 * @since 0.1.0
 * @category models
 */
export type { DocumentOptions, Options } from "./internal/options.js"

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

const kindOf = ({ kind = "specification" }: Options): ServiceKind.ServiceKind =>
  typeof kind === "string" ? ServiceKind.kinds[kind] : kind

const make = (options: Options) =>
  app.make({ ...options, kind: kindOf(options), keys: options.keys ?? defaultKeys })

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
      const parts = yield* make(options)
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
    Effect.map(make(options), (parts) =>
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
