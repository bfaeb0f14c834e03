/** The findings of checks in texts of outputs that a run has not translated: kept, cached, or written by a person. */
import * as Stream from "effect/Stream"
import * as LanguageCode from "../../api/LanguageCode.js"
import type * as Format from "../../format/Format.js"
import { canonicalJson, hash } from "../../internal/hash.js"
import { isBlank } from "../../internal/texts.js"
import * as StreamOptions from "../../stream/StreamOptions.js"
import type * as Verification from "../../stream/Verification.js"
import * as Check from "../../text/Check.js"
import type { FlaggedUnit } from "./contract.js"
import type * as FileTranslation from "./fileOptions.js"
import { unitsOf } from "./unitMatching.js"

/** The findings in the translation of a unit. */
export type Look = (
  unit: Pick<Format.Unit, "maxCharacters" | "text">,
  translation: string | undefined,
  part: Pick<Format.Part, "placeholders">
) => ReadonlyArray<Check.Finding>

/** The checks that are asked. */
const asked = ({ checks = [], policies = {} }: Verification.Options = {}): ReadonlyArray<Check.Check> =>
  checks.filter(({ name }) => policies[name] !== "off")

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

/** Looks at translations made with these options; `undefined` if no check is asked. A unit without a text has no findings. */
export const looking = (reading: Pick<FileTranslation.Options, "format" | "options">): Look | undefined => {
  const checks = asked(reading.options.verify)
  if (checks.length === 0) return undefined
  const pairOf = pairing(reading)
  return (...text) => {
    const pair = pairOf(...text)
    return pair === undefined ? nothing : Check.findings(checks, pair)
  }
}

/** The parts of a source, and the same parts of its output. */
export interface Sides<E, E2, R> {
  readonly source: Stream.Stream<Format.Part, E, R>
  readonly output: Stream.Stream<Format.Part, E2, R>
  /** True if the output has the texts of the source beside their translations. */
  readonly isBilingual: boolean
}

/** The units of a part of a source, each with that of the output and its translation there. */
export const pairsOf = (isBilingual: boolean, source: Format.Part, output: Format.Part) => {
  const targets = unitsOf([output])
  return source.units.map((unit) => {
    const target = targets.get(unit.key)
    return { unit, target, translation: isBilingual ? target?.translation : target?.text }
  })
}

/** A unit with the findings in its translation, if there are some. */
export const flagged = (
  look: Look,
  unit: Format.Unit,
  translation: string | undefined,
  part: Pick<Format.Part, "placeholders">
): ReadonlyArray<FlaggedUnit> => {
  const { key, line, text } = unit
  const found = look(unit, translation, part)
  return found.length === 0 ? [] : [{ key, line, text, translation: translation ?? "", findings: found }]
}

/** The units that look wrong in an output as it is. */
export const ofSides = <E, E2, R>(
  look: Look,
  { isBilingual, output, source }: Sides<E, E2, R>
): Stream.Stream<FlaggedUnit, E | E2, R> =>
  Stream.zip(source, output).pipe(
    Stream.mapConcat(([source, output]) =>
      pairsOf(isBilingual, source, output).flatMap(({ translation, unit }) =>
        flagged(look, unit, translation, source)
      )
    )
  )

/** The checks that are asked, as a hash; `undefined` if one of them has no version: it may find something else each time. */
export const versionOf = (verify: Verification.Options | undefined): string | undefined => {
  const checks = asked(verify)
  return checks.every(({ version }) => version !== undefined)
    ? hash(canonicalJson(checks.map(({ name, version }) => [name, version])))
    : undefined
}
