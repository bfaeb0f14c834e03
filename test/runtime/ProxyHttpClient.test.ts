import { describe, expect, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { RetryPolicy } from "effect-translate"
import { ProxyHttpClient } from "effect-translate/node"
import { hallo, hello, layerOver, once, translate } from "../support/client.js"
import * as proxies from "../support/proxy.js"
import * as recording from "../support/recordingServer.js"
import { recordingTracer } from "../support/recordingTracer.js"

/** How an address is reached by the variables of an environment. */
const way = (
  variables: Readonly<Record<string, string>>,
  url: string,
  options?: ProxyHttpClient.ConfigOptions
) =>
  Effect.map(ProxyHttpClient.fromConfig(options), ({ wayTo }) => wayTo(new URL(url)).description).pipe(
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(variables)))),
    Effect.runSync
  )

/** Whether an address is exempt from proxies. */
const isExempt = (noProxy: string, url: string): boolean =>
  Either.getOrThrow(ProxyHttpClient.make({ httpProxy: "http://p", httpsProxy: "http://p", noProxy })).wayTo(
    new URL(url)
  ).proxy === undefined

describe("the variables of the environment", () => {
  it("name a proxy for https, for http, and for both", () => {
    const all = {
      HTTPS_PROXY: "http://secure:8080",
      HTTP_PROXY: "http://plain:8080",
      ALL_PROXY: "http://all:8080"
    }
    expect(way(all, "https://service.test")).toBe("through the proxy http://secure:8080 (HTTPS_PROXY)")
    expect(way(all, "http://service.test")).toBe("through the proxy http://plain:8080 (HTTP_PROXY)")
    expect(way({ ALL_PROXY: all.ALL_PROXY }, "https://service.test")).toBe(
      "through the proxy http://all:8080 (ALL_PROXY)"
    )
    expect(way({ HTTP_PROXY: all.HTTP_PROXY }, "https://service.test")).toBe("directly")
    expect(way({}, "https://service.test")).toBe("directly")
  })

  it("may be in small letters, which come first; an empty one counts as not set", () => {
    expect(
      way({ https_proxy: "http://small", HTTPS_PROXY: "http://large" }, "https://service.test")
    ).toContain("small")
    expect(way({ https_proxy: "", HTTPS_PROXY: "http://large" }, "https://service.test")).toContain("large")
    expect(way({ https_proxy: "http://small", no_proxy: "service.test" }, "https://service.test")).toBe(
      "directly, as NO_PROXY names it"
    )
  })

  it("do not hold for this machine, unless LANGUAGE_SERVICE_PROXY names the proxy", () => {
    for (const host of ["localhost", "127.0.0.1", "127.8.0.1", "[::1]", "emulator.localhost"]) {
      const url = `http://${host}:8080`
      expect(way({ ALL_PROXY: "http://proxy" }, url)).toBe("directly, as it is on this machine")
      expect(way({ LANGUAGE_SERVICE_PROXY: "http://proxy" }, url)).toContain("through")
      expect(
        way({ LANGUAGE_SERVICE_PROXY: "http://proxy", NO_PROXY: host.replace(/[[\]]/g, "") }, url)
      ).toContain("NO_PROXY")
    }
  })

  it("come after LANGUAGE_SERVICE_PROXY, which may say that there is none", () => {
    const HTTPS_PROXY = "http://secure:8080"
    expect(way({ HTTPS_PROXY, LANGUAGE_SERVICE_PROXY: "own:3128" }, "https://service.test")).toBe(
      "through the proxy http://own:3128 (LANGUAGE_SERVICE_PROXY)"
    )
    expect(way({ HTTPS_PROXY, LANGUAGE_SERVICE_PROXY: "none" }, "https://service.test")).toBe("directly")
  })

  it("that hold no address of an HTTP proxy are told by their names, and not with their values", () => {
    for (const address of [
      "socks5://me:s3cret@host:1080",
      "http://me:s3cret%@host",
      "http://me:s3/cret@host"
    ]) {
      const found = Effect.runSync(
        Effect.flip(ProxyHttpClient.fromConfig()).pipe(
          Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["HTTPS_PROXY", address]])))
        )
      )
      expect(found).toMatchObject({ _op: "InvalidData", path: ["HTTPS_PROXY"] })
      expect(String(found)).not.toMatch(/s3c|s3\//)
    }
  })
})

