/** The messages between workers and the host of a limit. No call waits long, so that none is lost with a machine, nor holds one up. */
import * as ClusterSchema from "@effect/cluster/ClusterSchema"
import * as Entity from "@effect/cluster/Entity"
import * as Rpc from "@effect/rpc/Rpc"
import * as Schema from "effect/Schema"

/** The state of the limit. `ceiling` is left out where JSON has no `undefined`. */
export const State = Schema.Struct({
  limit: Schema.Number,
  ceiling: Schema.UndefinedOr(Schema.Number),
  inUse: Schema.Number,
  waiting: Schema.Number,
  refused: Schema.Number,
  paused: Schema.Boolean
})

/** The end of an attempt. Known by the number of its permit, so that it may be told twice. */
export const End = Schema.Struct({
  permit: Schema.Number,
  how: Schema.Literal("accepted", "refused", "released"),
  /** Milliseconds. */
  retryAfter: Schema.optional(Schema.Number)
})

export type End = typeof End.Type

/** The fields of a worker in both calls. */
const told = {
  worker: Schema.String,
  /** The host that gave the permits; nothing is known of them if it is another one. */
  host: Schema.String,
  ends: Schema.Array(End)
}

/** Asks for permits, and waits a moment for the first one. A worker asks one question at a time, and numbers them. */
export const Take = Schema.Struct({ ...told, question: Schema.Number, wanted: Schema.Number })

export const Taken = Schema.Struct({
  /** The host, which is another one after it was lost: it knows nothing of the permits of the former one. */
  host: Schema.String,
  permits: Schema.Array(Schema.Number),
  state: State
})

/** A worker is alive. */
export const Report = Schema.Struct({
  ...told,
  /** The permits that it has. Those of answered or given up questions that it does not have were lost on the way. */
  held: Schema.Array(Schema.Number),
  /** The last question that was answered, or given up. */
  settled: Schema.Number
})

export const Reported = Schema.Struct({ host: Schema.String, state: State })

/** One instance for each name, on one machine of the cluster. */
export const Limit = Entity.make("ClusterLimit", [
  Rpc.make("take", { payload: Take.fields, success: Taken }),
  Rpc.make("report", { payload: Report.fields, success: Reported })
])
  .annotateRpcs(ClusterSchema.Uninterruptible, "client")
  .annotate(ClusterSchema.ClientTracingEnabled, false)
