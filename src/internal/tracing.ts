import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Tracer from "effect/Tracer"

/** The tracer of a program that collects no spans. */
const nobody = Context.get(DefaultServices.liveServices, Tracer.Tracer)

/** Returns `true` if somebody collects the spans of a tracer. */
export const isCollecting = (tracer: Tracer.Tracer): boolean => tracer !== nobody
