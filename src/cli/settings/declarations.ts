/**
 * Every setting: its option, its variable of the environment, its values and its meaning, in one row. The name of a row
 * is its key in the file of settings. Commands take these rows as options; the file, the environment,
 * `config.schema.json` and `docs/reference/cli.md` are made of them.
 */
import * as Limits from "../../api/Limits.js"
import type * as JobOptions from "../../job/JobOptions.js"
import {
  argument,
  type Command,
  choice,
  flag,
  type Input,
  list,
  number,
  optional,
  repeated,
  type SettingsOf,
  setting,
  text,
  whole
} from "../commandLine/declare.js"
import { hasScheme } from "../databaseAddress.js"
import { formats } from "./formatDeclarations.js"
import { always, jobsKeys, keys, service, workerSecrets } from "./serviceDeclarations.js"

const isAddress = (value: string) => value.includes("://")

/** The settings of `translate` and `job submit`: the object `translate` of the file. */
export const translate = {
  files: setting(
    repeated(
      optional(
        argument(
          "files",
          'Files, folders and patterns such as "docs/**/*.md", "s3://bucket/in/*.csv" and https://host/a.csv; "!docs/old/**" leaves some out. "-" reads standard input.'
        )
      )
    ),
    "EFFECT_TRANSLATE_FILES",
    { isPath: (value) => value !== "-" && !isAddress(value) }
  ),
  from: setting(
    text("--from <en>", "The language of the files. Without it the service finds out, for each text."),
    "EFFECT_TRANSLATE_FROM",
    { language: "source", option: "sourceLang" }
  ),
  targets: setting(
    list(
      text(
        "--to <de,fr,ja>",
        'The languages to translate into, each with its name in the paths of outputs where that is not its code: zh-Hant=zh-TW. With options of its own, a language is JSON: {"lang":"de","options":{"formality":"more"}}.'
      )
    ),
    "EFFECT_TRANSLATE_TO"
  ),
  out: setting(
    text(
      "--out <pattern>",
      "Where translations go: a folder, or a pattern with {lang}, {dir}, {name} and {ext}, also of s3://bucket/. Without it beside the files: products.de.csv for products.csv, locales/de.json for locales/en.json."
    ),
    "EFFECT_TRANSLATE_OUT",
    { isPath: (value) => !isAddress(value) }
  ),
  sources: setting(
    repeated(
      text(
        "--sources <prefix>",
        "Addresses of http: and of private hosts to allow, by prefix: http://host/exports allows http://host/exports/a.csv, and http://host/exp does not."
      )
    ),
    "EFFECT_TRANSLATE_SOURCES"
  ),
  format: setting(
    text("--format <name>", "The format of the files. Without it: by their names and beginnings."),
    "EFFECT_TRANSLATE_FORMAT"
  ),
  ...formats,
  glossary: setting(
    text("--glossary <id|file>", "A glossary of the service, or a CSV or TSV file of which one is made."),
    "EFFECT_TRANSLATE_GLOSSARY",
    { isPath: (value) => /[\\/.]/.test(value) }
  ),
  style: setting(text("--style <id>", "A style rule list of the service."), "EFFECT_TRANSLATE_STYLE", {
    option: "styleId"
  }),
  translationMemory: setting(
    text(
      "--translation-memory <id|name>",
      "A translation memory of the service: its id, or the name under which memory push has pushed it."
    ),
    "EFFECT_TRANSLATE_TRANSLATION_MEMORY"
  ),
  translationMemoryThreshold: setting(
    whole(
      "--translation-memory-threshold <percent>",
      `How alike a text of the translation memory must be to be used. Without it: ${Limits.translationMemoryThreshold.default}, as the service has it.`,
      Limits.translationMemoryThreshold
    ),
    "EFFECT_TRANSLATE_TRANSLATION_MEMORY_THRESHOLD",
    { option: "translationMemoryThreshold" }
  ),
  formality: setting(
    choice(
      "--formality",
      ["default", "more", "less", "prefer_more", "prefer_less"],
      "The formality of translations."
    ),
    "EFFECT_TRANSLATE_FORMALITY",
    { option: "formality" }
  ),
  model: setting(
    choice(
      "--model",
      ["latency_optimized", "quality_optimized", "prefer_quality_optimized"],
      "The models: for speed or for quality."
    ),
    "EFFECT_TRANSLATE_MODEL",
    { option: "modelType" }
  ),
  context: setting(
    text("--context <text>", "The subject of the texts. It is not translated and not billed."),
    "EFFECT_TRANSLATE_CONTEXT",
    { option: "context" }
  ),
  parameters: setting(
    repeated(
      text(
        "--parameter <name=value>",
        "A parameter of requests that the service has and this program does not know, under its name on the wire; the value as JSON, or a text."
      )
    ),
    "EFFECT_TRANSLATE_PARAMETERS",
    {
      pattern: /^[A-Za-z]\w*=./,
      must: "must be a name and a value, such as some_option=true",
      option: "extraParameters"
    }
  ),
  budget: setting(
    whole("--budget <characters>", "The most that may be billed.", { min: 0 }),
    "EFFECT_TRANSLATE_BUDGET",
    { min: 1 }
  ),
  price: setting(
    number("--price <amount>", "The price of a million characters, for forecast and summary.", { min: 0 }),
    "EFFECT_TRANSLATE_PRICE"
  ),
  store: setting(
    text(
      "--store <file|url|none>",
      "Where translations are remembered, so that none is paid for twice: a file, or postgres://… Without it: store.db in the state folder."
    ),
    "EFFECT_TRANSLATE_STORE",
    { isPath: (value) => value !== "none" && !hasScheme(value) }
  ),
  protect: setting(
    repeated(
      text(
        "--protect <name|/pattern/>",
        "Further syntax of texts that stays as it is: by a name such as laravel, drupal, dollars and underscores, or a regular expression such as '/\\bACME\\b/'."
      )
    ),
    "EFFECT_TRANSLATE_PROTECT"
  ),
  html: setting(
    choice(
      "--html",
      ["on", "off"],
      "How to send texts of CSV, JSON Lines, YAML, lines, Parquet and rows that hold elements of HTML: as HTML, in requests of their own (on, the default), or as plain texts."
    ),
    "EFFECT_TRANSLATE_HTML"
  ),
  existing: setting(
    choice(
      "--existing",
      ["keep", "overwrite"],
      "How to treat existing outputs: keep people's texts in them (the default), or overwrite them."
    ),
    "EFFECT_TRANSLATE_EXISTING"
  ),
  removed: setting(
    choice(
      "--removed",
      ["keep", "drop"],
      "How to treat texts of an output that the source no longer has: keep is the default."
    ),
    "EFFECT_TRANSLATE_REMOVED"
  ),
  failed: setting(
    choice(
      "--failed",
      ["previous", "source", "empty", "drop"],
      "The text of the output in place of one that failed: the previous translation or else the source (the default), the source, or nothing; drop leaves its whole record out, of CSV, TSV, JSON Lines and lines of text."
    ),
    "EFFECT_TRANSLATE_FAILED"
  ),
  mark: setting(
    choice(
      "--mark",
      ["flagged", "none"],
      "Marks the machine's translations that look wrong for a person to look at, in PO (fuzzy: programs do not show those), XLIFF and string catalogues: flagged; none is the default. A mark is no reason to send a text again."
    ),
    "EFFECT_TRANSLATE_MARK"
  ),
  checks: setting(
    list(
      text(
        "--check <name=policy>",
        "The action when a check finds a problem: flag (keep the translation, report it), retry (ask once more), fail (do not use it), off. The name is that of a check, or all (without language, which needs npm install eld); answers=off lets a job go on whose first answers are no translations. Default: retry for empty and placeholders, fail for answers, flag for the rest."
      )
    ),
    "EFFECT_TRANSLATE_CHECKS",
    {
      pattern: /^[a-z][A-Za-z-]*=(flag|retry|fail|off)$/,
      must: "must be the name of a check or all, and a policy: flag, retry, fail or off, such as numbers=fail"
    }
  )
}

