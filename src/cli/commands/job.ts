import * as Args from "@effect/cli/Args"
import * as Cli from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Command from "../command.js"
import { yes } from "../confirm.js"
import { shared } from "./translate.js"

/** Where jobs are. */
const jobs = Command.text(
  "jobs",
  "file|url",
  "Where jobs are kept: a file for one machine, postgres://… for several, or the http:// address of a worker, with its key in EFFECT_TRANSLATE_JOBS_KEY. Without it: .effect-translate/jobs.db."
).pipe(Command.optional)

const id = Args.text({ name: "id" }).pipe(Args.withDescription("The job."))

const one = { id, jobs }

export type OneInput = Command.Input<typeof one>

const submitConfig = {
  ...shared,
  files: Args.text({ name: "files" }).pipe(
    Args.withDescription(
      'Files, folders and patterns such as "docs/**/*.md"; "!docs/old/**" leaves some out. All workers must find them at the same path.'
    ),
    Args.repeated
  ),
  id: Command.text(
    "id",
    "name",
    "What the job is called: letters, digits, dots, hyphens and underscores. Without it: made of what is translated and how, so that the same command is the same job."
  ).pipe(Command.optional),
  table: Command.text(
    "table",
    "name",
    "In place of files: a table of the database of the jobs, of which --column names the texts."
  ).pipe(Command.optional),
  keys: Command.text("key", "column", "The column of --table that tells rows apart.").pipe(Options.repeated),
  where: Command.text("where", "sql", "Which rows of --table: SQL. Without it all.").pipe(Command.optional),
  output: Command.text(
    "output",
    "table|pattern",
    "Where translations of --table go: a table with a row for each language, or columns such as '{column}_{lang}'. What is missing of it is made."
  ).pipe(Command.optional),
  revision: Command.text(
    "revision",
    "text",
    "What the source is at: a job that is done begins anew with another one. Without it: made of what files or rows hold, which reads all of a table."
  ).pipe(Command.optional),
  budgetName: Command.text(
    "budget-name",
    "name",
    "Jobs with the same name share one budget: that of the job submitted last."
  ).pipe(Command.optional),
  batch: Command.optional(
    Command.whole("batch", { min: 1, max: 100_000 }).pipe(
      Options.withDescription("About how many texts are translated in one step. Without it: 50.")
    )
  ),
  jobs
}

export type SubmitInput = Command.Input<typeof submitConfig>

const listConfig = { jobs }

export type ListInput = Command.Input<typeof listConfig>

const cancelConfig = {
  ...one,
  wait: Options.boolean("wait").pipe(
    Options.withDescription("Wait until what is in flight is recorded, and the job has ended.")
  )
}

export type CancelInput = Command.Input<typeof cancelConfig>

const purgeConfig = {
  id: Args.text({ name: "id" }).pipe(
    Args.withDescription("The job. Without it, all that have ended."),
    Args.repeated
  ),
  jobs,
  olderThan: Command.text(
    "older-than",
    "time",
    "Only jobs that ended so long ago, such as 30d, 12h or 2w."
  ).pipe(Command.optional),
  yes
}

export type PurgeInput = Command.Input<typeof purgeConfig>

export const job = Cli.make("job").pipe(
  Cli.withDescription("Durable jobs: submitted once, and done by workers, whatever restarts meanwhile."),
  Cli.withSubcommands([
    Command.make(
      "submit",
      "Submits a job, for workers to do. The same again changes nothing, unless the files have changed: then they are translated anew, and nothing is paid for twice.\n\nExample: effect-translate job submit 'docs/**/*.md' --to de,fr --id docs",
      submitConfig,
      () => import("../handlers/job/submit.js")
    ),
    Command.make(
      "status",
      "What is known of a job.\n\nExample: effect-translate job status docs",
      one,
      () => import("../handlers/job/status.js")
    ),
    Command.make(
      "watch",
      "Shows how far a job is until it has ended. The exit code says how: 0 for done, 1 if texts or the job failed, 130 for cancelled.\n\nExample: effect-translate job watch docs",
      one,
      () => import("../handlers/job/watch.js")
    ),
    Command.make(
      "list",
      "All jobs, the newest first.\n\nExample: effect-translate job list",
      listConfig,
      () => import("../handlers/job/list.js")
    ),
    Command.make(
      "failures",
      "The texts of a job that were not translated, and why.\n\nExample: effect-translate job failures docs --json",
      one,
      () => import("../handlers/job/failures.js")
    ),
    Command.make(
      "pause",
      "Sends nothing more of a job until it is resumed. What is in flight is recorded.\n\nExample: effect-translate job pause docs",
      one,
      () => import("../handlers/job/pause.js")
    ),
    Command.make(
      "resume",
      "Goes on with a job that is paused, or that waits for a quota or the service.\n\nExample: effect-translate job resume docs",
      one,
      () => import("../handlers/job/resume.js")
    ),
    Command.make(
      "cancel",
      "Ends a job: within a second nothing more is sent, and what is in flight is recorded. Submitted again, it goes on with what is left.\n\nExample: effect-translate job cancel docs --wait",
      cancelConfig,
      () => import("../handlers/job/cancel.js")
    ),
    Command.make(
      "purge",
      "Forgets jobs that have ended, and what the engine has kept of them. Translations stay in the store.\n\nExample: effect-translate job purge --older-than 30d --yes",
      purgeConfig,
      () => import("../handlers/job/purge.js")
    ),
    Command.make(
      "workers",
      "The machines that translate.\n\nExample: effect-translate job workers",
      listConfig,
      () => import("../handlers/job/workers.js")
    )
  ])
)
