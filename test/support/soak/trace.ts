/** What a run has done, line by line: in virtual time a seed always has the same. */
import { createHash } from "node:crypto"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { Outcome } from "effect-translate"

export class Trace {
  requests = 0
  readonly lines: Array<string> = []

  note(line: string): Effect.Effect<void> {
    return Clock.clockWith((clock) =>
      Effect.sync(() => {
        this.lines.push(`${clock.unsafeCurrentTimeMillis()} ms ${line}`)
      })
    )
  }

  outcomes(chunk: Chunk.Chunk<Outcome.Outcome<unknown, unknown>>): Effect.Effect<void> {
    return this.note(
      Chunk.toReadonlyArray(chunk)
        .map(
          ({ _tag, cost, texts: { cached, failed, skipped, translated } }) =>
            `${_tag} ${translated} ${cached} ${skipped} ${failed} for ${cost.characters} ${cost.ambiguousCharacters}`
        )
        .join(", ")
    )
  }
}

export const hashOf = ({ body }: HttpClientRequest.HttpClientRequest): string =>
  createHash("sha1")
    .update(body._tag === "Uint8Array" ? body.body : body._tag)
    .digest("hex")

/** How something ended, in a few words. */
export const ending = <A>(
  exit: Exit.Exit<A, { readonly _tag: string }>,
  ofSuccess: (value: A) => string
): string =>
  Exit.match(exit, {
    onSuccess: ofSuccess,
    onFailure: (cause) =>
      Option.match(Cause.failureOption(cause), {
        onNone: () => (Cause.isInterrupted(cause) ? "interrupted" : "a defect"),
        onSome: ({ _tag }) => _tag
      })
  })

/** Where two runs of a seed differ, if they do. */
export const difference = (first: Trace, second: Trace): string | undefined => {
  const at = first.lines.findIndex((line, index) => line !== second.lines[index])
  if (at === -1 && first.lines.length === second.lines.length) return undefined
  const shown = ({ lines }: Trace) =>
    lines[at === -1 ? Math.min(first.lines.length, second.lines.length) : at] ?? "nothing"
  return `two runs differ: ${shown(first)}; ${shown(second)}`
}