/** Those of them that are set: of the file also the options of all texts, and languages as they are there. */
export type Translate = Omit<SettingsOf<typeof translate>, "targets"> & {
  readonly targets?: ReadonlyArray<JobOptions.Target> | undefined
  readonly options?: JobOptions.Options | undefined
}

/** Where durable jobs are. */
export const jobs = setting(
  text(
    "--jobs <file|url>",
    "Where jobs are kept: a file for one machine, postgres://… for several, or the http:// address of a worker, with its key in EFFECT_TRANSLATE_JOBS_KEY. Without it: jobs.db in the state folder."
  ),
  "EFFECT_TRANSLATE_JOBS",
  { isPath: (value) => !hasScheme(value) }
)

const time = {
  pattern: /^\d+\s*[mhdwy]$/i,
  must: "must be a number and m, h, d, w or y, such as 30d"
}

/** The settings of `worker`: the object `worker` of the file. */
export const worker = {
  folders: setting(
    list(
      text(
        "--folders <a,b>",
        "Folders that jobs may read and write in. With --folders or --tables, jobs may use the folders and tables that these name, and nothing else; without both, all that the worker may."
      )
    ),
    "EFFECT_TRANSLATE_WORKER_FOLDERS",
    { isPath: always }
  ),
  tables: setting(
    list(
      text(
        "--tables <a,b>",
        "Tables of the database of the jobs that jobs may read and write, without SQL of their own. With --folders or --tables, jobs may use the folders and tables that these name, and nothing else."
      )
    ),
    "EFFECT_TRANSLATE_WORKER_TABLES"
  ),
  sources: setting(
    list(
      text(
        "--sources <a,b>",
        "Addresses that jobs may read and write, by prefix, such as s3://bucket/in/ or https://host/exports/. Without it: none."
      )
    ),
    "EFFECT_TRANSLATE_WORKER_SOURCES"
  ),
  keep: setting(
    text(
      "--keep <time>",
      "The time for which ended jobs and the ledger's requests are kept, such as 30d: workers remove older ones. Without it: for ever."
    ),
    "EFFECT_TRANSLATE_WORKER_KEEP",
    time
  ),
  keepTranslations: setting(
    text(
      "--keep-translations <time>",
      "The time for which translations are remembered, such as 1y: a text that is asked for again after that time is paid for again. Corrections stay. Without it: for ever."
    ),
    "EFFECT_TRANSLATE_WORKER_KEEP_TRANSLATIONS",
    time
  ),
  address: setting(
    text(
      "--address <host:port>",
      "Where other workers reach this one. Without it: 127.0.0.1 and a free port, which is right for workers of one machine."
    ),
    "EFFECT_TRANSLATE_WORKER_ADDRESS"
  ),
  listen: setting(
    text("--listen <host:port>", "Where to listen for other workers, if that is not the address."),
    "EFFECT_TRANSLATE_WORKER_LISTEN"
  ),
  http: setting(
    text(
      "--http <host:port>",
      "Serves the control of jobs and a page that shows them, for those who have the key in EFFECT_TRANSLATE_JOBS_KEY."
    ),
    "EFFECT_TRANSLATE_WORKER_HTTP"
  ),
  concurrency: setting(
    whole(
      "--concurrency <number>",
      "The number of requests in flight at once, of all jobs and languages together. Without it: 8.",
      {
        min: 1,
        max: 1000
      }
    ),
    "EFFECT_TRANSLATE_WORKER_CONCURRENCY"
  ),
  drain: setting(
    whole(
      "--drain <seconds>",
      "The time for requests in flight when the worker is to end, by Ctrl-C or SIGTERM. Another worker repeats unfinished work. Without it: 12.",
      { max: 86_400 }
    ),
    "EFFECT_TRANSLATE_WORKER_DRAIN"
  )
}

