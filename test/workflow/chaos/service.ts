/**
 * The service as a process of its own, behind a door that keeps a log: each request with its times, its answer, what it was billed, and
 * the worker that sent it. A request that has come is done and billed, whatever becomes of its sender.
 *
 * Billing periods may be short: the emulator's clock goes on by a month each time one ends, some time after its quota is used up.
 */
import * as http from "node:http"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { Emulator } from "effect-translate/emulator"
import type { Entry, Meter, ServiceOptions } from "./log.js"

const {
  bare = false,
  host = "127.0.0.1",
  isNumbered = false,
  periodMillis,
  ...options
}: ServiceOptions = JSON.parse(process.argv[2] ?? "{}")

/** Longer than any month. */
const month = 32 * 24 * 3_600_000
let ended = 0
/** When the period ends, whose quota is used up. */
let endsAt = Number.POSITIVE_INFINITY

const periods = () => {
  if (Date.now() >= endsAt) {
    ended++
    endsAt = Number.POSITIVE_INFINITY
  }
  return ended
}

const real = Clock.make()
const now = () => Date.now() + periods() * month
const clock: Clock.Clock = {
  [Clock.ClockTypeId]: Clock.ClockTypeId,
  sleep: real.sleep,
  currentTimeNanos: real.currentTimeNanos,
  unsafeCurrentTimeNanos: () => real.unsafeCurrentTimeNanos(),
  currentTimeMillis: Effect.sync(now),
  unsafeCurrentTimeMillis: now
}

const runtime = ManagedRuntime.make(Emulator.layerHttpClient(options))

interface Answer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

/** When the period ends that was made short, not that of the calendar. */
const withPeriod = (body: string): string => {
  if (periodMillis === undefined) return body
  const end = new Date(Math.min(endsAt, Date.now() + 3_600_000)).toISOString()
  return JSON.stringify({ ...JSON.parse(body), end_time: end })
}

const emulated = async (request: http.IncomingMessage, body: Buffer): Promise<Answer> =>
  runtime.runPromise(
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      const { connection, host, "content-length": _, ...headers } = request.headers
      const asked = HttpClientRequest.make((request.method ?? "GET") as "POST")(
        `http://emulator.localhost${request.url}`
      ).pipe(HttpClientRequest.setHeaders(headers as Record<string, string>))
      const response = yield* client.execute(
        body.length === 0 ? asked : HttpClientRequest.bodyUint8Array(asked, body, headers["content-type"])
      )
      const text = yield* response.text
      return {
        status: response.status,
        headers: response.headers,
        body: request.url === "/v2/usage" && response.status === 200 ? withPeriod(text) : text
      }
    }).pipe(Effect.withClock(clock))
  )

interface Asked {
  readonly texts: ReadonlyArray<string>
  readonly lang: string
}

const askedOf = (body: string): Asked => {
  if (body.startsWith("{")) {
    const { target_lang: lang, text: texts } = JSON.parse(body)
    return { texts, lang }
  }
  const form = new URLSearchParams(body)
  return { texts: form.getAll("text"), lang: form.get("target_lang") ?? "" }
}

const numberOf = (text = ""): number => Number(/\d+/.exec(text)?.[0] ?? -1)

const characters = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Costs next to nothing: for what the emulator itself would slow down. */
const trivial = (texts: ReadonlyArray<string>): Promise<Answer> =>
  new Promise((resolve) =>
    setTimeout(
      () =>
        resolve({
          status: 200,
          headers: { "content-type": "application/json" },
          body: JSON.stringify({
            translations: texts.map((text) => ({
              detected_source_language: "EN",
              text: `<${text}>`,
              billed_characters: characters(text)
            }))
          })
        }),
      Number(options.latency ?? 0)
    )
  )

const log: Array<Entry> = []
const open = new Map<number, Meter["open"][number]>()
let requests = 0

const served = { served: 0, texts: 0, characters: 0 }

const meter = (): Meter => ({ now: Date.now(), requests, ...served, open: [...open.values()] })

const serve = async (
  request: http.IncomingMessage,
  body: Buffer,
  response: http.ServerResponse
): Promise<Answer> => {
  if (request.method !== "POST" || !request.url?.startsWith("/v2/translate")) return emulated(request, body)
  const arrived = Date.now()
  periods()
  const { lang, texts } = askedOf(body.toString())
  const number = requests++
  const entry = {
    arrived,
    texts: texts.length,
    characters: texts.reduce((sum, text) => sum + characters(text), 0),
    worker: Number(request.headers["x-worker"] ?? 0),
    first: numberOf(texts[0]),
    ...(isNumbered ? { numbers: texts.map(numberOf) } : {}),
    lang
  }
  open.set(number, entry)
  const answer = await (bare ? trivial(texts) : emulated(request, body))
  open.delete(number)
  if (answer.status === 456 && periodMillis !== undefined)
    endsAt = Math.min(endsAt, Date.now() + periodMillis)
  log.push({ ...entry, ended: Date.now(), status: answer.status, isLost: response.destroyed })
  if (answer.status === 200) {
    served.served++
    served.texts += entry.texts
    served.characters += entry.characters
  }
  return answer
}

const server = http.createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", async () => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost")
    if (pathname === "/meter") return response.end(JSON.stringify(meter()))
    if (pathname === "/log") return response.end(JSON.stringify(log.slice(Number(searchParams.get("from")))))
    const { body, headers, status } = await serve(request, Buffer.concat(chunks), response)
    if (response.destroyed) return
    const { "content-length": _, "transfer-encoding": __, ...others } = headers
    response.writeHead(status, others)
    response.end(body)
  })
})

server.keepAliveTimeout = 60_000
server.listen(0, host, () => {
  const { port } = server.address() as { readonly port: number }
  process.send?.({ url: `http://${host}:${port}` })
})
process.on("disconnect", () => process.exit(0))
