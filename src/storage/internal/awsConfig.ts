/** The settings of a store of objects in the usual variables and files: those of the AWS command line. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { noCredentials } from "../StorageError.js"
import type { Credentials } from "./s3Client.js"

type Section = Readonly<Record<string, string>>

/** The sections of such a file. Indented lines belong to a setting that is not known here. */
export const sectionsOf = (text: string): ReadonlyMap<string, Section> => {
  const sections = new Map<string, Record<string, string>>()
  let section: Record<string, string> | undefined
  for (const line of text.split(/\r?\n/)) {
    const name = /^\[\s*(?:profile\s+)?(.+?)\s*\]/.exec(line)?.[1]
    if (name !== undefined) {
      section = sections.get(name) ?? {}
      sections.set(name, section)
      continue
    }
    const [, key, value] = /^([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (section !== undefined && key !== undefined) section[key.toLowerCase()] = value!
  }
  return sections
}

const variable = (name: string) => Config.nonEmptyString(name).pipe(Config.withDefault(undefined))

const secret = (name: string) =>
  Config.redacted(Config.nonEmptyString(name)).pipe(Config.withDefault(undefined))

const variables = Config.all({
  accessKeyId: variable("AWS_ACCESS_KEY_ID"),
  secretAccessKey: secret("AWS_SECRET_ACCESS_KEY"),
  sessionToken: secret("AWS_SESSION_TOKEN"),
  region: variable("AWS_REGION"),
  defaultRegion: variable("AWS_DEFAULT_REGION"),
  profile: variable("AWS_PROFILE"),
  endpoint: variable("AWS_ENDPOINT_URL"),
  endpointOfS3: variable("AWS_ENDPOINT_URL_S3"),
  credentialsFile: variable("AWS_SHARED_CREDENTIALS_FILE"),
  configFile: variable("AWS_CONFIG_FILE"),
  home: variable("HOME"),
  userProfile: variable("USERPROFILE")
})

const credentialsOf = (
  profile: string,
  { aws_access_key_id, aws_secret_access_key, aws_session_token }: Section
) =>
  aws_access_key_id === undefined || aws_secret_access_key === undefined
    ? Effect.fail(
        noCredentials(
          `there are no credentials in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and no keys in the profile ${profile}: set them, or write them by aws configure export-credentials --format env`
        )
      )
    : Effect.succeed<Credentials>({
        accessKeyId: aws_access_key_id,
        secretAccessKey: Redacted.make(aws_secret_access_key),
        sessionToken: aws_session_token === undefined ? undefined : Redacted.make(aws_session_token)
      })

/** Credentials, region and endpoint. Files are looked at again after a minute: sessions in them end, and are renewed. */
export const load = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const { join } = yield* Path.Path
  const given = yield* variables
  const folder = join(given.home ?? given.userProfile ?? "", ".aws")
  const profile = given.profile ?? "default"
  const read = (file: string) =>
    Effect.map(
      Effect.orElseSucceed(fs.readFileString(file), () => ""),
      (text): Section => sectionsOf(text).get(profile) ?? {}
    )
  const section = Effect.zipWith(
    read(given.configFile ?? join(folder, "config")),
    read(given.credentialsFile ?? join(folder, "credentials")),
    (config, credentials): Section => ({ ...config, ...credentials })
  )
  const { accessKeyId, secretAccessKey, sessionToken } = given
  const { endpoint_url, region } = yield* section
  return {
    credentials:
      given.profile === undefined && accessKeyId !== undefined && secretAccessKey !== undefined
        ? Effect.succeed<Credentials>({ accessKeyId, secretAccessKey, sessionToken })
        : yield* Effect.cachedWithTTL(
            Effect.flatMap(section, (section) => credentialsOf(profile, section)),
            "1 minute"
          ),
    region: given.region ?? given.defaultRegion ?? region,
    endpoint: given.endpointOfS3 ?? given.endpoint ?? endpoint_url
  }
})
