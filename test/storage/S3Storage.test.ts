/** Objects of a bucket: opened as one version, read by ranges, written in parts, and listed. */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { S3Storage, type Storage } from "effect-translate/storage"
import * as bucket from "../support/bucket.js"

const credentials = {
  accessKeyId: bucket.keys.accessKeyId,
  secretAccessKey: Redacted.make(bucket.keys.secretAccessKey)
}

const partBytes = 1000

/** A storage with few small parts, before a store that fails as a test wants. */
const storageWith = (disturb?: Parameters<typeof bucket.make>[0], options: Partial<S3Storage.Options> = {}) =>
  Effect.gen(function* () {
    const { asked, endpoint } = yield* bucket.make(disturb)
    const storage = yield* S3Storage.make({
      credentials,
      endpoint,
      partBytes,
      retry: Schedule.recurs(3),
      ...options
    })
    return { asked, storage }
  })

const run = <A, E>(
  self: Effect.Effect<A, E, Scope.Scope | NodeContext.NodeContext | HttpClient.HttpClient>
) => self.pipe(Effect.scoped, Effect.provide([NodeContext.layer, NodeHttpClient.layerUndici]))

const encoder = new TextEncoder()

const put = (storage: Storage.Service, address: string, text: string) =>
  storage.draft(address, Stream.make(encoder.encode(text))).pipe(
    Effect.flatMap(({ publish }) => publish),
    Effect.scoped
  )

const textOf = (storage: Storage.Service, address: string) =>
  Effect.flatMap(storage.open(address), ({ bytes }) => bytes.pipe(Stream.decodeText(), Stream.mkString))

const listOf = (storage: Storage.Service, prefix: string) =>
  Effect.map(Stream.runCollect(storage.list(prefix)), (entries) =>
    Chunk.toReadonlyArray(entries).map(({ address }) => address)
  )

/** Disturbs the first requests of a kind. */
const first = (times: number, is: (asked: bucket.Asked) => boolean, fault: bucket.Fault) => {
  let left = times
  return (asked: bucket.Asked): bucket.Fault => (is(asked) && left-- > 0 ? fault : undefined)
}

const isGet = ({ method, range }: bucket.Asked) =>
  method === "GET" && range !== undefined && range !== "bytes=0-0"

const address = "s3://corpora/a.csv"

const digits = "0123456789".repeat(250)

describe("a key", () => {
  for (const key of [
    "a.csv",
    "with space.csv",
    "a+b.csv",
    "grüße/日本.csv",
    "100%.csv",
    "q?x=1&y=2#f.csv",
    "(a)'!*.csv",
    "a%2Fb.csv",
    "<&>\"'.csv",
    "~._-.csv"
  ]) {
    it.live(`is signed, written, read and listed as it is: ${key}`, () =>
      run(
        Effect.gen(function* () {
          const { storage } = yield* storageWith()
          yield* put(storage, `s3://corpora/${key}`, "id,title\n")
          expect(yield* textOf(storage, `s3://corpora/${key}`)).toBe("id,title\n")
          expect(yield* listOf(storage, "s3://corpora/")).toEqual([`s3://corpora/${key}`])
        })
      )
    )
  }

  it.live("with a name of dots is refused, and asked of nobody", () =>
    run(
      Effect.gen(function* () {
        const { asked, storage } = yield* storageWith()
        const error = yield* Effect.flip(storage.open("s3://corpora/../other/a.csv"))
        expect(error).toMatchObject({ _tag: "StorageError", reason: "refused" })
        expect(asked).toEqual([])
      })
    )
  )
})

describe("a read", () => {
  it.live("that is cut goes on where it was, in the same version", () =>
    run(
      Effect.gen(function* () {
        const { asked, storage } = yield* storageWith(first(2, isGet, { cutAfter: 700 }))
        yield* put(storage, address, digits)
        const { bytes, version } = yield* storage.open(address)
        expect(yield* bytes.pipe(Stream.decodeText(), Stream.mkString)).toBe(digits)
        expect(asked.filter(isGet)).toMatchObject([
          { range: "bytes=0-2499", ifMatch: version },
          { range: "bytes=700-2499", ifMatch: version },
          { range: "bytes=1400-2499", ifMatch: version }
        ])
      })
    )
  )

  it.live("of a range has its bytes", () =>
    run(
      Effect.gen(function* () {
        const { storage } = yield* storageWith(first(1, isGet, { cutAfter: 3 }))
        yield* put(storage, address, digits)
        const { read, size } = yield* storage.open(address)
        expect(size).toBe(2500)
        expect(new TextDecoder().decode(yield* read(995, 1005))).toBe("5678901234")
      })
    )
  )

  it.live("of an empty object has none", () =>
    run(
      Effect.gen(function* () {
        const { storage } = yield* storageWith()
        yield* put(storage, address, "")
        expect(yield* textOf(storage, address)).toBe("")
      })
    )
  )

  it.live("fails once the object is another one, and never mixes both", () =>
    run(
      Effect.gen(function* () {
        const { storage } = yield* storageWith(first(1, isGet, { cutAfter: 700 }))
        yield* put(storage, address, digits)
        const { bytes } = yield* storage.open(address)
        const read = bytes.pipe(
          Stream.tap(() => put(storage, address, digits.replaceAll("0", "x"))),
          Stream.decodeText(),
          Stream.mkString
        )
        expect(yield* Effect.flip(read)).toMatchObject({ reason: "changed", address })
      })
    )
  )

  it.live("of an earlier version fails", () =>
    run(
      Effect.gen(function* () {
        const { storage } = yield* storageWith()
        yield* put(storage, address, "one")
        const { version } = yield* storage.open(address)
        yield* put(storage, address, "two")
        expect(yield* Effect.flip(storage.open(address, version))).toMatchObject({ reason: "changed" })
      })
    )
  )
})

