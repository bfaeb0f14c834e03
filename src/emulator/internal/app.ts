import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServer from "@effect/platform/HttpServer"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Record from "effect/Record"
import type * as Scope from "effect/Scope"
import type * as ServiceKind from "../../api/ServiceKind.js"
import * as TranslateApi from "../../api/TranslateApi.js"
import { cachedSuccess } from "../../internal/cachedSuccess.js"
import * as httpApiApp from "../../internal/httpApiApp.js"
import type * as Fault from "../Fault.js"
import { AccountState, type KeyOptions } from "./account.js"
import * as analytics from "./analytics.js"
import { refuse } from "./answer.js"
import * as authorization from "./authorization.js"
import * as body from "./body.js"
import { readBody } from "./bodyReader.js"
import * as developerKeys from "./developerKeys.js"
import * as documentation from "./documentation.js"
import * as documents from "./documents.js"
import * as endpoint from "./endpoint.js"
import * as faults from "./faults.js"
import * as glossaries from "./glossaries.js"
import { GlossaryState } from "./glossaryState.js"
import * as languages from "./languages.js"
import { LanguageTable } from "./languageTable.js"
import * as memoryState from "./memoryState.js"
import { MeterState } from "./meter.js"
import * as monolingualGlossaries from "./monolingualGlossaries.js"
import type { Options } from "./options.js"
import * as persistence from "./persistence.js"
import { RequestRate } from "./requestRate.js"
import * as styleRules from "./styleRules.js"
import { SupportedValues } from "./supportedValues.js"
import * as text from "./text.js"
import * as translationMemories from "./translationMemories.js"
import * as usage from "./usage.js"
import * as validation from "./validation.js"
import * as voice from "./voice.js"
import * as write from "./write.js"

/** The options of an emulator, with its kind and its keys. */
export interface Settings extends Options {
  readonly kind: ServiceKind.ServiceKind
  readonly keys: ReadonlyArray<string | KeyOptions>
}

/** The emulator without its transport: a host runs the app and cuts connections. */
export interface Parts {
  readonly app: HttpApp.Default<faults.ConnectionCut>
  readonly meter: MeterState
  readonly script: faults.FaultScript
}

const schemeOf = ({ kind, scheme = kind.scheme }: Settings): string => scheme

type Response = HttpServerResponse.HttpServerResponse

/** The handlers behind the contract, by group. Nothing is shared with another emulator. */
const makeHandlers = (
  account: AccountState,
  memories: memoryState.MemoryState,
  meter: MeterState,
  { allowUnknown = false, documents: ofDocuments = {}, instructionAnswer, kind, rough = false }: Settings
) => {
  const table = new LanguageTable(kind)
  const supported = new SupportedValues(allowUnknown, kind, table, memories)
  const glossary = new GlossaryState(account, supported)
  const styles = new styleRules.StyleRuleState(account)
  return {
    text: text.handlers(account, styles, glossary, supported, rough),
    styleRules: styleRules.handlers(
      styles,
      instructionAnswer ?? (supported.isSpecified ? "list" : "instruction")
    ),
    documents: documents.handlers(ofDocuments, account, meter, styles, glossary, supported),
    usage: usage.handlers(account, kind),
    developerKeys: developerKeys.handlers(account),
    analytics: analytics.handlers(account),
    write: write.handlers(account, supported),
    languages: languages.handlers(table),
    glossaries: glossaries.handlers(glossary, supported),
    monolingualGlossaries: monolingualGlossaries.handlers(glossary, supported),
    translationMemories: translationMemories.handlers(account, memories),
    voice: voice.handlers(account, supported)
  } satisfies Record<endpoint.Group, unknown>
}

type Handlers = ReturnType<typeof makeHandlers>[endpoint.Group]

/** The services without state, made once. An app has one group of endpoints, and not all of them, as the contract wants. */
const stateless = Layer.build(HttpServer.layerContext).pipe(
  Effect.scoped,
  Effect.map(
    Context.add(HttpApi.Api, {
      api: TranslateApi.TranslateApi as unknown as HttpApi.Api["Type"]["api"],
      context: Context.empty()
    })
  ),
  cachedSuccess
)

/** The app of each group, which is built for its first request: to build all of them takes as long as dozens of requests. */
const makeApis = (
  account: AccountState,
  memories: memoryState.MemoryState,
  meter: MeterState,
  settings: Settings
) =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const fixed = Context.merge(yield* stateless, authorization.context(account, schemeOf(settings)))
    const build = (handlers: Handlers) =>
      Layer.merge(
        handlers as Layer.Layer<never, never, Layer.Layer.Context<Handlers>>,
        validation.layer
      ).pipe(
        Layer.provideMerge(Layer.merge(HttpApiBuilder.Router.Live, HttpApiBuilder.Middleware.layer)),
        Layer.buildWithScope(scope),
        Effect.map(Context.merge(fixed)),
        Effect.flatMap((context) =>
          httpApiApp.make(context, {
            noEndpoint,
            failedMessage: "The emulator failed",
            failed: refuse(500, "The emulator failed")
          })
        ),
        // Of the emulator, not of the request for which it is built.
        Effect.mapInputContext((_: Context.Context<never>) => fixed),
        Effect.uninterruptible,
        cachedSuccess
      )
    return Record.map(makeHandlers(account, memories, meter, settings), build)
  })

const noEndpoint: Response = refuse(404, "There is no such endpoint")