export type Worker = SettingsOf<typeof worker>

/** The parameters of every command. */
export const common = {
  json: flag("--json", "Print one JSON object a line, for programs: events, and a result."),
  quiet: flag("--quiet, -q", "Print results and errors only."),
  verbose: flag("--verbose", "Also print decisions, with their reasons."),
  config: setting(
    text(
      "--config <file>",
      "The file of settings. Without it: effect-translate.config.json or .mjs, here or in a folder above."
    ),
    "EFFECT_TRANSLATE_CONFIG",
    { isInFile: false }
  ),
  stateFolder: setting(
    text(
      "--state-folder <folder>",
      "Where outputs, translations, jobs and documents are remembered. Without it: .effect-translate beside the file of settings, or else the nearest one here or in a folder above, up to the root of git."
    ),
    "EFFECT_TRANSLATE_STATE_FOLDER",
    { isPath: always }
  ),
  profile: setting(
    text("--profile <name>", "The profile of the file of settings: which service, and whose key."),
    "EFFECT_TRANSLATE_PROFILE"
  ),
  proxy: service.proxy
}

/** Goes on without asking. */
export const yes = flag("--yes, -y", "Do not ask. Needed where nobody can be asked, as in scripts.")

/** The input of every command. */
export type CommonInput = Input<typeof common>

/** The input of a command: its own options and arguments, and those of every command. */
export type InputOf<C extends Command> = Input<C["parameters"]> & CommonInput

/** The names of the options that every command takes. */
export const commonNames: ReadonlyArray<string> = Object.values(common).map(({ names: [name = ""] }) =>
  name.slice(2)
)

/** The variables of the environment that are settings. */
export const variables: ReadonlyArray<string> = [
  ...Object.values({ ...service, ...keys }),
  ...Object.values({ ...jobsKeys, ...workerSecrets }),
  ...Object.values(translate),
  ...Object.values(worker),
  ...Object.values(common),
  jobs
].flatMap(({ setting }) => setting?.variable ?? [])
