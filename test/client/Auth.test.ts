import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Config from "effect/Config"
import type * as ConfigError from "effect/ConfigError"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { Auth, ServiceKind } from "effect-translate"

const key = "k3y-5ecret:fx"

const variables = (entries: Record<string, string>) =>
  Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(entries))))

const header = ({ key, scheme }: Auth.Credentials) => `${scheme} ${Redacted.value(key)}`

describe("the scheme", () => {
  it('is "exactly `Service-Auth-Key`" unless set', () => {
    expect(ServiceKind.specification.scheme).toBe("Service-Auth-Key")
    expect(Either.getOrThrow(Auth.make({ key: Redacted.make(key) })).scheme).toBeUndefined()
  })

  it("can be set to another word", () => {
    expect(Either.getOrThrow(Auth.make({ key: Redacted.make(key), scheme: "Bearer" })).scheme).toBe("Bearer")
  })

  for (const scheme of ["", "two words", "line\nbreak", "schlüssel", "a:b", " "]) {
    it(`is refused if it is ${JSON.stringify(scheme)}`, () => {
      const made = Auth.make({ key: Redacted.make(key), scheme })
      expect(Either.isLeft(made)).toBe(true)
      expect(String(made)).toContain("LANGUAGE_SERVICE_SCHEME")
      expect(String(made)).not.toContain(key)
    })
  }
})

describe("a key", () => {
  for (const [what, wrong, advice] of [
    ["empty", "", "is empty"],
    ["blank", " \t ", "is empty"],
    ["with a line break at its end", "abc123def\n", "line break"],
    ["with a Windows line break at its end", "abc123def\r\n", "line break"],
    ["with a line break within", "abc123def\nx-admin: 1", "line break"],
    ["with a space", "abc123 def", "space"],
    ["with a non-ASCII character", "abc123défx", "character"],
    ["with a control character", "abc123def\u0000", "character"],
    ["with a typographic quote", "“abc123def”", "character"]
  ] as const) {
    for (const [role, layer, variable] of [
      ["API", Auth.layer, "LANGUAGE_SERVICE_KEY"],
      ["admin", Auth.layerAdmin, "LANGUAGE_SERVICE_ADMIN_KEY"]
    ] as const) {
      it.effect(`(${role}) ${what} is refused with advice, and does not appear in it`, () =>
        Effect.gen(function* () {
          const cause = yield* Effect.flip(
            Effect.sandbox(Layer.build(layer({ key: Redacted.make(wrong) }) as Layer.Layer<never, unknown>))
          )
          const told = [Cause.pretty(cause), inspect(cause, { depth: 20 }), JSON.stringify(cause)].join("\n")
          expect(told).toContain(variable)
          expect(told).toContain(advice)
          expect(told).not.toContain("abc123")
        }).pipe(Effect.scoped)
      )
    }
  }

  it("of the service's own form is taken: two GUIDs joined by a colon, a suffix", () => {
    for (const good of [
      "0c8b5a5c-0000-4000-8000-123456789abc:1c8b5a5c-0000-4000-8000-123456789abc",
      "0c8b5a5c-0000-4000-8000-123456789abc:fx",
      "a"
    ]) {
      expect(Either.isRight(Auth.make({ key: Redacted.make(good) }))).toBe(true)
    }
  })

  it("prints as redacted in the credentials", () => {
    const made = Auth.make({ key: Redacted.make(key) })
    expect([String(made), JSON.stringify(made), inspect(made, { depth: 20 })].join()).not.toContain(key)
  })
})