const notFound = (path: string): Response => {
  const methods = endpoint.methods(path)
  return methods.length === 0
    ? noEndpoint
    : refuse(405, `The endpoint knows ${methods.join(", ")} only`, { allow: methods.join(", ") })
}

/** The request as HttpApi reads it: forms and multipart bodies become JSON. */
const withPayload = (request: HttpServerRequest.HttpServerRequest, json: Effect.Effect<unknown, Response>) =>
  Object.create(request, {
    headers: { value: { ...request.headers, "content-type": "application/json" } },
    json: { value: json }
  }) as HttpServerRequest.HttpServerRequest

/** Builds an emulator with its own state. */
export const make = (settings: Settings): Effect.Effect<Parts, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { kind, keys, maxConcurrent = Number.POSITIVE_INFINITY, retryAfter = 1, state } = settings
    const scheme = schemeOf(settings)
    const meter = new MeterState()
    const customTagHeader = (settings.customTagHeader ?? kind.customTagHeader).toLowerCase()
    const account = new AccountState(settings.characterLimit ?? null, customTagHeader, meter)
    const kept = state === undefined ? undefined : yield* persistence.make(state, account)
    yield* Effect.forEach(
      keys
        .map((key) => (typeof key === "string" ? { key } : key))
        .filter(({ key }) => !account.keys.has(key)),
      (key: KeyOptions) => account.add(account.account(key.account), key)
    )
    const script = new faults.FaultScript()
    script.add(settings.faults ?? [])
    const memories = new memoryState.MemoryState(
      settings.translationMemoryJobs ?? {},
      account,
      settings.translationMemories ?? []
    )
    const apis = yield* makeApis(account, memories, meter, settings)
    const forbidden = refuse(403, authorization.forbidden(scheme).message)
    const latency = Duration.toMillis(settings.latency ?? 0)
    const bounds: body.Bounds = {
      body: settings.maxBodyBytes ?? 100_000_000,
      file: settings.documents?.maxBytes ?? 500_000_000
    }
    const rate = new RequestRate(settings.requestsPerSecond ?? Number.POSITIVE_INFINITY)
    const tooMany = retryAfter === null ? {} : { "retry-after": String(retryAfter) }
    let admitted = 0
    let traces = 0
    const withTrace = (response: Response): Response =>
      HttpServerResponse.setHeader(response, "x-trace-id", (++traces).toString(16).padStart(32, "0"))

    const serve = Effect.fnUntraced(function* (
      arrived: HttpServerRequest.HttpServerRequest,
      key: string | undefined,
      isAdmitted: boolean
    ) {
      const due = latency > 0 ? (yield* Clock.currentTimeMillis) + latency : undefined
      const path = endpoint.pathOf(arrived.url)
      const target = endpoint.find(arrived.method, path)
      const isFile = target === undefined && memoryState.isFile(path)
      const received = yield* readBody(arrived, isFile ? bounds.file : body.limitOf(target, bounds))
      meter.receive(key, received.size)
      if (!isAdmitted) return refuse(429, "Too many requests at once", tooMany)
      const payload = target === undefined ? Effect.void : body.payload(arrived, target, received, bounds)
      const { request, json: given } =
        settings.deprecatedAuth === "brownout"
          ? yield* authorization.brownout(account, scheme, arrived, payload)
          : { request: arrived, json: payload }
      let json = Effect.filterOrFail(given, authorization.isKeyless, () => forbidden)
      let fault: Fault.Fault | undefined
      let texts: ReadonlyArray<string> = []
      if (!script.isEmpty) {
        const parsed = yield* Effect.exit(json)
        json = parsed
        const incoming = body.incomingOf(
          parsed._tag === "Success" ? parsed.value : undefined,
          received.content,
          target?.isMultipart === true
        )
        texts = incoming.texts
        fault = yield* script.take({ method: request.method, path, ...incoming })
      }
      const answered =
        target === undefined
          ? isFile
            ? memories.transfer(request.method, path, {
                ...received,
                hasKey: request.headers.authorization !== undefined
              })
            : Effect.succeed(notFound(path))
          : Effect.provideService(
              Effect.flatten(apis[target.group]),
              HttpServerRequest.HttpServerRequest,
              withPayload(request, json)
            )
      const work =
        kept === undefined || target?.method === "GET"
          ? answered
          : Effect.tap(answered, ({ status }) => (status < 300 ? kept.changed(path) : Effect.void))
      const delayed =
        due === undefined
          ? work
          : Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.delay(work, Math.max(0, due - now)))
      if (fault === undefined) return yield* delayed
      meter.faults++
      return yield* faults.applyTo(fault, texts, delayed)
    })

    const app = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const documented = documentation.find(request)
      if (documented !== undefined) return documented
      const key = authorization.keyOf(scheme, request.headers.authorization)
      return Effect.acquireUseRelease(
        Effect.map(Clock.currentTimeMillis, (now) => {
          meter.arrive(key)
          const isAdmitted = admitted < maxConcurrent && rate.take(now)
          if (isAdmitted) admitted++
          return isAdmitted
        }),
        (isAdmitted) =>
          Effect.mapBoth(serve(request, key, isAdmitted), {
            onSuccess: (response) => {
              meter.answer(key, response.status)
              return withTrace(response)
            },
            onFailure: ({ amid }) => new faults.ConnectionCut({ amid: amid && withTrace(amid) })
          }),
        (isAdmitted) =>
          Effect.sync(() => {
            meter.inFlight--
            if (isAdmitted) admitted--
          })
      )
    })
    return { app, meter, script }
  })