describe("NO_PROXY", () => {
  const cases: ReadonlyArray<
    readonly [noProxy: string, exempt: ReadonlyArray<string>, not: ReadonlyArray<string>]
  > = [
    ["*", ["https://any.test", "http://10.0.0.1"], []],
    [
      "example.com",
      ["https://example.com", "https://EU.Example.com.", "https://example.com:8443"],
      ["https://notexample.com"]
    ],
    [".example.com", ["https://eu.example.com", "https://example.com"], ["https://example.org"]],
    ["*.example.com", ["https://eu.example.com"], ["https://example.org"]],
    [
      "example.com:8443",
      ["https://example.com:8443", "https://eu.example.com:8443"],
      ["https://example.com"]
    ],
    ["example.com:443 other.test:80", ["https://example.com", "http://other.test"], ["https://other.test"]],
    ["10.0.0.5", ["http://10.0.0.5"], ["http://10.0.0.6", "http://110.0.0.5"]],
    [
      "10.0.0.0/8,192.168.1.0/24",
      ["http://10.9.8.7", "http://192.168.1.9"],
      ["http://192.168.2.9", "http://11.0.0.1"]
    ],
    [
      "fd00::/8, [2001:db8::1]:8080",
      ["http://[fd12::3]", "http://[2001:db8::1]:8080"],
      ["http://[2001:db8::1]", "http://[fe80::1]"]
    ],
    ["2001:db8::1", ["http://[2001:db8:0:0::1]"], ["http://[2001:db8::2]"]],
    ["nonsense/99, 10.0.0.0/33, :::", [], ["http://10.0.0.1", "https://nonsense"]],
    ["", [], ["https://example.com"]]
  ]
  for (const [noProxy, exempt, others] of cases) {
    it(`${JSON.stringify(noProxy)} exempts the hosts that it names and nothing else`, () => {
      expect(exempt.filter((url) => !isExempt(noProxy, url))).toEqual([])
      expect(others.filter((url) => isExempt(noProxy, url))).toEqual([])
    })
  }
})

const portOf = (url: string) => Number(new URL(url).port)

/** Sends a text to a service behind a proxy, which may retry at once. */
const send = (url: string, options: ProxyHttpClient.Options) =>
  translate(hello).pipe(
    Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ schedule: Schedule.recurs(2) })),
    Effect.provide(layerOver({ url }).pipe(Layer.provide(ProxyHttpClient.layer(options))))
  )

const refused = <E extends { readonly message: string }>(error: E): E => {
  expect(JSON.stringify(error) + String(error) + error.message).not.toMatch(/s3cret|wrong/)
  return error
}

