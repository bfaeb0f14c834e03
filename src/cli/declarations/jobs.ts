/** Durable jobs, and the workers that do them. */
import * as Struct from "effect/Struct"
import {
  argument,
  choice,
  command,
  described,
  flag,
  group,
  list,
  optional,
  text,
  whole
} from "../commandLine/declare.js"
import * as settings from "../settings/declarations.js"
import { asText, retryFailed, strictSyntax } from "./texts.js"

const { jobs } = settings

/** The states of `CorpusJob.State`, without loading that module. */
const states = [
  "submitted",
  "running",
  "paused",
  "waiting",
  "cancelling",
  "done",
  "failed",
  "cancelled"
] as const

const one = { id: argument("id", "The job."), jobs }

export const job = group("Durable jobs: submitted once, and done by workers, whatever restarts meanwhile.", {
  submit: command(
    "Submits a job, for workers to do. The same again changes nothing, unless the files have changed: then they are translated anew, and nothing is paid for twice.",
    {
      ...Struct.omit(settings.translate, "store"),
      files: described(
        settings.translate.files,
        'Files, folders and patterns such as "docs/**/*.md"; "!docs/old/**" leaves some out. All workers must find them at the same path.'
      ),
      id: text(
        "--id <name>",
        "The name of the job: letters, digits, dots, hyphens and underscores. Without it: made of the sources and the options, so that the same command is the same job."
      ),
      table: text(
        "--table <name>",
        "In place of files: a table of the database of the jobs, of which --column names the texts."
      ),
      where: text("--where <sql>", "The condition for rows of --table: SQL. Without it: all rows."),
      output: text(
        "--output <table|pattern>",
        "Where translations of --table go: a table with a row for each language, or columns such as '{column}_{lang}'. Missing ones are made."
      ),
      revision: text(
        "--revision <text>",
        "The version of the source: a job that is done begins anew with another one. Without it: a hash of the files or rows, which reads all of a table."
      ),
      budgetName: text(
        "--budget-name <name>",
        "Jobs with the same name share one budget: that of the job submitted last."
      ),
      retryFailed,
      asText,
      strictSyntax,
      batch: whole(
        "--batch <number>",
        "About how many texts are translated in one step. Without it: up to 2,000, or up to 50,000 of a source that is not cut.",
        {
          min: 1,
          max: 100_000
        }
      ),
      jobs
    },
    "effect-translate job submit 'docs/**/*.md' --to de,fr --id docs"
  ),
  status: command("The status of a job.", one, "effect-translate job status docs"),
  watch: command(
    "Shows how far a job is until it has ended. The exit code says how: 0 for done, 1 if texts or the job failed, 130 for cancelled.",
    one,
    "effect-translate job watch docs"
  ),
  list: command(
    "Jobs, the newest first.",
    {
      jobs,
      state: list(choice("--state", states, "Only jobs in these states, such as running,waiting.")),
      prefix: text("--prefix <text>", "Only jobs whose ids begin so."),
      limit: whole("--limit <number>", "The largest number of jobs. Without it: 100.", {
        min: 1,
        max: 1000
      }),
      cursor: text("--cursor <text>", "Those after the page that has told this.")
    },
    "effect-translate job list --state running,waiting"
  ),
  failures: command(
    "The texts of a job that were not translated, and why.",
    one,
    "effect-translate job failures docs --json"
  ),
  pause: command(
    "Sends nothing more of a job until it is resumed. Requests in flight are recorded.",
    one,
    "effect-translate job pause docs"
  ),
  resume: command(
    "Goes on with a job that is paused, or that waits for a quota or the service.",
    one,
    "effect-translate job resume docs"
  ),
  cancel: command(
    "Ends a job: within a second nothing more is sent, and requests in flight are recorded. Submitted again, it translates the rest.",
    {
      ...one,
      wait: flag("--wait", "Wait until requests in flight are recorded, and the job has ended.")
    },
    "effect-translate job cancel docs --wait"
  ),
  purge: command(
    "Removes jobs that have ended, and their journals. Translations stay in the store.",
    {
      id: optional(argument("id", "The job. Without it, all that have ended.")),
      jobs,
      olderThan: text("--older-than <time>", "Only jobs that ended so long ago, such as 30d, 12h or 2w."),
      yes: settings.yes
    },
    "effect-translate job purge --older-than 30d --yes"
  ),
  workers: command("The machines that translate.", { jobs }, "effect-translate job workers")
})

export type SubmitInput = settings.InputOf<(typeof job)["commands"]["submit"]>

export const worker = command(
  "Does durable jobs until it is told to end. Start as many as you like, on any number of machines, with the same PostgreSQL. Ctrl-C or SIGTERM ends it: requests in flight are finished and recorded.",
  {
    jobs: described(
      jobs,
      "Where jobs are kept: postgres://… for workers on any number of machines, or a file for the one worker of this machine. Without it: jobs.db in the state folder."
    ),
    store: described(
      settings.translate.store,
      "Where translations are remembered. Without it: the database of the jobs if that is PostgreSQL, else store.db in the state folder. Workers of several machines need one store, in PostgreSQL.",
      "file|url"
    ),
    ...settings.worker,
    supervised: flag(
      "--supervised",
      "Starts the worker in a process of its own, and again whenever it has lost its database or has crashed. systemd and Kubernetes do that themselves."
    )
  },
  "effect-translate worker --jobs postgres://user@host/jobs --address 10.0.0.5:7400"
)

export type WorkerInput = settings.InputOf<typeof worker>
