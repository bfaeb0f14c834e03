/** The file of settings: `effect-translate.config.json`, or `.mjs`, whose default export is the same. `config.schema.json` is made of this. */
import * as Schema from "effect/Schema"

/** What is said of a value that a setting does not take, and what editors show of the setting. */
const setting = <A>(schema: Schema.Schema<A>, must: string, description: string) =>
  Schema.optional(schema.annotations({ message: () => ({ message: must, override: true }), description }))

const text = (description: string) => setting(Schema.NonEmptyString, "must be a text", description)

const texts = (description: string) =>
  setting(Schema.Array(Schema.NonEmptyString), "must be a list of texts", description)

const choice = <const Choices extends readonly [string, string, ...Array<string>]>(
  choices: Choices,
  description: string
) => setting(Schema.Literal(...choices), `must be one of ${choices.join(", ")}`, description)

const variable = (description: string) =>
  setting(
    Schema.String.pipe(Schema.pattern(/^[A-Za-z_][A-Za-z0-9_]*$/)),
    "must be the name of a variable of the environment",
    description
  )

/** A service and its keys. The keys themselves are never in the file. */
export const Profile = Schema.Struct({
  url: setting(
    Schema.String.pipe(Schema.pattern(/^https?:\/\/[^\s@/]+/)),
    "must be the base address of the service, such as https://host",
    "The base address of the service, such as https://host."
  ),
  scheme: setting(
    Schema.String.pipe(Schema.pattern(/^[\w!#$%&'*+.^`|~-]+$/)),
    "must be a single word",
    "The word before the key in requests."
  ),
  tier: choice(["paid", "free"], "The tier of the subscription."),
  name: text(
    "The name under which a store keeps what this service has translated, so that it is found again at another address."
  ),
  account: text(
    "The name under which a store keeps what this account has paid for, so that the next key finds it."
  ),
  keyFile: text("The file that holds the key; - is standard input. Relative to this file."),
  keyVariable: variable("The variable of the environment that holds the key."),
  adminKeyFile: text("The file that holds the admin key; - is standard input. Relative to this file."),
  adminKeyVariable: variable("The variable of the environment that holds the admin key.")
})

export interface Profile extends Schema.Schema.Type<typeof Profile> {}

/** What `translate` does without flags. Each is the flag of its name. */
export const Translate = Schema.Struct({
  files: texts("The files to translate: paths and patterns, relative to this file."),
  from: text("The language of the files; without it, the service finds out."),
  to: texts("The languages to translate to."),
  out: text("Where translations go: a path with placeholders such as {lang}, relative to this file."),
  format: text("The format of all files; without it, that of their names."),
  columns: texts("The columns of a table to translate."),
  fields: texts("The fields of JSON Lines to translate."),
  glossary: text("The id of a glossary, or a file of terms, relative to this file."),
  style: text("The id of a style rule list."),
  formality: choice(
    ["default", "more", "less", "prefer_more", "prefer_less"],
    "How formally readers are addressed."
  ),
  model: choice(
    ["latency_optimized", "quality_optimized", "prefer_quality_optimized"],
    "Whether speed or quality counts more."
  ),
  context: text("What the texts are about. It is not translated, and costs nothing."),
  budget: setting(
    Schema.Int.pipe(Schema.positive()),
    "must be a whole number above 0",
    "How many characters a run may pay for."
  ),
  price: setting(
    Schema.Number.pipe(Schema.nonNegative()),
    "must be a number of 0 or more",
    "The price of a million characters, for forecasts."
  ),
  store: text("Where translations are kept: a file, relative to this one, a postgres:// address, or none."),
  existing: choice(["keep", "overwrite"], "What becomes of output files that were there before."),
  removed: choice(
    ["keep", "drop"],
    "What becomes of texts of an output that its source does not have any more."
  ),
  failed: choice(["previous", "source", "empty"], "What a text that failed leaves in its output.")
})

export interface Translate extends Schema.Schema.Type<typeof Translate> {}

/** What `worker` does without flags. Each is the flag of its name. */
export const Worker = Schema.Struct({
  address: text("Where other workers reach this one: host:port."),
  listen: text("Where this worker listens for others: host:port."),
  http: text("Where the control of jobs and its page are served: host:port."),
  concurrency: setting(
    Schema.Int.pipe(Schema.positive()),
    "must be a whole number above 0",
    "How many steps this worker does at once."
  ),
  drain: setting(
    Schema.Int.pipe(Schema.nonNegative()),
    "must be a whole number of seconds",
    "How many seconds what is in flight may take when the worker is to end."
  )
})

export interface Worker extends Schema.Schema.Type<typeof Worker> {}

export const ConfigFile = Schema.Struct({
  $schema: text("The schema of this file, for editors."),
  ...Profile.fields,
  profile: text("The profile that is used without --profile."),
  profiles: Schema.optional(
    Schema.Record({ key: Schema.String, value: Profile }).annotations({
      description: "Services and keys by name, for --profile. What a profile lacks is taken from above."
    })
  ),
  translate: Schema.optional(
    Translate.annotations({ description: "What the command translate does without flags." })
  ),
  jobs: text(
    "Where durable jobs are kept: a file, relative to this one, for one machine, or a postgres:// address."
  ),
  worker: Schema.optional(Worker.annotations({ description: "What the command worker does without flags." }))
}).annotations({ title: "Settings of effect-translate" })

export interface ConfigFile extends Schema.Schema.Type<typeof ConfigFile> {}