describe("layerConfig", () => {
  it.effect.each([
    ["LANGUAGE_SERVICE_KEY", Layer.build(Auth.layerConfig())],
    ["LANGUAGE_SERVICE_ADMIN_KEY", Layer.build(Auth.layerAdminConfig())]
  ] as const)("says of %s that it is not set", ([variable, built]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip<unknown, ConfigError.ConfigError, Scope.Scope>(built)
      expect(String(error)).toBe(
        `(Missing data at ${variable}: "Expected ${variable} to exist in the provided map")`
      )
    }).pipe(Effect.scoped, Effect.provide(variables({})))
  )

  it.effect("reads LANGUAGE_SERVICE_KEY", () =>
    Effect.gen(function* () {
      expect(Redacted.value((yield* Auth.ApiKey).key)).toBe(key)
    }).pipe(Effect.provide(Auth.layerConfig()), Effect.provide(variables({ LANGUAGE_SERVICE_KEY: key })))
  )

  it.effect("reads LANGUAGE_SERVICE_SCHEME if it is there", () =>
    Effect.gen(function* () {
      expect(header(yield* Auth.ApiKey)).toBe(`Other ${key}`)
    }).pipe(
      Effect.provide(Auth.layerConfig()),
      Effect.provide(variables({ LANGUAGE_SERVICE_KEY: key, LANGUAGE_SERVICE_SCHEME: "Other" }))
    )
  )

  it.effect("takes Config values in place of each variable", () =>
    Effect.gen(function* () {
      expect(header(yield* Auth.ApiKey)).toBe(`Other ${key}`)
    }).pipe(
      Effect.provide(Auth.layerConfig({ key: Config.redacted("EU_KEY"), scheme: Config.succeed("Other") })),
      Effect.provide(variables({ EU_KEY: key, LANGUAGE_SERVICE_KEY: "another" }))
    )
  )

  it.effect("reads LANGUAGE_SERVICE_ACCOUNT if it is there", () =>
    Effect.gen(function* () {
      expect((yield* Auth.ApiKey).account).toBe("main")
    }).pipe(
      Effect.provide(Auth.layerConfig()),
      Effect.provide(variables({ LANGUAGE_SERVICE_KEY: key, LANGUAGE_SERVICE_ACCOUNT: "main" }))
    )
  )

  it.effect("does not take that for the account of another key", () =>
    Effect.gen(function* () {
      expect((yield* Auth.ApiKey).account).toBeUndefined()
    }).pipe(
      Effect.provide(Auth.layerConfig({ key: Config.redacted("EU_KEY") })),
      Effect.provide(variables({ EU_KEY: key, LANGUAGE_SERVICE_ACCOUNT: "main" }))
    )
  )

  it.effect("refuses an account without a name, which all keys would share", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Layer.build(Auth.layerConfig()))
      expect(String(error)).toContain("LANGUAGE_SERVICE_ACCOUNT")
    }).pipe(
      Effect.scoped,
      Effect.provide(variables({ LANGUAGE_SERVICE_KEY: key, LANGUAGE_SERVICE_ACCOUNT: "" }))
    )
  )

  it.effect("names the variable that is missing", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Layer.build(Auth.layerConfig()))
      expect(String(error)).toContain("LANGUAGE_SERVICE_KEY")
    }).pipe(Effect.scoped, Effect.provide(variables({ LANGUAGE_SERVICE_ADMIN_KEY: key })))
  )

  it.effect("refuses a bad key, which does not appear in the error", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Layer.build(Auth.layerConfig()))
      expect(String(error) + inspect(error, { depth: 20 })).not.toContain(key)
      expect(String(error)).toContain("LANGUAGE_SERVICE_KEY")
    }).pipe(Effect.scoped, Effect.provide(variables({ LANGUAGE_SERVICE_KEY: `${key}\n` })))
  )
})

describe("layerAdminConfig", () => {
  it.effect("reads LANGUAGE_SERVICE_ADMIN_KEY, and the same scheme", () =>
    Effect.gen(function* () {
      expect(header(yield* Auth.AdminKey)).toBe(`Other ${key}`)
    }).pipe(
      Effect.provide(Auth.layerAdminConfig()),
      Effect.provide(
        variables({
          LANGUAGE_SERVICE_KEY: "another",
          LANGUAGE_SERVICE_ADMIN_KEY: key,
          LANGUAGE_SERVICE_SCHEME: "Other"
        })
      )
    )
  )

  it.effect("does not make do with the API key", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Layer.build(Auth.layerAdminConfig()))
      expect(String(error)).toContain("LANGUAGE_SERVICE_ADMIN_KEY")
    }).pipe(Effect.scoped, Effect.provide(variables({ LANGUAGE_SERVICE_KEY: key })))
  )
})