describe("a store that fails", () => {
  it.live("is asked again, as long as the schedule says", () =>
    run(
      Effect.gen(function* () {
        const isPut = ({ method }: bucket.Asked) => method === "PUT"
        const { asked, storage } = yield* storageWith(first(3, isPut, { status: 503 }))
        yield* put(storage, address, "one")
        expect(asked.map(({ method }) => method)).toEqual(["PUT", "PUT", "PUT", "PUT"])
        expect(yield* textOf(storage, address)).toBe("one")
      })
    )
  )

  it.live("ends the request with its own error", () =>
    run(
      Effect.gen(function* () {
        const { asked, storage } = yield* storageWith(() => ({ status: 503 }))
        expect(yield* Effect.flip(put(storage, address, "one"))).toMatchObject({
          reason: "unavailable",
          isRetryable: true,
          message: "s3://corpora/a.csv: the store answers 503 SlowDown: try it again later"
        })
        expect(asked).toHaveLength(4)
      })
    )
  )

  it.effect("with silence is asked again after the time-out", () =>
    run(
      Effect.gen(function* () {
        const asked = yield* Queue.unbounded<string>()
        const { storage } = yield* storageWith(({ method }) => {
          Queue.unsafeOffer(asked, method)
          return "late"
        })
        const opening = yield* Effect.fork(Effect.flip(storage.open(address)))
        for (let times = 0; times < 4; times++) {
          expect(yield* Queue.take(asked)).toBe("HEAD")
          yield* TestClock.adjust("60 seconds")
        }
        expect(yield* Fiber.join(opening)).toMatchObject({ reason: "unavailable" })
      })
    )
  )

  it.live.each([
    [
      "of another region",
      { status: 301, headers: { "x-amz-bucket-region": "eu-west-1" } },
      "wrongRegion",
      "set AWS_REGION=eu-west-1"
    ],
    [
      "that does not know the key",
      { status: 403, code: "InvalidAccessKeyId" },
      "denied",
      "AWS_ACCESS_KEY_ID"
    ],
    ["whose session has ended", { status: 400, code: "ExpiredToken" }, "denied", "get new ones"],
    ["that gives no right", { status: 403, code: "AccessDenied" }, "denied", "policies"],
    ["without the bucket", { status: 404, code: "NoSuchBucket" }, "noBucket", "its name"]
  ] as const)("%s says so", ([_, answer, reason, advice]) =>
    run(
      Effect.gen(function* () {
        const { storage } = yield* storageWith(() => answer)
        const error = yield* Effect.flip(storage.open(address))
        expect(error).toMatchObject({ reason, isRetryable: false })
        expect(error.message).toContain(advice)
      })
    )
  )

  it.live("takes a wrong secret key for one, and its error does not hold it", () =>
    run(
      Effect.gen(function* () {
        const wrong = { ...credentials, secretAccessKey: Redacted.make("a-secret-nobody-knows") }
        const { storage } = yield* storageWith(undefined, { credentials: wrong })
        const error = yield* Effect.flip(storage.open(address))
        expect(error).toMatchObject({ reason: "denied" })
        expect(JSON.stringify(error)).not.toContain("a-secret-nobody-knows")
      })
    )
  )

  it.live("has no such object: that is no failure of a connection", () =>
    run(
      Effect.gen(function* () {
        const { asked, storage } = yield* storageWith()
        expect(yield* Effect.flip(storage.open(address))).toMatchObject({ reason: "missing" })
        expect(asked.map(({ method }) => method)).toEqual(["HEAD", "GET"])
      })
    )
  )
})

