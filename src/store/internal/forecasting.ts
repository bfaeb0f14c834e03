import * as Effect from "effect/Effect"
import * as GlossaryTerms from "../../text/GlossaryTerms.js"
import type { StoreError } from "../StoreError.js"
import * as keys from "../StoreKeys.js"
import { Fingerprints } from "./fingerprints.js"
import type { Namespace, OpenOptions, Service, Session } from "./storeModels.js"

/** The number of texts that are known by their fingerprints, which take 64 MiB. */
const mostTexts = 4_194_303

/** A store as a forecast sees it. */
export interface Forecasting {
  readonly store: Service
  /** True if all texts were remembered. Otherwise those that come again may count each time. */
  readonly isExact: () => boolean
  /** The number of texts to send into a language that the store has with other terms of the glossary. */
  readonly otherTerms: (targetLang: string) => number
}

const made = new WeakMap<Service, Forecasting>()

const sessionOf = (
  session: Session,
  namespace: Namespace,
  seen: Fingerprints,
  terms: OpenOptions["terms"],
  onMissing: ((texts: ReadonlyArray<string>) => Effect.Effect<void, StoreError>) | undefined
): Session => {
  const id = keys.namespaceId(namespace)
  const termsOf = terms && GlossaryTerms.hasher(terms)
  const keyOf = (text: string) => keys.hashed.keyOf(id, text, termsOf?.(text))
  return {
    pollInterval: session.pollInterval,
    failedBefore: session.failedBefore,
    lookUp: (texts) =>
      Effect.gen(function* () {
        const stored = yield* session.lookUp(texts)
        const known = stored.map((translation, index) => {
          const text = texts[index]!
          return translation ?? (seen.has(keyOf(text)) ? { text } : undefined)
        })
        if (onMissing !== undefined) yield* onMissing(texts.filter((_, index) => known[index] === undefined))
        return known
      }),
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
  const otherTerms = new Map<string, number>()
  const countingTerms = (namespace: Namespace) => (texts: ReadonlyArray<string>) => {
    const { targetLang = "" } = namespace
    return Effect.map(store.translationsOf(texts, targetLang, namespace), (found) => {
      const { length } = found.filter((translations) => translations.length > 0)
      otherTerms.set(targetLang, (otherTerms.get(targetLang) ?? 0) + length)
    })
  }
  const forecasting: Forecasting = {
    store: {
      ...store,
      open: (namespace, options) =>
        Effect.map(store.open(namespace, options), (session) => {
          const { refreshBefore, terms } = options ?? {}
          const onMissing = refreshBefore === undefined ? countingTerms(namespace) : undefined
          return session && sessionOf(session, namespace, seen, terms, onMissing)
        })
    },
    isExact: () => !seen.isFull,
    otherTerms: (targetLang) => otherTerms.get(targetLang) ?? 0
  }
  made.set(forecasting.store, forecasting)
  return forecasting
}
