// @effect-diagnostics missingEffectContext:off
/** What does not compile without the right key: checked by `tsc`. */
// @effect-diagnostics floatingEffect:off
import type * as HttpClient from "@effect/platform/HttpClient"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Auth, ConcurrencyLimit, Region, TranslateClient, type TranslateError } from "effect-translate"
import { AdminClient, type DeveloperKeys } from "effect-translate/admin"
import { describe, expectTypeOf, it } from "vitest"

/** Nothing here runs. */
const run = (_: () => unknown) => {}

const key = { key: Redacted.make("key") }
const region = Region.layer({ url: "https://service.test" })
const transport = NodeHttpClient.layerUndici

const listKeys = Effect.flatMap(AdminClient.AdminClient, ({ developerKeys }) => developerKeys.list)
const readUsage = Effect.flatMap(TranslateClient.TranslateClient, ({ usage }) => usage)

describe("a program that uses admin endpoints", () => {
  it("compiles with an admin key", () => {
    run(() =>
      Effect.runPromise(
        listKeys.pipe(
          Effect.provide(
            AdminClient.layerServices.pipe(Layer.provide([region, Auth.layerAdmin(key), transport]))
          )
        )
      )
    )
  })

  it("does not compile without an AdminKey", () => {
    const layer = AdminClient.layerServices.pipe(Layer.provide([region, transport]))
    // @ts-expect-error the admin key is missing
    run(() => Effect.runPromise(Effect.provide(listKeys, layer)))
  })

  it("does not compile with an API key instead", () => {
    const layer = AdminClient.layerServices.pipe(Layer.provide([region, Auth.layer(key), transport]))
    // @ts-expect-error an API key is no admin key
    run(() => Effect.runPromise(Effect.provide(listKeys, layer)))
  })

  it("does not compile with the client of an API key", () => {
    const layer = TranslateClient.layerServices().pipe(
      Layer.provide([region, Auth.layer(key), ConcurrencyLimit.layerUnlimited, transport])
    )
    // @ts-expect-error administration has a client of its own
    run(() => Effect.runPromise(Effect.provide(listKeys, layer)))
  })

  it("needs a region, an admin key and a transport, and no API key and no gate", () => {
    expectTypeOf<Layer.Layer.Context<typeof AdminClient.layerServices>>().toEqualTypeOf<
      Region.Region | Auth.AdminKey | HttpClient.HttpClient
    >()
    expectTypeOf<
      Layer.Layer.Context<ReturnType<typeof AdminClient.layerConfig>>
    >().toEqualTypeOf<HttpClient.HttpClient>()
  })

  it("keeps the requirements and errors of each call in the types", () => {
    expectTypeOf(listKeys).toEqualTypeOf<
      Effect.Effect<
        ReadonlyArray<DeveloperKeys.DeveloperKey>,
        TranslateError.CallError,
        AdminClient.AdminClient
      >
    >()
  })
})

describe("a program that uses any other endpoint", () => {
  it("does not compile with an admin key instead of an API key", () => {
    const layer = TranslateClient.layerServices().pipe(
      Layer.provide([region, Auth.layerAdmin(key), ConcurrencyLimit.layerUnlimited, transport])
    )
    // @ts-expect-error an admin key is no API key
    run(() => Effect.runPromise(Effect.provide(readUsage, layer)))
  })
})

describe("the two shapes of a key", () => {
  const use = (
    _: (
      client: DeveloperKeys.DeveloperKeys,
      plain: DeveloperKeys.KeyId,
      masked: DeveloperKeys.MaskedKey
    ) => unknown
  ) => {}

  it("do not stand for one another", () => {
    expectTypeOf<DeveloperKeys.KeyId>().not.toExtend<DeveloperKeys.MaskedKey>()
    expectTypeOf<DeveloperKeys.MaskedKey>().not.toExtend<DeveloperKeys.KeyId>()
    expectTypeOf<Redacted.Redacted<DeveloperKeys.MaskedKey>>().not.toExtend<DeveloperKeys.KeyId>()
    use((client, plain, masked) => {
      client.deactivate(plain)
      // @ts-expect-error a masked key opens nothing
      client.deactivate(masked)
      // @ts-expect-error not even hidden
      client.deactivate(Redacted.make(masked))
      // @ts-expect-error a key is no text
      client.deactivate("0c9649a5:7a1f9f4e")
      // @ts-expect-error which limit is it?
      client.setLimits(plain, { chars: 0 })
    })
  })

  it("make a client of the plain one", () => {
    use((_, plain) => Auth.layer({ key: plain }))
    // @ts-expect-error a masked key opens nothing
    use((_, __, masked) => Auth.layer({ key: masked }))
  })
})
