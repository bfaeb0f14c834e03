import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Wording } from "./wording.js"

/** A file is not of its type: the status of its document becomes an error with this message. */
export class Broken extends Data.TaggedError("Broken")<{ readonly message: string }> {}

/** Words a file anew. */
export type Translate = (content: Uint8Array, wording: Wording) => Effect.Effect<Uint8Array, Broken>

/** Runs what throws if the file is not of its type. */
export const attempt = <A>(message: string, evaluate: () => A): Effect.Effect<A, Broken> =>
  Effect.try({ try: evaluate, catch: () => new Broken({ message }) })
