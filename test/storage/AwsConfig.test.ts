/** What the variables and files of the AWS command line say of a store of objects. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import { S3Storage } from "effect-translate/storage"

const credentials = `
[default]
aws_access_key_id = DEFAULT
aws_secret_access_key = secret

# For tests
[other]
aws_access_key_id=OTHER
aws_secret_access_key = secret
aws_session_token = session
`

const config = `
[default]
region = eu-west-1
[profile other]
region = eu-central-1
s3 =
  region = us-west-2
endpoint_url = https://store.test:9000/
`

/** Where a request goes, and whose it is, with these variables and the files above. */
const asked = (variables: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const home = yield* fs.makeTempDirectoryScoped()
    yield* fs.makeDirectory(`${home}/.aws`)
    const file = `${home}/.aws/credentials`
    yield* fs.writeFileString(file, credentials)
    yield* fs.writeFileString(`${home}/.aws/config`, config)
    const seen: Array<{ readonly url: string; readonly key: string; readonly session: string | undefined }> =
      []
    const client = HttpClient.make((request, url) => {
      const [, key = ""] = /Credential=(.*?),/.exec(request.headers.authorization ?? "") ?? []
      seen.push({ url: url.href, key, session: request.headers["x-amz-security-token"] })
      return Effect.succeed(
        HttpClientResponse.fromWeb(request, new Response(null, { headers: { etag: '"1"' } }))
      )
    })
    const storage = yield* S3Storage.makeConfig().pipe(
      Effect.provideService(HttpClient.HttpClient, client),
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries({ HOME: home, ...variables }))))
    )
    const open = Effect.map(storage.open("s3://corpora/a.csv"), () => seen.at(-1)!)
    return { open, write: (text: string) => fs.writeFileString(file, text) }
  })

const run = <A, E>(
  self: Effect.Effect<A, E, FileSystem.FileSystem | NodeContext.NodeContext | Scope.Scope>
) => self.pipe(Effect.scoped, Effect.provide(NodeContext.layer))

describe("the store of a bucket", () => {
  it.effect("is that of the profile default", () =>
    run(
      Effect.gen(function* () {
        const { open } = yield* asked({})
        expect(yield* open).toEqual({
          url: "https://corpora.s3.eu-west-1.amazonaws.com/a.csv",
          key: "DEFAULT/19700101/eu-west-1/s3/aws4_request",
          session: undefined
        })
      })
    )
  )

  it.effect("is that of a profile that is named, with its session and its endpoint", () =>
    run(
      Effect.gen(function* () {
        const { open } = yield* asked({ AWS_PROFILE: "other", AWS_ACCESS_KEY_ID: "MINE" })
        expect(yield* open).toEqual({
          url: "https://store.test:9000/corpora/a.csv",
          key: "OTHER/19700101/eu-central-1/s3/aws4_request",
          session: "session"
        })
      })
    )
  )

  it.effect("is that of the variables, which come before the files", () =>
    run(
      Effect.gen(function* () {
        const { open } = yield* asked({
          AWS_ACCESS_KEY_ID: "MINE",
          AWS_SECRET_ACCESS_KEY: "secret",
          AWS_DEFAULT_REGION: "us-west-1",
          AWS_ENDPOINT_URL: "http://localhost:1",
          AWS_ENDPOINT_URL_S3: "http://localhost:2"
        })
        expect(yield* open).toEqual({
          url: "http://localhost:2/corpora/a.csv",
          key: "MINE/19700101/us-west-1/s3/aws4_request",
          session: undefined
        })
      })
    )
  )

  it.effect("has other credentials once the file has, a minute later", () =>
    run(
      Effect.gen(function* () {
        const { open, write } = yield* asked({})
        yield* open
        yield* write(credentials.replace("DEFAULT", "RENEWED"))
        expect((yield* open).key).toMatch(/^DEFAULT/)
        yield* TestClock.adjust("1 minute")
        expect((yield* open).key).toMatch(/^RENEWED/)
      })
    )
  )
})
