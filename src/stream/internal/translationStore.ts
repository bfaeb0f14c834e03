import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import type * as Scope from "effect/Scope"
import { LRUCache } from "lru-cache"
import type * as Text from "../../api/Text.js"
import type { StoreError } from "../../store/StoreError.js"
import type { Namespace, Session } from "../../store/TranslationStore.js"
import * as Row from "./element.js"
import type { LookUp } from "./lookUps.js"
import * as options from "./options.js"
import type { Record, Scheduler } from "./scheduler.js"

/** How much a store in memory holds. */
export interface Capacity {
  readonly texts: number
  readonly bytes: number
}

/** Two bytes for each UTF-16 unit of both texts, and what an entry takes besides. */
const bytesOf = (translation: Text.Translation, text: string): number =>
  2 * (text.length + translation.text.length) + 200

/** What one stream remembers for itself. What was used least recently is forgotten first. */
export const makeMemory = ({ bytes, texts }: Capacity): Session => {
  const known = new LRUCache<string, Text.Translation>({
    max: texts,
    maxSize: bytes,
    sizeCalculation: bytesOf
  })
  return {
    lookUp: (texts) => Effect.sync(() => texts.map((text) => known.get(text))),
    pollInterval: Duration.zero,
    // Nobody else translates for this stream.
    claim: (texts) =>
      Effect.sync(() => ({
        granted: texts.map(() => true),
        maySend: () => Effect.succeed(true),
        ended: constVoid
      })),
    record: (results) =>
      Effect.sync(() => {
        for (const { text, translation } of results) {
          if (translation !== undefined) known.set(text, translation)
        }
      })
  }
}

/** What a stream asks: its store, or what it remembers for itself if it has none and wants equal texts sent once. */
export const open = <E, R>(
  given: options.Options,
  namespace: Effect.Effect<Namespace, E, R>
): Effect.Effect<Session | undefined, E | StoreError, R | Scope.Scope> => {
  const { store } = given
  if (store !== undefined) return Effect.flatMap(namespace, (namespace) => store.open(namespace))
  const capacity = options.dedupeCapacity(given)
  return Effect.succeed(capacity && makeMemory(capacity))
}

/** What a forecast asks: what the store holds, and what the stream would have stored by then. It tells the store nothing. */
export const openForecast = <E, R>(
  given: options.Options,
  namespace: Effect.Effect<Namespace, E, R>
): Effect.Effect<Session | undefined, E | StoreError, R | Scope.Scope> =>
  Effect.map(open(given, namespace), (session) => {
    if (given.store === undefined || session === undefined) return session
    const memory = makeMemory(options.dedupeCapacity({ dedupe: given.dedupe || true })!)
    return {
      ...memory,
      lookUp: (texts) =>
        Effect.zipWith(session.lookUp(texts), memory.lookUp(texts), (stored, remembered) =>
          stored.map((translation, index) => translation ?? remembered[index])
        )
    }
  })

/** Carries out what a scheduler wants of a store. */
export const ask = <A, B>(
  store: Pick<Session, "lookUp" | "record">,
  scheduler: Scheduler<A, B>,
  step: LookUp<A> | Record<A>
): Effect.Effect<void> =>
  step._tag === "LookUp"
    ? Effect.match(store.lookUp(step.items.map(Row.textOf)), {
        onFailure: (error) => scheduler.notFound(step, error),
        onSuccess: (known) => scheduler.found(step, known)
      })
    : Effect.match(
        store.record(step.settled.map(({ item, translation }) => ({ text: Row.textOf(item), translation }))),
        {
          onFailure: (error) => scheduler.notRecorded(step, error),
          onSuccess: () => scheduler.recorded(step)
        }
      )
