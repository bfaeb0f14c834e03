import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { cachedSuccess } from "../../internal/cachedSuccess.js"
import type * as S3Storage from "../../storage/S3Storage.js"
import { noCredentials, type StorageError } from "../../storage/StorageError.js"

/** The package, which is an optional peer. */
const load = Effect.tryPromise({
  try: () => import("@aws-sdk/credential-provider-node"),
  catch: () =>
    noCredentials(
      "there are no credentials in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and no keys in the profile: set them, write them by aws configure export-credentials --format env, or install @aws-sdk/credential-provider-node, which finds those of roles, SSO, containers and machines"
    )
})

/** Credentials of all kinds that AWS knows: it caches them, and renews them before they end. */
export const make: Effect.Effect<Effect.Effect<S3Storage.Credentials, StorageError>> = Effect.sync(() =>
  Effect.flatMap(cachedSuccess(Effect.map(load, ({ defaultProvider }) => defaultProvider())), (provide) =>
    Effect.map(
      Effect.tryPromise({
        try: () => provide(),
        catch: (error) =>
          noCredentials(
            `there are no keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, nor in the profile, and AWS gives none: ${error instanceof Error ? error.message : "of an unknown reason"}`
          )
      }),
      ({ accessKeyId, secretAccessKey, sessionToken }): S3Storage.Credentials => ({
        accessKeyId,
        secretAccessKey: Redacted.make(secretAccessKey),
        sessionToken: sessionToken === undefined ? undefined : Redacted.make(sessionToken)
      })
    )
  )
)
