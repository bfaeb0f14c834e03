/** The status of each unit of a source: its translation in the output, by its author and its source. */
import type { Format, Unit } from "../../format/Format.js"
import { canonicalJson, hash } from "../../internal/hash.js"
import * as Check from "../../text/Check.js"
import { type Choices, type Entry, hashOf } from "./record.js"
import type { Matched, Matching } from "./unitMatching.js"

/** The facts where no service is asked. */
export interface Inspecting extends Matched {
  readonly format: Matched["format"] & Pick<Format, "name" | "settings">
  readonly matching: Matching
  /** Which units of the source leave a stream as they are: their translation is the source's text. */
  readonly passes: (unit: Unit) => boolean
  readonly choices: Pick<Choices, "options"> & Partial<Choices>
  /** The hash of the terms of the glossary that a text holds, if the glossary is known. @default nothing is said of terms */
  readonly termsOf?: ((text: string) => string | undefined) | undefined
  readonly languages: { readonly sourceLang?: string | undefined; readonly targetLang: string }
  /** The entries of units whose authors were found elsewhere than in the record, by their keys in the output. */
  readonly found: ReadonlyMap<string, Entry>
}

/** The status of a translation, by its source and the current choices. */
export type Status =
  | "current"
  /** There is none, or the file says that it is to be looked at. */
  | "missing"
  /** The text is the source's: its translation has failed, or was never asked for. */
  | "failed"
  /** The machine has made it with other options. */
  | "otherOptions"
  /** The machine has made it with other terms of the glossary. */
  | "otherTerms"
  /** The machine has made it of an earlier source. */
  | "changed"
  /** A person has made it of an earlier source. */
  | "stale"
  /** Nothing says who has made it, and of what. */
  | "unknown"

/** The earlier unit of the target for a unit of the source, and its state. */
interface Prior {
  readonly unit: Unit | undefined
  readonly entry: Entry | undefined
  /** True if it holds the text that was written last. */
  readonly isUntouched: boolean
}

/** The hash of the settings of a format. */
export const settingsOf = ({ settings }: Inspecting["format"]): string =>
  hash(canonicalJson(settings ?? null)).slice(0, 16)

/** The units of both files, and which is which. */
export const index = (known: Inspecting) => {
  const { choices, format, found, languages, matching, passes, record, termsOf } = known
  const otherTerms = new Map<string, boolean>()
  const { entryOf, isOwnTarget, originOf, sources, targets, textOf } = matching
  const made = ({ choices: id }: Entry) => (id === undefined ? undefined : record.choices.get(id))
  const isOutdated = (entry: Entry): boolean => {
    const before = made(entry)
    return (
      before !== undefined &&
      (before.options !== choices.options ||
        (choices.service !== undefined && before.service !== choices.service))
    )
  }
  const { file } = record
  const { sourceLang, targetLang } = languages
  return {
    sources,
    passes,
    made,
    /** The translation in the file. */
    textOf,
    originOf,
    priorOf: (key: string): Prior => {
      const origin = originOf(key)
      if (origin === undefined) return { unit: undefined, entry: undefined, isUntouched: false }
      const unit = targets.get(origin)
      const entry = found.get(origin) ?? entryOf(origin)
      return { unit, entry, isUntouched: entry !== undefined && hashOf(textOf(unit) ?? "") === entry.target }
    },
    /** Returns `true` if a translation was made by other choices than the current ones. */
    isOutdated,
    /** Returns `true` if a translation was made with other terms than those that its source holds now. */
    hasOtherTerms: (key: string, entry: Entry, text: string): boolean => {
      if (termsOf === undefined || entry.choices === undefined) return false
      // The status of a unit is asked for several times.
      const known = otherTerms.get(key)
      if (known !== undefined) return known
      const isOther = termsOf(text) !== entry.terms
      otherTerms.set(key, isOther)
      return isOther
    },
    /** True if a text may stand in the target because it was not chosen of the source then. */
    isChosenAnew: file !== undefined && (file.format !== format.name || file.settings !== settingsOf(format)),
    /** True if the source of a bilingual target is the one that is translated. */
    hasOwnSource: format.isBilingual && !isOwnTarget,
    /** True if the source's text is no translation of itself. */
    isProse: ({ text }: Unit): boolean =>
      Check.untranslated.find({ source: text, translation: text, sourceLang, targetLang }).length > 0
  }
}

export type Index = ReturnType<typeof index>

/** The status of a unit of the source. */
export const statusOf = (units: Index, isBilingual: boolean, unit: Unit): Status => {
  const { hasOtherTerms, isChosenAnew, isOutdated, isProse, passes, priorOf, textOf } = units
  const { entry, isUntouched, unit: prior } = priorOf(unit.key)
  const current = textOf(prior)
  if (current === undefined || current === "") return "missing"
  if (current === unit.text && prior!.state !== "fuzzy" && passes(unit)) return "current"
  if (entry === undefined) {
    if (isBilingual && prior!.state === "fuzzy") return "missing"
    const isCopy = current === unit.text && ((!isBilingual && isChosenAnew) || isProse(unit))
    return isCopy ? "failed" : "unknown"
  }
  if (entry.by === "nobody" && isUntouched) return "failed"
  if (isUntouched && entry.by === "machine" && isOutdated(entry)) return "otherOptions"
  if (hashOf(unit.text) === entry.source) {
    return isUntouched && entry.by === "machine" && hasOtherTerms(unit.key, entry, unit.text)
      ? "otherTerms"
      : "current"
  }
  if (isUntouched && entry.by !== "person") return "changed"
  return entry.stale === true && !isUntouched ? "current" : "stale"
}

/** True if no person has written a text of a target: it is as the machine has left it. */
export const isOfNobody = ({ entryOf, targets, textOf }: Matching, key: string): boolean => {
  const entry = entryOf(key)
  return (
    (entry?.by === "machine" || entry?.by === "nobody") &&
    hashOf(textOf(targets.get(key)) ?? "") === entry.target
  )
}

/** A unit of the source, and its translation in the target. */
export interface Inspected {
  readonly unit: Unit
  readonly status: Status
  readonly translation: string | undefined
  /** Where the target has it. */
  readonly line: number | undefined
}

/** The translation in the target of each unit of the source. */
export const inspect = (known: Inspecting): ReadonlyArray<Inspected> => {
  const units = index(known)
  return Array.from(units.sources.values(), (unit) => {
    const { unit: prior } = units.priorOf(unit.key)
    return {
      unit,
      status: statusOf(units, known.format.isBilingual, unit),
      translation: units.textOf(prior),
      line: prior?.line
    }
  })
}

/** A text in an output without a record of it, and its source. */
export interface Unrecorded {
  /** Its key in the output. */
  readonly key: string
  readonly source: string
  readonly translation: string
}

/** The texts of an output that are not those that a record tells of, with their sources as they are now. */
export const unrecorded = (known: Inspecting): ReadonlyArray<Unrecorded> => {
  const units = index(known)
  return Array.from(units.sources.values()).flatMap((unit) => {
    const { entry, isUntouched, unit: prior } = units.priorOf(unit.key)
    const translation = units.textOf(prior)
    if (isUntouched || translation === undefined || translation === "" || translation === unit.text) return []
    if (entry?.by === "person") return []
    return [{ key: units.originOf(unit.key)!, source: unit.text, translation }]
  })
}
