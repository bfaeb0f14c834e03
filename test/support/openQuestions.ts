/** A service that leaves open whatever is asked before work: what a key with the scope for translation only gets, or a small gateway has. */
import * as Effect from "effect/Effect"
import { Emulator, Fault } from "effect-translate/emulator"

/** 403 for a key without the scope, 404 from a gateway without the endpoints. */
export const statuses = [403, 404] as const

/** Answers every question with a status. */
export const leaveOpen = (status: (typeof statuses)[number]) =>
  Effect.flatMap(Emulator.Emulator, ({ script }) =>
    script([
      Fault.status(status).pipe(
        Fault.where(({ method }) => method === "GET"),
        Fault.times(Number.POSITIVE_INFINITY)
      )
    ])
  )
