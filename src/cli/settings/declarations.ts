/**
 * Every setting: its option, its variable of the environment, what it may be and what it means, in one row. The name of a row is its key
 * in the file of settings. Commands take these rows as options; the file, the environment, `config.schema.json` and `docs/reference/cli.md` are
 * made of them.
 */
import * as Limits from "../../api/Limits.js"
import {
  argument,
  choice,
  flag,
  list,
  number,
  optional,
  repeated,
  type SettingsOf,
  setting,
  text,
  whole
} from "../commandLine/declare.js"
import { always, jobsKeys, keys, service, workerSecrets } from "./serviceDeclarations.js"

const isAddress = (value: string) => value.includes("://")

/** What `translate` and `job submit` do: the object `translate` of the file. */
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
    { language: "source" }
  ),
  to: setting(list(text("--to <de,fr,ja>", "The languages to translate into.")), "EFFECT_TRANSLATE_TO", {
    language: "target"
  }),
  out: setting(
    text(
      "--out <pattern>",
      "Where translations go: a folder, or a pattern with {lang}, {dir}, {name} and {ext}, also of s3://bucket/. Without it beside the files: products.de.csv for products.csv, locales/de.json for locales/en.json."
    ),
    "EFFECT_TRANSLATE_OUT",
    { isPath: (value) => !isAddress(value) }
  ),
  pathLang: setting(
    list(
      text(
        "--path-lang <zh-Hant=zh-TW>",
        "The name of a language in the paths of outputs, where it is not the code of the service."
      )
    ),
    "EFFECT_TRANSLATE_PATH_LANG",
    {
      pattern: /^[A-Za-z0-9-]+=[\w@+.-]+$/,
      must: "must be a code of the service and its name in paths, such as zh-Hant=zh-TW"
    }
  ),
  sources: setting(
    repeated(
      text(
        "--sources <prefix>",
        "Addresses of http: and of private hosts to allow, by what they begin with: http://host/exports allows http://host/exports/a.csv, and http://host/exp does not."
      )
    ),
    "EFFECT_TRANSLATE_SOURCES"
  ),
  format: setting(
    text("--format <name>", "The format of the files. Without it: by their names and beginnings."),
    "EFFECT_TRANSLATE_FORMAT"
  ),
  columns: setting(
    repeated(
      text("--column <name>", "A column of CSV and Parquet files to translate, as the file names it.")
    ),
    "EFFECT_TRANSLATE_COLUMNS"
  ),
  outputColumn: setting(
    text(
      "--output-column <pattern>",
      "The name of a new column of Parquet files. Without it: {column}_{lang}."
    ),
    "EFFECT_TRANSLATE_OUTPUT_COLUMN"
  ),
  fields: setting(
    repeated(
      text(
        "--field <path>",
        'What to translate of JSON, JSON Lines and YAML files, such as "messages[*].content".'
      )
    ),
    "EFFECT_TRANSLATE_FIELDS"
  ),
  glossary: setting(
    text("--glossary <id|file>", "A glossary of the service, or a CSV or TSV file of which one is made."),
    "EFFECT_TRANSLATE_GLOSSARY",
    { isPath: (value) => /[\\/.]/.test(value) }
  ),
  style: setting(text("--style <id>", "A style rule list of the service."), "EFFECT_TRANSLATE_STYLE"),
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
    "EFFECT_TRANSLATE_TRANSLATION_MEMORY_THRESHOLD"
  ),
  formality: setting(
    choice(
      "--formality",
      ["default", "more", "less", "prefer_more", "prefer_less"],
      "How formal translations sound."
    ),
    "EFFECT_TRANSLATE_FORMALITY"
  ),
  model: setting(
    choice(
      "--model",
      ["latency_optimized", "quality_optimized", "prefer_quality_optimized"],
      "Which models translate: whether speed or quality counts more."
    ),
    "EFFECT_TRANSLATE_MODEL"
  ),
  context: setting(
    text("--context <text>", "What the texts are about. It is not translated and not billed."),
    "EFFECT_TRANSLATE_CONTEXT"
  ),
  parameters: setting(
    repeated(
      text(
        "--parameter <name=value>",
        "A parameter of requests that the service has and this program does not know, under its name on the wire; the value as JSON, or a text."
      )
    ),
    "EFFECT_TRANSLATE_PARAMETERS",
    { pattern: /^[A-Za-z]\w*=./, must: "must be a name and a value, such as some_option=true" }
  ),
  budget: setting(
    whole("--budget <characters>", "The most that may be billed.", { min: 0 }),
    "EFFECT_TRANSLATE_BUDGET",
    { min: 1 }
  ),
  price: setting(
    number("--price <amount>", "What a million characters cost, for forecast and summary.", { min: 0 }),
    "EFFECT_TRANSLATE_PRICE"
  ),
  store: setting(
    text(
      "--store <file|url|none>",
      "Where translations are remembered, so that none is paid for twice: a file, or postgres://… Without it: .effect-translate/store.db."
    ),
    "EFFECT_TRANSLATE_STORE",
    { isPath: (value) => value !== "none" && !isAddress(value) }
  ),
  existing: setting(
    choice(
      "--existing",
      ["keep", "overwrite"],
      "What becomes of outputs that are there: keep what persons have written in them (the default), or write them anew."
    ),
    "EFFECT_TRANSLATE_EXISTING"
  ),
  removed: setting(
    choice(
      "--removed",
      ["keep", "drop"],
      "What becomes of texts of an output that the source does not have any more: keep is the default."
    ),
    "EFFECT_TRANSLATE_REMOVED"
  ),
  failed: setting(
    choice(
      "--failed",
      ["previous", "source", "empty"],
      "What a text that failed leaves in its output: the previous translation or else the source (the default), the source, or nothing."
    ),
    "EFFECT_TRANSLATE_FAILED"
  ),
  checks: setting(
    list(
      text(
        "--check <name=policy>",
        "What becomes of a translation in which a check finds something: flag keeps it and says so, retry asks once more, fail refuses it, off does not ask. The name is that of a check, or all; answers=off lets a job go on whose first answers are no translations. Without it: retry for empty and placeholders, fail for answers, flag for all others."
      )
    ),
    "EFFECT_TRANSLATE_CHECKS",
    {
      pattern: /^[a-z][A-Za-z-]*=(flag|retry|fail|off)$/,
      must: "must be the name of a check or all, and a policy: flag, retry, fail or off, such as numbers=fail"
    }
  )
}

