import * as Options from "@effect/cli/Options"
import * as Command from "../command.js"

const address = (name: string, description: string) =>
  Command.text(name, "host:port", description).pipe(Command.optional)

const config = {
  jobs: Command.text(
    "jobs",
    "file|url",
    "Where jobs are kept: postgres://… for workers on any number of machines, or a file for the one worker of this machine. Without it: .effect-translate/jobs.db."
  ).pipe(Command.optional),
  store: Command.text(
    "store",
    "file|url",
    "Where translations are remembered. Without it: the database of the jobs if that is PostgreSQL, else .effect-translate/store.db. Workers of several machines need one store, in PostgreSQL."
  ).pipe(Command.optional),
  address: address(
    "address",
    "Where other workers reach this one. Without it: 127.0.0.1 and a free port, which is right for workers of one machine."
  ),
  listen: address("listen", "Where to listen for other workers, if that is not the address."),
  http: address(
    "http",
    "Serves the control of jobs and a page that shows them, for those who have the key in EFFECT_TRANSLATE_JOBS_KEY."
  ),
  concurrency: Command.optional(
    Command.whole("concurrency", { min: 1, max: 1000 }).pipe(
      Options.withDescription("How many steps of about 50 texts are done at once. Without it: 8.")
    )
  ),
  drain: Command.optional(
    Command.whole("drain", { max: 86_400 }).pipe(
      Options.withPseudoName("seconds"),
      Options.withDescription(
        "How long what is in flight may take when the worker is to end, by Ctrl-C or SIGTERM. What is not done then is done again by another worker. Without it: 12."
      )
    )
  ),
  supervised: Options.boolean("supervised").pipe(
    Options.withDescription(
      "Starts the worker in a process of its own, and again whenever it has lost its database or has crashed. systemd and Kubernetes do that themselves."
    )
  )
}

export type Input = Command.Input<typeof config>

export const worker = Command.make(
  "worker",
  "Does durable jobs until it is told to end. Start as many as you like, on any number of machines, with the same PostgreSQL. Ctrl-C or SIGTERM ends it: what is in flight is finished and recorded.\n\nExample: effect-translate worker --jobs postgres://user@host/jobs --address 10.0.0.5:7400",
  config,
  () => import("../handlers/worker.js")
)