describe("an object of several parts", () => {
  const pieces = Stream.fromIterable(digits.match(/.{1,64}/g)!.map((piece) => encoder.encode(piece)))

  it.live("has its name once it is whole", () =>
    run(
      Effect.gen(function* () {
        const { asked, storage } = yield* storageWith()
        const { publish } = yield* storage.draft(address, pieces)
        expect(yield* listOf(storage, "s3://corpora/")).toEqual([])
        const version = yield* publish
        expect((yield* storage.open(address)).version).toBe(version)
        expect(yield* textOf(storage, address)).toBe(digits)
        expect(asked.filter(({ method }) => method === "PUT")).toHaveLength(3)
      })
    )
  )

  it.live("is sent again in that part that has failed", () =>
    run(
      Effect.gen(function* () {
        const isSecond = ({ method, url }: bucket.Asked) => method === "PUT" && url.includes("partNumber=2")
        const { asked, storage } = yield* storageWith(first(1, isSecond, { status: 503 }))
        const { publish } = yield* storage.draft(address, pieces)
        yield* publish
        expect(yield* textOf(storage, address)).toBe(digits)
        expect(asked.filter(({ method }) => method === "PUT")).toHaveLength(4)
      })
    )
  )

  it.live("is there, though the answer was lost that says so", () =>
    run(
      Effect.gen(function* () {
        const isEnd = ({ method, url }: bucket.Asked) => method === "POST" && url.includes("uploadId=")
        const { asked, storage } = yield* storageWith(first(1, isEnd, "lost"))
        const { publish } = yield* storage.draft(address, pieces)
        const version = yield* publish
        expect((yield* storage.open(address)).version).toBe(version)
        expect(yield* textOf(storage, address)).toBe(digits)
        expect(asked.filter(isEnd).length).toBeGreaterThan(1)
      })
    )
  )

  const aborted = (asked: ReadonlyArray<bucket.Asked>) =>
    asked.filter(({ method, url }) => method === "DELETE" && url.includes("uploadId="))

  it.live("is given up with its scope", () =>
    run(
      Effect.gen(function* () {
        const { asked, storage } = yield* storageWith()
        yield* Effect.scoped(storage.draft(address, pieces))
        expect(aborted(asked)).toHaveLength(1)
        expect(yield* listOf(storage, "s3://corpora/")).toEqual([])
      })
    )
  )

  it.live("is given up if its bytes fail", () =>
    run(
      Effect.gen(function* () {
        const { asked, storage } = yield* storageWith()
        const failing = Stream.concat(pieces, Stream.fail("no more" as const))
        expect(yield* Effect.flip(Effect.scoped(storage.draft(address, failing)))).toBe("no more")
        expect(aborted(asked)).toHaveLength(1)
      })
    )
  )

  it.live("is given up if it is interrupted", () =>
    run(
      Effect.gen(function* () {
        const { asked, storage } = yield* storageWith()
        const begun = yield* Deferred.make<void>()
        const endless = Stream.concat(
          pieces,
          Stream.fromEffect(Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never))
        )
        const writing = yield* Effect.fork(Effect.scoped(storage.draft(address, endless)))
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(writing)
        expect(aborted(asked)).toHaveLength(1)
      })
    )
  )
})

describe("a listing", () => {
  it.effect("has all pages, and keys as they are", () => {
    const page = (keys: ReadonlyArray<string>, next: string) =>
      `<ListBucketResult><EncodingType>url</EncodingType>${keys
        .map((key) => `<Contents><Key>${key}</Key><Size>3</Size></Contents>`)
        .join("")}${next}</ListBucketResult>`
    const pages = [
      page(
        ["in/a.csv", "in/b%2Bc+d.csv"],
        "<IsTruncated>true</IsTruncated><NextContinuationToken>t+1=</NextContinuationToken>"
      ),
      page(["in/%C3%BC%26.csv"], "<IsTruncated>false</IsTruncated>")
    ]
    const asked: Array<URLSearchParams> = []
    const client = HttpClient.make((request, url) => {
      asked.push(url.searchParams)
      return Effect.succeed(HttpClientResponse.fromWeb(request, new Response(pages[asked.length - 1])))
    })
    return Effect.gen(function* () {
      const storage = yield* S3Storage.make({ credentials })
      expect(yield* listOf(storage, "s3://corpora/in/")).toEqual([
        "s3://corpora/in/a.csv",
        "s3://corpora/in/b+c d.csv",
        "s3://corpora/in/ü&.csv"
      ])
      expect(asked.map((query) => [query.get("prefix"), query.get("continuation-token")])).toEqual([
        ["in/", null],
        ["in/", "t+1="]
      ])
    }).pipe(Effect.provideService(HttpClient.HttpClient, client))
  })
})

describe("without credentials", () => {
  it.live("nothing is asked, and the error names the setting", () =>
    run(
      Effect.gen(function* () {
        const storage = yield* Effect.withConfigProvider(
          S3Storage.makeConfig(),
          ConfigProvider.fromMap(new Map([["HOME", "/nowhere"]]))
        )
        const error = yield* Effect.flip(storage.open(address))
        expect(error).toMatchObject({ reason: "noCredentials" })
        expect(error.message).toContain("AWS_ACCESS_KEY_ID")
      })
    )
  )
})
