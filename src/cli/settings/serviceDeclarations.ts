/** The settings of a service, its keys, and the secrets of workers: rows as those of `declarations`. */
import * as Record from "effect/Record"
import * as ServiceKind from "../../api/ServiceKind.js"
import { choice, type SettingsOf, setting, text } from "../commandLine/declare.js"

/** A setting that is a path, whatever it is. */
export const always = () => true

const variableName = {
  pattern: /^[A-Za-z_][A-Za-z0-9_]*$/,
  must: "must be the name of a variable of the environment"
}

/** A service and its keys: at the top of the file of settings, and in each of its profiles. The keys themselves are never in the file. */
export const service = {
  url: setting(
    text("--url <address>", "The base address of the service, such as https://host."),
    "LANGUAGE_SERVICE_URL",
    {
      pattern: /^https?:\/\/[^\s@/]+/,
      must: "must be the base address of the service, such as https://host"
    }
  ),
  kind: setting(
    choice(
      "--kind",
      Record.keys(ServiceKind.kinds),
      "The kind of the service: deepl for DeepL's API. It says the word before the key, which rules are relaxed, its types of documents, and its bills. Without it: specification."
    ),
    "LANGUAGE_SERVICE_KIND"
  ),
  scheme: setting(
    text("--scheme <word>", "The word before the key in requests. Without it: that of the kind."),
    "LANGUAGE_SERVICE_SCHEME",
    {
      pattern: /^[\w!#$%&'*+.^`|~-]+$/,
      must: "must be a single word"
    }
  ),
  tier: setting(choice("--tier", ["paid", "free"], "The tier of the subscription."), "LANGUAGE_SERVICE_TIER"),
  proxy: setting(
    text(
      "--proxy <url>",
      "The HTTP proxy to the service, such as http://host:8080, or none. Without it: that of HTTPS_PROXY, HTTP_PROXY or ALL_PROXY. NO_PROXY lists hosts that need none."
    ),
    "LANGUAGE_SERVICE_PROXY",
    {
      pattern: /^(none|(https?:\/\/)?[^\s/]+\/?)$/,
      must: "must be the address of an HTTP proxy, such as http://host:8080, or none"
    }
  ),
  relax: setting(
    text(
      "--relax <rules>",
      `Rules that this service no longer has, and that no request is refused for, beside those of its kind: ${ServiceKind.rules.join(", ")}; with commas between them.`
    ),
    "LANGUAGE_SERVICE_RELAX",
    {
      pattern: new RegExp(`^((${ServiceKind.rules.join("|")})(,|$))+$`),
      must: "must be names of rules with commas between them, such as latencyWithStyle,latencyWithInstructions"
    }
  ),
  name: setting(
    text(
      "--name <name>",
      "The name under which a store keeps the translations of this service, so that they are found again at another address."
    ),
    "LANGUAGE_SERVICE_NAME"
  ),
  account: setting(
    text(
      "--account <name>",
      "The name under which a store keeps the translations of this account, so that the next key finds them."
    ),
    "LANGUAGE_SERVICE_ACCOUNT"
  ),
  keyFile: setting(
    text("--key-file <file>", "The file that holds the key; - is standard input."),
    "LANGUAGE_SERVICE_KEY_FILE",
    { isPath: always }
  ),
  keyVariable: setting(
    text("--key-variable <name>", "The variable of the environment that holds the key."),
    undefined,
    variableName
  ),
  adminKeyFile: setting(
    text("--admin-key-file <file>", "The file that holds the admin key; - is standard input."),
    "LANGUAGE_SERVICE_ADMIN_KEY_FILE",
    { isPath: always }
  ),
  adminKeyVariable: setting(
    text("--admin-key-variable <name>", "The variable of the environment that holds the admin key."),
    undefined,
    variableName
  )
}

export type Profile = SettingsOf<typeof service>

const secret = (variable: string, description: string) =>
  setting(text("", description), variable, { isInFile: false })

/** The keys, which are in the environment and never in the file. */
export const keys = {
  key: secret("LANGUAGE_SERVICE_KEY", "The key."),
  adminKey: secret("LANGUAGE_SERVICE_ADMIN_KEY", "The admin key.")
}

/** The key with which workers serve the control of jobs. */
export const jobsKeys = {
  jobsKey: secret(
    "EFFECT_TRANSLATE_JOBS_KEY",
    "The key of the control of jobs over HTTP: for workers that serve it, and commands that use it."
  ),
  jobsKeyFile: secret("EFFECT_TRANSLATE_JOBS_KEY_FILE", "A file that holds that key.")
}

/** The secrets that workers of several machines share. */
export const workerSecrets = {
  secret: secret(
    "EFFECT_TRANSLATE_WORKER_SECRET",
    "The secret of all workers of a PostgreSQL, of at least 16 characters: they let nobody else in, and encrypt their messages."
  ),
  secretFile: secret("EFFECT_TRANSLATE_WORKER_SECRET_FILE", "A file that holds that secret.")
}
