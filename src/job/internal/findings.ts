/** The findings of checks in texts of outputs that a run has not translated: kept, cached, or written by a person. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as LanguageCode from "../../api/LanguageCode.js"
import type * as Format from "../../format/Format.js"
import { isBlank } from "../../internal/texts.js"
import type { StoreError } from "../../store/StoreError.js"
import * as StreamOptions from "../../stream/StreamOptions.js"
import type * as TranslateStream from "../../stream/TranslateStream.js"
import * as Check from "../../text/Check.js"
import * as Verdicts from "../../text/Verdicts.js"
import type { FlaggedUnit } from "./contract.js"
import type * as FileTranslation from "./fileOptions.js"
import { unitsOf } from "./unitMatching.js"

/** The findings in the translation of a unit. */
export type Look = (
  unit: Pick<Format.Unit, "maxCharacters" | "text">,
  translation: string | undefined,
  part: Pick<Format.Part, "placeholders">
) => ReadonlyArray<Check.Finding>

const nothing: ReadonlyArray<never> = []

/** Makes the pairs of translations made with these options; a unit without a text or a translation has none. */
export const pairing = ({ format, options }: Pick<FileTranslation.Options, "format" | "options">) => {
  const { glossaryTerms: glossary, placeholders = format.placeholders, sourceLang } = options
  const targetLang = LanguageCode.canonical(options.targetLang)
  const own = { ...options, placeholders, tagHandling: options.tagHandling ?? format.tagHandling }
  const optionsIn = ({ placeholders }: Pick<Format.Part, "placeholders">) =>
    options.placeholders === undefined && placeholders !== undefined ? { ...own, placeholders } : own
  return (
    ...[{ maxCharacters, text: source }, translation, part]: Parameters<Look>
  ): Check.Pair | undefined =>
    translation === undefined || translation === "" || isBlank(source)
      ? undefined
      : {
          source,
          translation,
          sourceLang,
          targetLang,
          placeholders: StreamOptions.protectedIn(source, optionsIn(part)),
          glossary,
          maxCharacters
        }
}

const noVerdict: Check.Verdict = { findings: nothing, unasked: nothing }

/** Judges translations that are there: `undefined` stands for one that no check is asked about. */
export type Judge = (
  texts: ReadonlyArray<readonly [...Parameters<Look>] | undefined>
) => Effect.Effect<ReadonlyArray<Check.Verdict>, StoreError>

/** Judges by all of these checks. Of checks that ask somebody the verdicts of the store count; others are asked for if `ask`. */
export const judging = (
  pairOf: ReturnType<typeof pairing>,
  {
    ask = false,
    checks = [],
    store
  }: {
    readonly ask?: boolean | undefined
    readonly checks?: ReadonlyArray<Check.Check> | undefined
    readonly store?: TranslateStream.Options["store"]
  }
): Judge => {
  const isAsking = checks.some(({ asking }) => asking !== undefined)
  return (texts) =>
    Effect.suspend(() => {
      const pairs = texts.map((text) => text && pairOf(...text))
      const found = pairs.map((pair) => (pair === undefined ? nothing : Check.findings(checks, pair)))
      const questions = isAsking ? pairs.flatMap((pair) => (pair ? [{ pair, mayAsk: ask }] : [])) : nothing
      return Effect.map(Verdicts.judge(checks, questions, store), (verdicts) => {
        const byPair = new Map(questions.map(({ pair }, index) => [pair, verdicts[index]!]))
        return pairs.map((pair, index): Check.Verdict => {
          const { findings, unasked } = (pair && byPair.get(pair)) ?? noVerdict
          return { findings: [...found[index]!, ...findings], unasked }
        })
      })
    })
}

/** The ways to look at translations that a run finds. */
export interface Looking {
  /** By checks that know all; `undefined` if no check is asked. A unit without a text has no findings. */
  readonly look: Look | undefined
  /** By checks that ask somebody, of whose verdicts the stored ones count; `undefined` if there are none. */
  readonly judge: Judge | undefined
}

/** The ways to look at translations made with these options. */
export const of = (reading: Pick<FileTranslation.Options, "format" | "options">): Looking => {
  const { store } = reading.options
  const { asking, checks } = StreamOptions.checksOf(reading.options)
  const pairOf = pairing(reading)
  return {
    look:
      checks.length === 0
        ? undefined
        : (...text) => {
            const pair = pairOf(...text)
            return pair === undefined ? nothing : Check.findings(checks, pair)
          },
    judge: asking.length === 0 ? undefined : judging(pairOf, { checks: asking, store })
  }
}

/** The parts of a source, and the same parts of its output. */
export interface Sides<E, E2, R> {
  readonly source: Stream.Stream<Format.Part, E, R>
  readonly output: Stream.Stream<Format.Part, E2, R>
  /** True if the output has the texts of the source beside their translations. */
  readonly isBilingual: boolean
}

/** The units of a part of a source, each with its unit in the output and the translation there. */
export const pairsOf = (isBilingual: boolean, source: Format.Part, output: Format.Part) => {
  const targets = unitsOf([output])
  return source.units.map((unit) => {
    const target = targets.get(unit.key)
    return { unit, target, translation: isBilingual ? target?.translation : target?.text }
  })
}

/** A unit that looks wrong, or that a check has not looked at. */
export interface JudgedUnit extends FlaggedUnit {
  readonly unasked?: ReadonlyArray<Check.Unasked> | undefined
}

/** Those of the units of an output as it is that look wrong, or that a check has not looked at. */
export const judged = (
  judge: Judge,
  texts: ReadonlyArray<readonly [Format.Unit, string | undefined, Format.Part]>
): Effect.Effect<ReadonlyArray<JudgedUnit>, StoreError> =>
  Effect.map(judge(texts), (verdicts) =>
    texts.flatMap(([{ key, line, text }, translation = ""], index) => {
      const { findings, unasked } = verdicts[index]!
      return findings.length + unasked.length === 0
        ? []
        : [{ key, line, text, translation, findings, unasked }]
    })
  )

/** The same of an output that is read part by part. */
export const ofSides = <E, E2, R>(
  judge: Judge,
  { isBilingual, output, source }: Sides<E, E2, R>
): Stream.Stream<JudgedUnit, E | E2 | StoreError, R> =>
  Stream.zip(source, output).pipe(
    Stream.mapChunksEffect((parts) =>
      Effect.map(
        judged(
          judge,
          Chunk.toReadonlyArray(parts).flatMap(([source, output]) =>
            pairsOf(isBilingual, source, output).map(
              ({ translation, unit }) => [unit, translation, source] as const
            )
          )
        ),
        Chunk.fromIterable
      )
    )
  )
