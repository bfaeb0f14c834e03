/** Credentials of AWS that are neither in variables nor in files: they come from its own package. */
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { NodeStorage } from "effect-translate/node"
import { Storage } from "effect-translate/storage"
import * as awsCredentials from "../../src/runtime/internal/awsCredentials.js"
import * as bucket from "../support/bucket.js"

/** The package reads the variables of the process itself. */
const withVariables = (variables: Readonly<Record<string, string>>) => {
  const before = { ...process.env }
  return Effect.acquireRelease(
    Effect.sync(() => Object.assign(process.env, variables)),
    () =>
      Effect.sync(() => {
        for (const name of Object.keys(variables)) {
          if (before[name] === undefined) delete process.env[name]
          else process.env[name] = before[name]
        }
      })
  )
}

/** Where a container asks for its credentials. */
const container = Effect.gen(function* () {
  const asked: Array<string | undefined> = []
  const server = Http.createServer(({ headers }, response) => {
    asked.push(headers.authorization)
    response.setHeader("content-type", "application/json")
    response.end(
      JSON.stringify({
        AccessKeyId: bucket.keys.accessKeyId,
        SecretAccessKey: bucket.keys.secretAccessKey,
        Token: "session",
        Expiration: new Date(Date.now() + 3_600_000).toISOString()
      })
    )
  })
  yield* Effect.acquireRelease(
    Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () => Effect.sync(() => server.close())
  )
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/credentials` }
})

/** What a bucket lists, for whom the environment says. */
const list = (endpoint: string) =>
  Effect.flatMap(Storage.Storage, ({ list }) => Stream.runCollect(list("s3://corpora/"))).pipe(
    Effect.provide(NodeStorage.layerConfig()),
    Effect.withConfigProvider(
      ConfigProvider.fromMap(
        new Map([
          ["AWS_ENDPOINT_URL", endpoint],
          ["HOME", "/nowhere"]
        ])
      )
    )
  )

const signedOff = `[profile signed-off]
sso_start_url = https://start.test
sso_region = us-east-1
sso_account_id = 1
sso_role_name = reader
`

const nowhere = {
  AWS_CONFIG_FILE: "/nowhere",
  AWS_SHARED_CREDENTIALS_FILE: "/nowhere",
  AWS_EC2_METADATA_DISABLED: "true"
}

describe("credentials of AWS", () => {
  it.scopedLive("are those of the container, asked for once, where there are no keys", () =>
    Effect.gen(function* () {
      const { asked, url } = yield* container
      const { endpoint } = yield* bucket.make()
      yield* withVariables({
        ...nowhere,
        AWS_CONTAINER_CREDENTIALS_FULL_URI: url,
        AWS_CONTAINER_AUTHORIZATION_TOKEN: "of-the-container"
      })
      expect(yield* list(endpoint)).toHaveLength(0)
      expect(asked).toEqual(["of-the-container"])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("are found by the next request after one that was interrupted while it looked for them", () =>
    Effect.gen(function* () {
      const { asked, url } = yield* container
      yield* withVariables({ ...nowhere, AWS_CONTAINER_CREDENTIALS_FULL_URI: url })
      const credentials = yield* awsCredentials.make
      const first = yield* Effect.fork(credentials)
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(first)
      expect(asked).toEqual([])
      expect((yield* credentials).accessKeyId).toBe(bucket.keys.accessKeyId)
    })
  )

  it.scopedLive("that can't be had are an error with advice", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* bucket.make()
      const fs = yield* FileSystem.FileSystem
      const config = yield* fs.makeTempFileScoped()
      yield* fs.writeFileString(config, signedOff)
      yield* withVariables({ ...nowhere, AWS_CONFIG_FILE: config, AWS_PROFILE: "signed-off" })
      const error = yield* Effect.flip(list(endpoint))
      expect(error).toMatchObject({ _tag: "StorageError", reason: "noCredentials" })
      expect(error.message).toMatch(/AWS_ACCESS_KEY_ID .*AWS gives none: .*aws sso login/)
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
