import { describe, expect, it } from "@effect/vitest"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { Region } from "effect-translate"
import * as Api from "effect-translate/api"

const made = (url: string | URL) => Either.getOrThrow(Region.make({ url })).url

const fromVariable = (url: string | undefined) =>
  Region.Region.pipe(
    Effect.provide(Region.layerConfig()),
    Effect.provide(
      Layer.setConfigProvider(
        ConfigProvider.fromMap(new Map(url === undefined ? [] : [["LANGUAGE_SERVICE_URL", url]]))
      )
    )
  )

describe("make", () => {
  for (const [given, url] of [
    ["https://eu.service.test", "https://eu.service.test"],
    ["https://eu.service.test/", "https://eu.service.test"],
    ["HTTPS://EU.service.TEST", "https://eu.service.test"],
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080"],
    ["https://[::1]:8443/", "https://[::1]:8443"],
    ["https://service.test:443", "https://service.test"],
    ["https://service.test/v2", "https://service.test"],
    ["https://service.test/v3/", "https://service.test"],
    ["https://service.test/v2/translate", "https://service.test"],
    ["https://service.test/gate/way/", "https://service.test/gate/way"],
    ["https://service.test/gateway/v2/usage", "https://service.test/gateway"],
    ["https://service.test/v22", "https://service.test/v22"],
    ["https://gateway.test/v2/language/service", "https://gateway.test/v2/language/service"],
    ["https://gateway.test/v2/language/v3/glossaries/a", "https://gateway.test/v2/language"],
    ["https://gateway.test/v3/language/v2", "https://gateway.test/v3/language"],
    ["https://service.test/?tenant=1#x", "https://service.test"],
    ["  https://service.test\n", "https://service.test"]
  ] as const) {
    it(`makes ${url} of ${JSON.stringify(given)}`, () => {
      expect(made(given)).toBe(url)
    })
  }

  it("knows the first word of each path of the contract", () => {
    const words = Object.values(Api.TranslateApi.TranslateApi.groups).flatMap(({ endpoints }) =>
      Object.values(endpoints).map(({ path }) => path.split("/")[2])
    )
    expect(new Set(Region.words)).toEqual(new Set(words))
  })

  it("takes a URL object", () => {
    expect(made(new URL("https://service.test/gateway/"))).toBe("https://service.test/gateway")
  })

  it("keeps the tier, and knows none by itself", () => {
    const url = "https://service.test"
    expect(Either.getOrThrow(Region.make({ url, tier: "free" })).tier).toBe("free")
    expect(Either.getOrThrow(Region.make({ url })).tier).toBeUndefined()
  })

  it("keeps the name, and refuses one that says nothing", () => {
    const url = "https://service.test"
    expect(Either.getOrThrow(Region.make({ url, name: "test" })).name).toBe("test")
    expect(Either.getOrThrow(Region.make({ url })).name).toBeUndefined()
    expect(String(Either.getLeft(Region.make({ url, name: " " })))).toContain("The name is empty")
  })

  for (const [what, url] of [
    ["nothing", ""],
    ["a blank", "  "],
    ["no URL", "service.test"],
    ["a path", "/v2/translate"],
    ["another protocol", "ftp://service.test"],
    ["a file", "file:///etc/hosts"],
    ["credentials", "https://user:s3cret@service.test"],
    ["a user name", "https://s3cret@service.test"]
  ] as const) {
    it(`refuses ${what} with advice, and without the address`, () => {
      const result = Region.make({ url })
      expect(Either.isLeft(result)).toBe(true)
      expect(String(result)).toContain("LANGUAGE_SERVICE_URL")
      expect(String(result)).toContain("https://host")
      expect(String(result)).not.toContain("s3cret")
    })
  }
})

describe("layerConfig", () => {
  it.effect("reads LANGUAGE_SERVICE_URL", () =>
    Effect.gen(function* () {
      expect((yield* fromVariable("https://service.test/v2/")).url).toBe("https://service.test")
    })
  )

  const from = (variables: Record<string, string>, options?: Region.ConfigOptions) =>
    Region.Region.pipe(
      Effect.provide(Region.layerConfig(options)),
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(variables))))
    )

  it.effect("reads LANGUAGE_SERVICE_TIER, and knows no tier without it", () =>
    Effect.gen(function* () {
      const LANGUAGE_SERVICE_URL = "https://service.test"
      for (const tier of ["free", "paid"]) {
        const region = yield* from({ LANGUAGE_SERVICE_URL, LANGUAGE_SERVICE_TIER: tier })
        expect(region.tier).toBe(tier)
      }
      expect((yield* from({ LANGUAGE_SERVICE_URL })).tier).toBeUndefined()
      const error = yield* Effect.flip(from({ LANGUAGE_SERVICE_URL, LANGUAGE_SERVICE_TIER: "fre" }))
      expect(String(error)).toContain("LANGUAGE_SERVICE_TIER")
    })
  )

  it.effect("reads LANGUAGE_SERVICE_NAME, unless the address is from elsewhere", () =>
    Effect.gen(function* () {
      const variables = { LANGUAGE_SERVICE_URL: "https://service.test", LANGUAGE_SERVICE_NAME: "test" }
      expect((yield* from(variables)).name).toBe("test")
      expect((yield* from(variables, { url: Config.succeed("https://other.test") })).name).toBeUndefined()
      const error = yield* Effect.flip(from({ ...variables, LANGUAGE_SERVICE_NAME: "" }))
      expect(String(error)).toContain("LANGUAGE_SERVICE_NAME")
    })
  )

  it.effect("takes Config values in place of each variable", () =>
    Effect.gen(function* () {
      const region = yield* from(
        { US_URL: "https://us.service.test/v2", LANGUAGE_SERVICE_TIER: "free" },
        { url: Config.string("US_URL") }
      )
      expect(region).toEqual({ url: "https://us.service.test", tier: "free" })
      expect(
        (yield* from({ LANGUAGE_SERVICE_URL: "https://a.test" }, { tier: Config.succeed("paid") })).tier
      ).toBe("paid")
      const error = yield* Effect.flip(from({ US_URL: "nowhere" }, { url: Config.string("US_URL") }))
      expect(String(error)).not.toContain("LANGUAGE_SERVICE_URL")
    })
  )

  for (const url of [undefined, "", "service.test"]) {
    it.effect(`names LANGUAGE_SERVICE_URL when it is ${JSON.stringify(url) ?? "missing"}`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(fromVariable(url))
        expect(String(error)).toContain("LANGUAGE_SERVICE_URL")
      })
    )
  }
})
