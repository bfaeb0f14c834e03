import * as Arr from "effect/Array"
import * as Chunk from "effect/Chunk"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as GlossaryTerms from "../../text/GlossaryTerms.js"
import type { Backend } from "../StoreBackend.js"
import type { StoreError } from "../StoreError.js"
import { type Keys, namespaceId } from "../StoreKeys.js"
import { Session } from "./session.js"
import type { Correction, CorrectionCounts, Entry, MakeOptions, Origin, Service } from "./storeModels.js"

/** The number of corrections or entries that are stored in one transaction. */
const atOnce = 1000

/** The number of texts whose origins are looked for in one reading of all translations. */
const mostWanted = 10_000

const piecesOf = <A>(values: Iterable<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from(Chunk.chunksOf(Chunk.fromIterable(values), size), Chunk.toReadonlyArray)

const inPieces = <A, B>(
  values: Iterable<A>,
  use: (values: ReadonlyArray<A>) => Effect.Effect<B, StoreError>
): Effect.Effect<ReadonlyArray<B>, StoreError> =>
  Effect.suspend(() => Effect.forEach(piecesOf(values, atOnce), use))

const sumOf = (counts: ReadonlyArray<CorrectionCounts>): CorrectionCounts => {
  const sum = (kind: keyof CorrectionCounts) => Arr.reduce(counts, 0, (total, each) => total + each[kind])
  return { stored: sum("stored"), unchanged: sum("unchanged"), outdated: sum("outdated") }
}

const canonical = (language: string | undefined): string | undefined =>
  language === undefined || language === "" ? undefined : LanguageCode.canonical(language)

/** A store over a backend: all that backends would otherwise repeat. */
export const make = (
  backend: Backend,
  { hashOf, keyOf }: Keys,
  { pollInterval = "250 millis" }: MakeOptions
): Service => {
  const holders = new Map<string, unknown>()
  /** The languages that were corrected since the store was made. */
  const corrected = new Set<string>()

  const open: Service["open"] = (namespace, options) =>
    Effect.gen(function* () {
      const id = namespaceId(namespace)
      const termsOf = options?.terms && GlossaryTerms.hasher(options.terms)
      const sourceLang = canonical(namespace.sourceLang)
      const targetLang = canonical(namespace.targetLang)
      yield* backend.openNamespace(id, namespace)
      const isCorrected =
        targetLang !== undefined && (yield* backend.correctionsRevision(targetLang)) !== undefined
      const session = new Session({
        backend,
        namespace: id,
        keyOf: termsOf === undefined ? (text) => keyOf(id, text) : (text) => keyOf(id, text, termsOf(text)),
        findCorrections: (texts) => backend.findCorrections(texts.map(hashOf), { sourceLang, targetLang }),
        hasCorrections: () => isCorrected || (targetLang !== undefined && corrected.has(targetLang)),
        holders,
        pollInterval: Duration.decode(pollInterval),
        refreshBefore: options?.refreshBefore,
        retryFailedBefore: options?.retryFailedBefore,
        failures: yield* backend.failures(id)
      })
      yield* Effect.addFinalizer(() => session.close)
      return session
    })

  const findCorrections: Service["corrected"] = (texts, languages) =>
    Effect.gen(function* () {
      const sourceLang = canonical(languages.sourceLang)
      const targetLang = canonical(languages.targetLang)
      if (targetLang === undefined || (yield* backend.correctionsRevision(targetLang)) === undefined) {
        return texts.map(() => undefined)
      }
      const found = yield* Effect.forEach(piecesOf(texts, atOnce), (piece) =>
        backend.findCorrections(
          piece.map((text) => hashOf(text.trim())),
          { sourceLang, targetLang }
        )
      )
      return found.flat()
    })

  const translationsOf: Service["translationsOf"] = (texts, targetLang, within) => {
    const only = within && namespaceId(within)
    return Effect.map(
      Effect.forEach(piecesOf(texts, atOnce), (piece) => {
        const sources = piece.map((text) => text.trim())
        const keysIn = (namespace: string) =>
          only === undefined || only === namespace ? sources.map((text) => keyOf(namespace, text)) : []
        return Effect.map(backend.translationsInto(LanguageCode.canonical(targetLang), keysIn), (found) =>
          piece.map((_, index) => found.get(index) ?? [])
        )
      }),
      (found) => found.flat()
    )
  }

  const origins: Service["origins"] = (texts, targetLang) =>
    Effect.gen(function* () {
      const sources = texts.map(({ source }) => source)
      const known = yield* translationsOf(sources, targetLang)
      const isSame = texts.map(({ translation }, index) =>
        known[index]!.some((text) => text.trim() === translation.trim())
      )
      const others = texts.flatMap(({ translation }, index) =>
        isSame[index] === true ? [] : [translation, translation.trim()]
      )
      const written = yield* Effect.forEach(piecesOf(new Set(others), mostWanted), (piece) =>
        backend.writtenInto(LanguageCode.canonical(targetLang), piece)
      )
      const isWritten = (text: string) => written.some((texts) => texts.has(text))
      return texts.map(({ translation }, index): Origin => {
        if (isSame[index] === true) return "same"
        return isWritten(translation) || isWritten(translation.trim()) ? "other" : undefined
      })
    })

  const correct = (corrections: ReadonlyArray<Correction>) =>
    Effect.suspend(() => {
      const checked = corrections.map((correction) => ({
        ...correction,
        source: correction.source.trim(),
        translation: correction.translation.trim(),
        sourceLang: canonical(correction.sourceLang),
        targetLang: LanguageCode.canonical(correction.targetLang),
        hash: hashOf(correction.source.trim())
      }))
      return Effect.tap(backend.correct(checked), () => {
        for (const { targetLang } of checked) corrected.add(targetLang)
      })
    })

  const translated: Service["translated"] = (texts, namespace) => {
    const id = namespaceId(namespace)
    return Effect.map(
      inPieces(texts, (piece) =>
        backend.find(
          id,
          piece.map(({ source, terms }) => keyOf(id, source, terms))
        )
      ),
      (found) =>
        found.flat().map((translation) => (translation?.refusedBy === undefined ? translation : undefined))
    )
  }

  const add = (entries: ReadonlyArray<Entry>) =>
    Effect.suspend(() => {
      const byNamespace = Arr.groupBy(entries, ({ namespace }) => namespaceId(namespace))
      return Effect.forEach(
        Object.entries(byNamespace),
        ([namespace, group]) =>
          Effect.zipRight(
            backend.openNamespace(namespace, group[0].namespace),
            backend.record({
              namespace,
              translations: group.map(({ source, terms, translation }) => ({
                key: keyOf(namespace, source, terms),
                text: source,
                translation
              })),
              endings: []
            })
          ),
        { discard: true }
      )
    })

  return {
    open,
    corrected: findCorrections,
    correct: (corrections) => Effect.map(inPieces(corrections, correct), sumOf),
    correctionsRevision: (targetLang) => backend.correctionsRevision(LanguageCode.canonical(targetLang)),
    corrections: backend.corrections,
    origins,
    translationsOf,
    verdicts: (keys) => Effect.map(inPieces(keys, backend.verdicts), (found) => found.flat()),
    judge: (verdicts) => Effect.asVoid(inPieces(verdicts, backend.judge)),
    entries: backend.entries,
    translated,
    add: (entries) => Effect.asVoid(inPieces(entries, add)),
    erase: (text) => {
      const trimmed = text.trim()
      return backend.erase(hashOf(trimmed), (namespace) => keyOf(namespace, trimmed))
    },
    prune: backend.prune,
    pruneAttempts: backend.pruneAttempts,
    stats: backend.stats,
    attempts: backend.attempts,
    attemptSums: backend.attemptSums
  }
}