export type Translate = SettingsOf<typeof translate>

/** Where durable jobs are. */
export const jobs = setting(
  text(
    "--jobs <file|url>",
    "Where jobs are kept: a file for one machine, postgres://… for several, or the http:// address of a worker, with its key in EFFECT_TRANSLATE_JOBS_KEY. Without it: .effect-translate/jobs.db."
  ),
  "EFFECT_TRANSLATE_JOBS",
  { isPath: (value) => !isAddress(value) }
)

const time = {
  pattern: /^\d+\s*[mhdwy]$/i,
  must: "must be a number and m, h, d, w or y, such as 30d"
}

/** What `worker` does: the object `worker` of the file. */
export const worker = {
  folders: setting(
    list(
      text(
        "--folders <a,b>",
        "Folders that jobs may read and write in. With --folders or --tables, jobs may use what these name and nothing else; without both, all that the worker may."
      )
    ),
    "EFFECT_TRANSLATE_WORKER_FOLDERS",
    { isPath: always }
  ),
  tables: setting(
    list(
      text(
        "--tables <a,b>",
        "Tables of the database of the jobs that jobs may read and write, without SQL of their own. With --folders or --tables, jobs may use what these name and nothing else."
      )
    ),
    "EFFECT_TRANSLATE_WORKER_TABLES"
  ),
  sources: setting(
    list(
      text(
        "--sources <a,b>",
        "Addresses that jobs may read and write, by what they begin with, such as s3://bucket/in/ or https://host/exports/. Without it: none."
      )
    ),
    "EFFECT_TRANSLATE_WORKER_SOURCES"
  ),
  keep: setting(
    text(
      "--keep <time>",
      "How long jobs are kept that have ended, and what the store knows of requests, such as 30d: workers remove what is older. Without it: for ever."
    ),
    "EFFECT_TRANSLATE_WORKER_KEEP",
    time
  ),
  keepTranslations: setting(
    text(
      "--keep-translations <time>",
      "How long translations are remembered, such as 1y: what is asked for again after that time is paid for again. Corrections stay. Without it: for ever."
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
      "How many requests are in flight at once, all jobs and languages together. Without it: 8.",
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
      "How long what is in flight may take when the worker is to end, by Ctrl-C or SIGTERM. What is not done then is done again by another worker. Without it: 12.",
      { max: 86_400 }
    ),
    "EFFECT_TRANSLATE_WORKER_DRAIN"
  )
}

export type Worker = SettingsOf<typeof worker>

/** What every command takes. */
export const common = {
  json: flag("--json", "Print one JSON object a line, for programs: events, and a result."),
  quiet: flag("--quiet, -q", "Print results and errors only."),
  verbose: flag("--verbose", "Also print what is decided on the way, and why."),
  config: setting(
    text(
      "--config <file>",
      "The file of settings. Without it: effect-translate.config.json or .mjs, here or in a folder above."
    ),
    "EFFECT_TRANSLATE_CONFIG",
    { isInFile: false }
  ),
  profile: setting(
    text("--profile <name>", "The profile of the file of settings: which service, and whose key."),
    "EFFECT_TRANSLATE_PROFILE"
  ),
  proxy: service.proxy
}

/** Goes on without asking. */
export const yes = flag("--yes, -y", "Do not ask. Needed where nobody can be asked, as in scripts.")

/** The names of the options that every command takes. */
export const commonNames: ReadonlyArray<string> = Object.keys(common)

/** The variables of the environment that are settings. */
export const variables: ReadonlyArray<string> = [
  ...Object.values({ ...service, ...keys }),
  ...Object.values({ ...jobsKeys, ...workerSecrets }),
  ...Object.values(translate),
  ...Object.values(worker),
  ...Object.values(common),
  jobs
].flatMap(({ setting }) => setting?.variable ?? [])
