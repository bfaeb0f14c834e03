import type { Format, Part, Unit } from "../../format/Format.js"
import { hash } from "../../internal/hash.js"
import * as Outcome from "../../stream/Outcome.js"
import type { PartOutcome } from "../FileTranslation.js"
import type { Entry, TranslationManifest } from "../TranslationManifest.js"
import { byPlace } from "./origins.js"

/** What is known before an update. */
export interface Known {
  readonly format: Pick<Format, "isBilingual">
  readonly manifest: TranslationManifest
  readonly source: ReadonlyArray<Part>
  /** The target as it was; no parts if there is none. */
  readonly target: ReadonlyArray<Part>
  /** The file that is to be written: the target with all units of the source, or the source itself. */
  readonly merged: ReadonlyArray<Part>
  /** Whether it is the target. Its keys are names then. */
  readonly isMerged: boolean
}

/** What is to be done, and what is to be remembered of it. */
export interface Plan {
  /** The parts to translate. Units that are not to be translated say that they are, and keep what the target holds. */
  readonly parts: ReadonlyArray<Part>
  readonly stale: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
  /** The manifest of the target that was written. */
  readonly next: (written: ReadonlyArray<Part>, outcomes: ReadonlyArray<PartOutcome>) => TranslationManifest
}

type Decision = "translate" | "keep" | "stale"

const unitsOf = (parts: ReadonlyArray<Part>): ReadonlyMap<string, Unit> =>
  new Map(parts.flatMap(({ units }) => units.map((unit) => [unit.key, unit])))

/** The units that a target holds: without plural forms that it lacks. */
const presentIn = (parts: ReadonlyArray<Part>): ReadonlyMap<string, Unit> =>
  new Map([...unitsOf(parts)].filter(([, { isOfOtherForm }]) => isOfOtherForm !== true))

const memoized = (f: (text: string) => string): ((text: string) => string) => {
  const known = new Map<string, string>()
  return (text) => {
    const result = known.get(text) ?? f(text)
    known.set(text, result)
    return result
  }
}

export const plan = ({ format, isMerged, manifest, merged, source, target }: Known): Plan => {
  const hashOf = memoized(hash)
  const textOf = (unit: Unit | undefined): string | undefined =>
    format.isBilingual ? unit?.translation : unit?.text
  const sources = unitsOf(source)
  const isOwnTarget = target.length === 0 && format.isBilingual
  const targets = isOwnTarget ? sources : presentIn(target)
  const decisions = new Map<string, Decision>()

  const origins =
    isOwnTarget || isMerged
      ? undefined
      : byPlace({
          sources,
          targets,
          hashOf,
          sourceOf: (key) =>
            format.isBilingual ? hashOf(targets.get(key)!.text) : manifest.units.get(key)?.source
        })
  const originOf = (key: string): string | undefined => (origins === undefined ? key : origins.get(key))
  const priorOf = (key: string) => {
    const origin = originOf(key)
    return origin === undefined
      ? { unit: undefined, entry: undefined }
      : { unit: targets.get(origin), entry: manifest.units.get(origin) }
  }

  const decide = (unit: Unit): Decision => {
    const { entry, unit: prior } = priorOf(unit.key)
    const current = textOf(prior)
    if (current === undefined || current === "") return "translate"
    if (format.isBilingual && prior!.state === "fuzzy" && entry === undefined) return "translate"
    if (entry === undefined) {
      return format.isBilingual && !isOwnTarget && prior!.text !== unit.text ? "stale" : "keep"
    }
    const isUntouched = hashOf(current) === entry.target
    if (entry.by === "nobody" && isUntouched) return "translate"
    if (hashOf(unit.text) === entry.source) return "keep"
    if (isUntouched && entry.by === "machine") return "translate"
    return entry.stale === true && !isUntouched ? "keep" : "stale"
  }

  const planned = merged.map((part): Part => {
    const units = part.units.map((unit): Unit => {
      const own = sources.get(unit.key)
      if (own === undefined) return { ...unit, state: "translated" }
      const decision = decide(own)
      decisions.set(unit.key, decision)
      return { ...unit, text: own.text, state: decision === "translate" ? "missing" : "translated" }
    })
    // A file that is made from the source does not hold the target's texts yet.
    const isNew = target.length > 0 && !isMerged
    const kept = units.map(({ key, state }) =>
      isNew && state === "translated" ? textOf(priorOf(key).unit) : undefined
    )
    const { write } = part
    return write === undefined || !isNew
      ? { ...part, units }
      : {
          ...part,
          units,
          write: (translations) => write(translations.map((translation, index) => translation ?? kept[index]))
        }
  })

  const keysWhere = (decision: Decision) =>
    Array.from(decisions).flatMap(([key, made]) => (made === decision ? [key] : []))

  const entryOf = (key: string, text: string, isTranslated: boolean): Entry => {
    const { entry, unit } = priorOf(key)
    const source = hashOf(sources.get(key)!.text)
    const target = hashOf(text)
    if (isTranslated) return { source, target, by: "machine" }
    switch (decisions.get(key)) {
      case "stale":
        return { source: entry?.source ?? hashOf(unit!.text), target, by: "person", stale: true }
      case "keep":
        return { source, target, by: entry?.target === target ? entry.by : "person" }
      default:
        // What failed is translated the next time: what the machine wrote before, or the source's text.
        return entry !== undefined && entry.target === target ? entry : { source, target, by: "nobody" }
    }
  }

  const matched = new Set(Array.from(sources.keys(), originOf))
  return {
    parts: planned,
    stale: keysWhere("stale"),
    removed: Array.from(targets.keys()).filter((key) => !matched.has(key)),
    next: (written, outcomes) => {
      const translated = new Set(outcomes.flatMap(translatedKeys))
      const units = new Map<string, Entry>()
      for (const [key, unit] of unitsOf(written)) {
        const text = textOf(unit)
        if (text === undefined) continue
        // A unit that the source does not have may come back.
        const entry = sources.has(key) ? entryOf(key, text, translated.has(key)) : manifest.units.get(key)
        if (entry !== undefined) units.set(key, entry)
      }
      return { version: 1, units }
    }
  }
}

const translatedKeys = (outcome: PartOutcome): ReadonlyArray<string> => {
  if (outcome._tag === "Skipped") return []
  const failed = new Set(Outcome.isFailed(outcome) ? outcome.failures.map(({ field }) => field) : [])
  return outcome.source.units.flatMap(({ key }, index) =>
    outcome.translations[index] === undefined || failed.has(key) ? [] : [key]
  )
}
