import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { LRUCache } from "lru-cache"
import type * as Text from "../../api/Text.js"
import type { StreamError } from "../Outcome.js"
import type { Result } from "./matching.js"
import * as options from "./options.js"
import * as Row from "./row.js"
import type { LookUp, Record, Scheduler } from "./scheduler.js"

/**
 * What is known of a text: its translation; that somebody else is translating it; or nothing, so that whoever asked is
 * to translate it.
 */
export type Known = Text.Translation | "pending" | "unknown"

/** What became of a text. */
export type Recorded = Result & { readonly text: string }

/** What a stream asks of a store of translations. Each failure ends the stream. */
export interface Store {
  /** What is known of texts, in their order: asked once for each chunk that is pulled, and again for pending texts. */
  readonly lookUp: (texts: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Known>, StreamError>
  /** How long to wait before pending texts are asked for again. */
  readonly pollInterval: Duration.DurationInput
  /** Texts are about to be sent: told once for each request. */
  readonly aboutToSend: (texts: ReadonlyArray<string>) => Effect.Effect<void, StreamError>
  /** What became of texts: told before their outcomes leave the stream. */
  readonly record: (results: ReadonlyArray<Recorded>) => Effect.Effect<void, StreamError>
}

/** How much a store in memory holds. */
export interface Capacity {
  readonly texts: number
  readonly bytes: number
}

/** Two bytes for each UTF-16 unit of both texts, and what an entry takes besides. */
const bytesOf = (translation: Text.Translation, text: string): number =>
  2 * (text.length + translation.text.length) + 200

/** A store for one stream, in memory. What was used least recently is forgotten first. */
export const makeMemory = ({ bytes, texts }: Capacity): Store => {
  const known = new LRUCache<string, Text.Translation>({
    max: texts,
    maxSize: bytes,
    sizeCalculation: bytesOf
  })
  return {
    lookUp: (texts) => Effect.sync(() => texts.map((text) => known.get(text) ?? "unknown")),
    // Equal texts of the stream itself wait without asking, so nothing is ever pending here.
    pollInterval: "1 second",
    aboutToSend: () => Effect.void,
    record: (results) =>
      Effect.sync(() => {
        for (const { text, translation } of results) {
          if (translation !== undefined) known.set(text, translation)
        }
      })
  }
}

/** The store that options ask for. */
export const fromOptions = (given: options.Options): Store | undefined => {
  const capacity = options.dedupeCapacity(given)
  return capacity && makeMemory(capacity)
}

/** Carries out what a scheduler wants of a store. */
export const ask = <A, B>(
  store: Store,
  scheduler: Scheduler<A, B>,
  step: LookUp<A> | Record<A>
): Effect.Effect<void> =>
  step._tag === "LookUp"
    ? Effect.match(store.lookUp(step.items.map(Row.textOf)), {
        onFailure: (error) => scheduler.notFound(step, error),
        onSuccess: (known) => scheduler.found(step, known)
      })
    : Effect.match(
        store.record(step.settled.map(({ item, ...result }) => ({ ...result, text: Row.textOf(item) }))),
        {
          onFailure: (error) => {
            scheduler.stop(error)
            scheduler.recorded(step)
          },
          onSuccess: () => scheduler.recorded(step)
        }
      )
