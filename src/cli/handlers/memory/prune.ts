import * as Effect from "effect/Effect"
import * as TranslationStore from "../../../store/TranslationStore.js"
import type { PruneInput } from "../../commands/memory.js"
import { confirm } from "../../confirm.js"
import * as duration from "../../duration.js"
import { Usage } from "../../failure.js"
import { Output } from "../../output.js"
import * as text from "../../text.js"
import { withExisting } from "./existing.js"

const powers = ["", "K", "M", "G", "T"]

/** Bytes such as `500MB`. */
const bytesOf = (given: string): Effect.Effect<number, Usage> => {
  const [, figure, power] = /^(\d+(?:\.\d+)?)\s*([kmgt]?)b?$/i.exec(given.trim()) ?? []
  return power === undefined
    ? new Usage({ message: `--max-size ${given}: give a number and KB, MB or GB, such as 500MB.` })
    : Effect.succeed(Math.floor(Number(figure) * 1000 ** powers.indexOf(power.toUpperCase())))
}

const given = <A, E>(value: string | undefined, parse: (value: string) => Effect.Effect<A, E>) =>
  value === undefined ? Effect.succeed(undefined) : parse(value)

export const handle = ({ maxSize, olderThan, store, yes }: PruneInput) =>
  Effect.gen(function* () {
    const { result } = yield* Output
    if (olderThan === undefined && maxSize === undefined) {
      return yield* new Usage({ message: "Say what to remove: --older-than 90d, --max-size 500MB, or both." })
    }
    const maxAge = yield* given(olderThan, (time) => duration.parse("--older-than", time))
    const maxBytes = yield* given(maxSize, bytesOf)
    yield* withExisting(store, (name) =>
      Effect.gen(function* () {
        yield* confirm(`Remove translations from ${name} that would be paid for again?`, { yes })
        const { prune } = yield* TranslationStore.TranslationStore
        const removed = yield* prune({ maxAge, maxBytes })
        yield* result(
          { store: name, removed },
          `${text.plural(removed, "translation")} removed from ${name}.`
        )
      })
    )
  })
