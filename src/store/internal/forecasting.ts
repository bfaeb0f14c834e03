import * as Effect from "effect/Effect"
import * as GlossaryTerms from "../../text/GlossaryTerms.js"
import * as keys from "../StoreKeys.js"
import { Fingerprints } from "./fingerprints.js"
import type { OpenOptions, Service, Session } from "./storeModels.js"

/** The number of texts that are known by their fingerprints, which take 64 MiB. */
const mostTexts = 4_194_303

/** A store as a forecast sees it. */
export interface Forecasting {
  readonly store: Service
  /** True if all texts were remembered. Otherwise those that come again may count each time. */
  readonly isExact: () => boolean
}

const made = new WeakMap<Service, Forecasting>()

const sessionOf = (
  session: Session,
  namespace: string,
  seen: Fingerprints,
  terms: OpenOptions["terms"]
): Session => {
  const termsOf = terms && GlossaryTerms.hasher(terms)
  const keyOf = (text: string) => keys.hashed.keyOf(namespace, text, termsOf?.(text))
  return {
    pollInterval: session.pollInterval,
    failedBefore: session.failedBefore,
    lookUp: (texts) =>
      Effect.map(session.lookUp(texts), (stored) =>
        stored.map((translation, index) => {
          const text = texts[index]!
          return translation ?? (seen.has(keyOf(text)) ? { text } : undefined)
        })
      ),
    claim: (texts) =>
      Effect.sync(() => ({
        granted: texts.map(() => true),
        maySend: () => Effect.succeed(true),
        ended: () => {}
      })),
    // The store forgets the questions, and stores nothing.
    record: (results) =>
      Effect.suspend(() => {
        for (const { text, translation } of results) if (translation !== undefined) seen.add(keyOf(text))
        return session.record(results.map(({ text }) => ({ text, translation: undefined })))
      })
  }
}

/**
 * A store for forecasts, of all streams that get it: it holds the content of the store, and the translations that these
 * streams would have stored by then. It claims nothing and stores nothing.
 */
export const make = (store: Service, most = mostTexts): Forecasting => {
  const known = made.get(store)
  if (known !== undefined) return known
  const seen = new Fingerprints(most)
  const forecasting: Forecasting = {
    store: {
      ...store,
      open: (namespace, options) =>
        Effect.map(
          store.open(namespace, options),
          (session) => session && sessionOf(session, keys.namespaceId(namespace), seen, options?.terms)
        )
    },
    isExact: () => !seen.isFull
  }
  made.set(forecasting.store, forecasting)
  return forecasting
}
