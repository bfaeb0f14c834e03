/** The status of each unit of a source: its translation in the output, by its author and its source. */
import type { Format, Unit } from "../../format/Format.js"
import { canonicalJson, shortHash } from "../../internal/hash.js"
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
  shortHash(canonicalJson(settings ?? null))

/** A function that finds each value once. */
const memoized = <A>(find: (key: string) => A): ((key: string) => A) => {
  const known = new Map<string, A>()
  return (key) => {
    if (!known.has(key)) known.set(key, find(key))
    return known.get(key)!
  }
}

/** The units of a source and their translations in the output, by the keys of the source. */
export interface Units extends Pick<Matching, "originOf" | "sources" | "textOf"> {
  readonly priorOf: (key: string) => Prior
  readonly statusOf: (key: string) => Status
  /** The choices that a translation of the machine was made with, as far as they are recorded. */
  readonly made: (entry: Entry) => Choices | undefined
}

export const make = (known: Inspecting): Units => {
  const { choices, format, found, languages, matching, passes, record, termsOf } = known
  const { entryOf, originOf, sources, targets, textOf } = matching
  const { sourceLang, targetLang } = languages
  const { file } = record
  /** True if a text may stand in the target because it was not chosen of the source then. */
  const isChosenAnew =
    !format.isBilingual &&
    file !== undefined &&
    (file.format !== format.name || file.settings !== settingsOf(format))
  const isProse = ({ text }: Unit): boolean =>
    Check.untranslated.find({ source: text, translation: text, sourceLang, targetLang }).length > 0

  const made: Units["made"] = ({ choices: id }) => (id === undefined ? undefined : record.choices.get(id))
  const isOutdated = (entry: Entry): boolean => {
    const before = made(entry)
    return (
      before !== undefined &&
      (before.options !== choices.options ||
        (choices.service !== undefined && before.service !== choices.service))
    )
  }
  const hasOtherTerms = ({ choices: id, terms }: Entry, text: string): boolean =>
    termsOf !== undefined && id !== undefined && termsOf(text) !== terms

  const priorOf = memoized((key): Prior => {
    const origin = originOf(key)
    if (origin === undefined) return { unit: undefined, entry: undefined, isUntouched: false }
    const unit = targets.get(origin)
    const entry = found.get(origin) ?? entryOf(origin)
    return { unit, entry, isUntouched: entry !== undefined && hashOf(textOf(unit) ?? "") === entry.target }
  })
  const statusOf = memoized((key): Status => {
    const unit = sources.get(key)!
    const { entry, isUntouched, unit: prior } = priorOf(key)
    const current = textOf(prior)
    if (current === undefined || current === "") return "missing"
    if (current === unit.text && prior!.state !== "fuzzy" && passes(unit)) return "current"
    if (entry === undefined) {
      return current === unit.text && (isChosenAnew || isProse(unit)) ? "failed" : "unknown"
    }
    if (entry.by === "nobody" && isUntouched) return "failed"
    const isMachines = isUntouched && entry.by === "machine"
    if (isMachines && isOutdated(entry)) return "otherOptions"
    if (hashOf(unit.text) === entry.source) {
      return isMachines && hasOtherTerms(entry, unit.text) ? "otherTerms" : "current"
    }
    if (isUntouched && entry.by !== "person") return "changed"
    return entry.stale === true && !isUntouched ? "current" : "stale"
  })
  return { sources, originOf, textOf, priorOf, statusOf, made }
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
  /** True if the target says that a person should look at it. */
  readonly isMarked?: boolean | undefined
}

/** The translation in the target of each unit of the source. */
export const inspect = (known: Inspecting): ReadonlyArray<Inspected> => {
  const { priorOf, sources, statusOf, textOf } = make(known)
  return Array.from(sources, ([key, unit]) => {
    const { unit: prior } = priorOf(key)
    const isMarked = known.format.isBilingual && prior?.state === "fuzzy"
    return { unit, status: statusOf(key), translation: textOf(prior), line: prior?.line, isMarked }
  })
}

/** A text in an output without a record of it, and its source. */
export interface Unrecorded {
  /** Its key in the output. */
  readonly key: string
  readonly source: string
  readonly translation: string
  /** True if its file says that it may translate another source, as tools do that merge catalogues. */
  readonly isFuzzy: boolean
}

/** The texts of an output that are not those that a record tells of, with their sources as they are now. */
export const unrecorded = (known: Inspecting): ReadonlyArray<Unrecorded> => {
  const { originOf, priorOf, sources, textOf } = make(known)
  return Array.from(sources).flatMap(([key, { text: source }]) => {
    const { entry, isUntouched, unit } = priorOf(key)
    const translation = textOf(unit)
    if (isUntouched || translation === undefined || translation === "" || translation === source) return []
    const isFuzzy = known.format.isBilingual && unit!.state === "fuzzy"
    return entry?.by === "person" ? [] : [{ key: originOf(key)!, source, translation, isFuzzy }]
  })
}
