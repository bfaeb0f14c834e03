import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as DeveloperKey from "../../api/DeveloperKey.js"
import * as Limits from "../../api/Limits.js"
import * as TranslateApi from "../../api/TranslateApi.js"
import { type AccountState, developerKeys, type KeyState } from "./account.js"
import * as ids from "./ids.js"
import { refusal } from "./refusal.js"

const record = (key: KeyState): DeveloperKey.DeveloperKey => ({
  keyId: DeveloperKey.keyId(key.key),
  label: key.label,
  creationTime: key.createdAt,
  ...(key.deactivatedAt === undefined ? undefined : { deactivatedTime: key.deactivatedAt }),
  isDeactivated: key.deactivatedAt !== undefined,
  usageLimits: {
    characters: key.characterLimit,
    speechToTextMilliseconds: key.speechToTextMillisecondsLimit
  }
})

/** The handlers of developer keys: those of the admin key's account. */
export const handlers = (account: AccountState) => {
  const admin = Effect.map(TranslateApi.Caller, ({ key }) => account.keys.get(key)!)

  const change = (keyId: DeveloperKey.KeyId, apply: (key: KeyState) => Effect.Effect<void>) =>
    Effect.gen(function* () {
      const { account } = yield* admin
      const key = developerKeys(account).find(({ key }) => key === Redacted.value(keyId))
      if (key === undefined) {
        return yield* refusal("NotFound", "There is no developer key of this key_id")
      }
      yield* apply(key)
      return record(key)
    })

  return HttpApiBuilder.group(TranslateApi.TranslateApi, "developerKeys", (handlers) =>
    handlers
      .handle("create", ({ payload: { label } }) =>
        Effect.gen(function* () {
          const { account: owner, tier } = yield* admin
          const active = developerKeys(owner).filter(({ deactivatedAt }) => deactivatedAt === undefined)
          if (active.length >= Limits.activeDeveloperKeys) {
            return yield* refusal(
              "BadRequest",
              `There are ${Limits.activeDeveloperKeys} active keys, which is the limit: deactivate one first`
            )
          }
          const key = `${yield* ids.make}:${yield* ids.make}`
          return record(yield* account.add(owner, { key, tier }, label))
        })
      )
      .handle("list", () => Effect.map(admin, ({ account }) => developerKeys(account).map(record)))
      .handle("deactivate", ({ payload: { keyId } }) =>
        change(keyId, (key) =>
          Effect.map(DateTime.now, (now) => {
            key.deactivatedAt ??= now
          })
        )
      )
      .handle("rename", ({ payload: { keyId, label } }) =>
        change(keyId, (key) =>
          Effect.sync(() => {
            key.label = label
          })
        )
      )
      .handle("setLimits", ({ payload: { characters, keyId, speechToTextMilliseconds } }) =>
        change(keyId, (key) =>
          Effect.sync(() => {
            if (characters !== undefined) key.characterLimit = characters
            if (speechToTextMilliseconds !== undefined) {
              key.speechToTextMillisecondsLimit = speechToTextMilliseconds
            }
          })
        )
      )
  )
}
