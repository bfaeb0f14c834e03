import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { emulator, folderOf, processTimeout, run } from "./process.js"

describe("doctor", () => {
  it.scopedLive(
    "shows settings and where they are from, the service, its keys and the store, and no key",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator({ characterLimit: 5000 })
        const folder = yield* folderOf({
          "effect-translate.config.json": '{ "keyVariable": "MY_KEY", "translate": { "targets": ["de"] } }',
          "a.txt": "Hello"
        })
        const all = {
          LANGUAGE_SERVICE_URL: env.LANGUAGE_SERVICE_URL,
          LANGUAGE_SERVICE_ADMIN_KEY: env.LANGUAGE_SERVICE_ADMIN_KEY,
          MY_KEY: env.LANGUAGE_SERVICE_KEY,
          LANGUAGE_SERVICE_KYE: "x"
        }
        const { code, stderr, stdout } = yield* run(["doctor"], { folder, env: all })
        expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
        for (const line of [
          /^ok {7}LANGUAGE_SERVICE_URL: http:\/\/\S+$/m,
          /^ok {7}LANGUAGE_SERVICE_KEY: set \(effect-translate\.config\.json \(keyVariable\)\)$/m,
          /^ok {7}EFFECT_TRANSLATE_TO: de \(effect-translate\.config\.json \(translate\.targets\)\)$/m,
          /^advice {3}LANGUAGE_SERVICE_KYE: .* Did you mean "LANGUAGE_SERVICE_KEY"\?$/m,
          /^ok {7}service: It answers and accepts the key, which has used 0 of 5,000 characters\.$/m,
          /^ok {7}administration: .* it lists 1 key\.$/m,
          /^advice {3}store: There is no \.effect-translate\/store\.db yet/m
        ]) {
          expect(stdout).toMatch(line)
        }
        expect(stdout).not.toContain("emulator-key")
        yield* run(["translate", "a.txt", "--quiet"], { folder, env: all })
        const json = yield* run(["doctor", "--json"], { folder, env: all })
        expect(JSON.parse(json.stdout)).toMatchObject({
          type: "result",
          checks: expect.arrayContaining([
            {
              status: "ok",
              name: "store",
              message: ".effect-translate/store.db holds 1 translation and 0 corrections."
            }
          ])
        })
      }),
    processTimeout
  )

  it.scopedLive(
    "ends with the code of the worst problem, and says the others too",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf({ "no.db": "this is no database" })
        const nothing = yield* run(["doctor"], { folder })
        expect(nothing).toMatchObject({
          code: 2,
          stderr: expect.stringMatching(/^No address of the service: .*\n$/)
        })
        const wrongKey = yield* run(["doctor"], {
          folder,
          env: { ...env, LANGUAGE_SERVICE_KEY: "another", EFFECT_TRANSLATE_STORE: "no.db" }
        })
        expect(wrongKey).toMatchObject({
          code: 4,
          stderr: expect.stringContaining("does not accept the key")
        })
        expect(wrongKey.stdout).toMatch(/^problem {2}service: /m)
        expect(wrongKey.stdout).toMatch(/^problem {2}store: .*no\.db/m)
        expect(wrongKey.stdout).toMatch(/^ok {7}administration: /m)
        const noService = yield* run(["doctor"], {
          folder,
          env: { ...env, LANGUAGE_SERVICE_URL: "http://127.0.0.1:9" }
        })
        expect(noService).toMatchObject({ code: 5, stderr: expect.stringContaining("ECONNREFUSED") })
      }),
    processTimeout
  )
})