describe("a client behind a proxy", () => {
  it.scopedLive("asks it for http addresses, by name, with name and password", () =>
    Effect.gen(function* () {
      const server = yield* recording.RecordingServer
      const proxy = yield* proxies.make({ to: portOf(server.url), password: "me@home:s3cret:%" })
      yield* server.answer(hallo)
      const { translations } = yield* send("http://service.test", {
        httpProxy: Redacted.make(proxy.addressWith("me%40home:s3cret%3A%25"))
      })
      expect(translations[0]?.text).toBe("Hallo")
      expect(yield* proxy.asked).toEqual(["POST http://service.test/v2/translate"])
      const { headers, path } = yield* recording.onlyRequest
      expect([path, headers.host, headers["proxy-authorization"]]).toEqual([
        "/v2/translate",
        "service.test",
        undefined
      ])
    }).pipe(Effect.provide(recording.layer))
  )

  it.scopedLive("wants a tunnel to https addresses, and names a certificate that is self-signed", () =>
    Effect.gen(function* () {
      const server = yield* recording.RecordingServer
      const proxy = yield* proxies.make({ to: yield* proxies.tlsBefore(portOf(server.url)) })
      const error = yield* Effect.flip(send("https://service.test", { httpsProxy: proxy.address }))
      expect(error).toMatchObject({
        _tag: "TransportError",
        reason: "DEPTH_ZERO_SELF_SIGNED_CERT",
        delivery: "not-sent",
        isRetryable: false
      })
      expect(error.message).toContain("The certificate is self-signed")
      expect(error.message).toContain("NODE_EXTRA_CA_CERTS")
      expect(yield* proxy.asked).toEqual(["CONNECT service.test:443"])
      expect(yield* recording.requests).toEqual([])
    }).pipe(Effect.provide(recording.layer))
  )

  for (const [kind, url] of [
    ["https", "https://service.test"],
    ["http", "http://service.test"]
  ] as const) {
    it.scopedLive(`with the wrong password fails with ProxyRefused once, and shows none (${kind})`, () =>
      Effect.gen(function* () {
        const server = yield* recording.RecordingServer
        const proxy = yield* proxies.make({ to: portOf(server.url), password: "me:s3cret" })
        const address = proxy.addressWith("me:wrong")
        const error = refused(yield* Effect.flip(send(url, { httpProxy: address, httpsProxy: address })))
        expect(error).toMatchObject({
          _tag: "ProxyRefused",
          status: 407,
          delivery: "not-sent",
          attempts: 1,
          isRetryable: false,
          isFatal: true
        })
        expect(error.message).toMatch(/The proxy does not accept the name and the password, status 407/)
        expect((yield* proxy.asked).length).toBe(1)
        expect(yield* recording.requests).toEqual([])
      }).pipe(Effect.provide(recording.layer))
    )
  }

  it.scopedLive("shows neither name nor password in spans", () =>
    Effect.gen(function* () {
      const server = yield* recording.RecordingServer
      const proxy = yield* proxies.make({ to: portOf(server.url), password: "me:s3cret" })
      yield* server.answer(hallo)
      const { spans, told, tracer } = recordingTracer()
      yield* Effect.withTracer(
        send("http://service.test", { httpProxy: proxy.addressWith("me:s3cret") }),
        tracer
      )
      expect(spans.length).toBeGreaterThan(0)
      expect(JSON.stringify(told)).not.toMatch(/s3cret|proxy-authorization/)
    }).pipe(Effect.provide(recording.layer))
  )

  it.scopedLive("that forbids the host fails with ProxyRefused once", () =>
    Effect.gen(function* () {
      const proxy = yield* proxies.make({ to: 4, refusal: 403 })
      const error = yield* Effect.flip(send("https://service.test", { httpsProxy: proxy.address }))
      expect(error).toMatchObject({ _tag: "ProxyRefused", status: 403, attempts: 1, isFatal: true })
      expect(error.message).toContain("The proxy lets nothing through to the service, status 403")
    })
  )

  it.scopedLive("that does not reach the service is asked again, as often as the policy says", () =>
    Effect.gen(function* () {
      const proxy = yield* proxies.make({ to: 4, refusal: 502 })
      const error = yield* Effect.flip(send("https://service.test", { httpsProxy: proxy.address }))
      expect(error).toMatchObject({
        _tag: "ProxyRefused",
        status: 502,
        attempts: 3,
        isRetryable: true,
        isFatal: false
      })
      expect((yield* proxy.asked).length).toBe(3)
    })
  )

  it.scopedLive("that is not there fails with TransportError, not sent", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        once(translate(hello)).pipe(
          Effect.provide(
            layerOver({ url: "https://service.test" }).pipe(
              Layer.provide(ProxyHttpClient.layer({ httpsProxy: "http://me:s3cret@127.0.0.1:4" }))
            )
          )
        )
      )
      expect(refused(error)).toMatchObject({
        _tag: "TransportError",
        reason: "ECONNREFUSED",
        delivery: "not-sent"
      })
    })
  )

  it.scopedLive("leaves it out for hosts that noProxy names", () =>
    Effect.gen(function* () {
      const server = yield* recording.RecordingServer
      yield* server.answer(hallo)
      yield* send(server.url, { httpProxy: "http://127.0.0.1:4", noProxy: "127.0.0.1" })
      expect((yield* recording.requests).length).toBe(1)
    }).pipe(Effect.provide(recording.layer))
  )
})
