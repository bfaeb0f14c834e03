/** A store of objects on a free port, which keeps what it was asked, and fails as a test wants. */
import { createHash, createHmac } from "node:crypto"
import * as Http from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { S3Storage } from "effect-translate/storage"

/** A request, without what signs it. */
export interface Asked {
  readonly method: string
  readonly url: string
  readonly range: string | undefined
  readonly ifMatch: string | undefined
}

/** Another answer than that of the store. */
export interface Answer {
  readonly status: number
  /** The code of the error. @default that of the status */
  readonly code?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/**
 * The outcome of a request: another answer, an answer that is cut behind so many bytes, one that is lost on its way, or none at all.
 */
export type Fault = Answer | { readonly cutAfter: number } | "lost" | "late" | undefined

interface S3rver {
  readonly callback: () => Http.RequestListener
  readonly configureBuckets: () => Promise<unknown>
}

const Server = createRequire(import.meta.url)("s3rver") as new (options: object) => S3rver

const errorOf = ({ code, status }: Answer) =>
  `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code ?? (status === 503 ? "SlowDown" : "InternalError")}</Code></Error>`

/** Lets so many bytes of an answer through, and ends the connection then. */
const cut = (response: Http.ServerResponse, after: number) => {
  let left = after
  const write = response.write.bind(response)
  response.write = ((piece: Uint8Array, ...rest: ReadonlyArray<never>) => {
    if (piece.length < left) {
      left -= piece.length
      return write(piece, ...rest)
    }
    write(piece.subarray(0, left), () => response.socket?.destroy())
    left = 0
    return true
  }) as typeof response.write
}

/** The keys that the store takes. */
export const keys = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" }

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest()

const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

/** Whether a request is signed with the secret key: the store itself does not look. */
const isSigned = ({ headers, method, url = "" }: Http.IncomingMessage): boolean => {
  const [, scope = "", names = "", signature] =
    /Credential=[^/]+\/(.+?), ?SignedHeaders=(.+?), ?Signature=(\w+)/.exec(headers.authorization ?? "") ?? []
  const { pathname, searchParams } = new URL(url, "http://localhost")
  const request = [
    method,
    pathname
      .split("/")
      .map((name) => encoded(decodeURIComponent(name)))
      .join("/"),
    [...searchParams]
      .map((pair) => pair.map(encoded).join("="))
      .sort()
      .join("&"),
    ...names.split(";").map((name) => `${name}:${headers[name]}`),
    "",
    names,
    headers["x-amz-content-sha256"]
  ].join("\n")
  const hash = createHash("sha256").update(request).digest("hex")
  const text = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, hash].join("\n")
  const key = scope.split("/").reduce<string | Buffer>(hmac, `AWS4${keys.secretAccessKey}`)
  return hmac(key, text).toString("hex") === signature
}

/** A store with the bucket `corpora`. The answer to a request, or what becomes of it, is for `disturb` to say. */
export const make: (
  disturb?: (asked: Asked) => Fault
) => Effect.Effect<
  { readonly endpoint: string; readonly port: number; readonly asked: ReadonlyArray<Asked> },
  never,
  Scope.Scope | FileSystem.FileSystem
> = Effect.fn(function* (disturb = () => undefined) {
  const fs = yield* FileSystem.FileSystem
  const directory = yield* Effect.orDie(fs.makeTempDirectoryScoped())
  const store = new Server({ directory, silent: true, configureBuckets: [{ name: "corpora" }] })
  yield* Effect.promise(() => store.configureBuckets())
  const answer = store.callback()
  const asked: Array<Asked> = []
  const server = Http.createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const { headers, method = "", url = "" } = request
    const one = { method, url, range: headers.range, ifMatch: headers["if-match"] }
    asked.push(one)
    const fault = isSigned(request) ? disturb(one) : { status: 403, code: "SignatureDoesNotMatch" }
    if (fault === undefined) return answer(request, response)
    if (fault === "lost") {
      // It is done, and nobody hears of it.
      response.end = () => response.socket?.destroy() as never
      return answer(request, response)
    }
    if (fault === "late") return
    if ("status" in fault) {
      request.resume()
      return response.writeHead(fault.status, fault.headers).end(errorOf(fault))
    }
    cut(response, fault.cutAfter)
    return answer(request, response)
  })
  yield* Effect.acquireRelease(
    Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )
  const { port } = server.address() as AddressInfo
  return { endpoint: `http://127.0.0.1:${port}`, port, asked }
})

/** What programs need to use a store. */
export const envOf = (endpoint: string) => ({
  AWS_ENDPOINT_URL: endpoint,
  AWS_ACCESS_KEY_ID: keys.accessKeyId,
  AWS_SECRET_ACCESS_KEY: keys.secretAccessKey
})

const encoder = new TextEncoder()

/** The same with objects in it, and a storage that writes parts of some kilobytes. */
export const withObjects = (objects: Readonly<Record<string, string>>, disturb?: (asked: Asked) => Fault) =>
  Effect.gen(function* () {
    const { asked, endpoint } = yield* make(disturb)
    const credentials = {
      accessKeyId: keys.accessKeyId,
      secretAccessKey: Redacted.make(keys.secretAccessKey)
    }
    const storage = yield* S3Storage.make({
      credentials,
      endpoint,
      partBytes: 4000,
      retry: Schedule.recurs(3)
    })
    const put = (key: string, bytes: Stream.Stream<Uint8Array>) =>
      storage.draft(`s3://corpora/${key}`, bytes).pipe(
        Effect.flatMap(({ publish }) => publish),
        Effect.scoped
      )
    const putText = (key: string, text: string) => put(key, Stream.make(encoder.encode(text)))
    const bytesOf = (key: string) =>
      Stream.unwrap(Effect.map(storage.open(`s3://corpora/${key}`), ({ bytes }) => bytes))
    for (const [key, text] of Object.entries(objects)) yield* putText(key, text)
    return {
      asked,
      endpoint,
      storage,
      put,
      putText,
      bytesOf,
      textOf: (key: string) => bytesOf(key).pipe(Stream.decodeText(), Stream.mkString),
      keys: Effect.map(Stream.runCollect(storage.list("s3://corpora/")), (entries) =>
        Array.from(entries, ({ address }) => address.slice("s3://corpora/".length))
      )
    }
  })
