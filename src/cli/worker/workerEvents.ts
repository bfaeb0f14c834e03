/** The events of a worker about jobs: a line for people, or an object for programs. */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { WorkerEvent } from "../../workflow/WorkerEvent.js"
import { reasons, timeOf } from "../durableJob/jobText.js"
import { Output } from "../output.js"

/** The line of an event. */
export const lineOf = (event: WorkerEvent): string => {
  const job = event.generation === 1 ? event.id : `${event.id} (generation ${event.generation})`
  switch (event._tag) {
    case "JobBegun":
      return `${job}: begun`
    case "JobWaits":
      return `${job}: waiting until ${timeOf(event.until)}, as ${reasons[event.reason]}`
    case "JobEnded":
      return `${job}: ${event.state}${event.error === undefined ? "" : `: ${event.error.message}`}`
  }
}

const types = { JobBegun: "jobBegan", JobWaits: "jobWaits", JobEnded: "jobEnded" } as const

/** The object of an event. */
export const objectOf = ({ _tag, ...event }: WorkerEvent) => ({
  type: types[_tag],
  ...event,
  ...("until" in event ? { until: DateTime.formatIso(event.until) } : {})
})

/** Prints events on the output of the command. */
export const telling: Effect.Effect<(event: WorkerEvent) => Effect.Effect<void>, never, Output> = Effect.map(
  Output,
  ({ event, note }) =>
    (happened) =>
      Effect.zipRight(event(objectOf(happened)), note(lineOf(happened)))
)
