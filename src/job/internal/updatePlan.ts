import type { Format, Part, Unit } from "../../format/Format.js"
import { canonicalJson, hash } from "../../internal/hash.js"
import * as Outcome from "../../stream/Outcome.js"
import type { StaleUnit, UnitOutcome } from "./contract.js"
import type { PartOutcome } from "./fileOptions.js"
import type { Entry, Manifest } from "./manifest.js"

/** The facts before an update. */
export interface Known {
  readonly format: Pick<Format, "isBilingual" | "settings">
  readonly manifest: Manifest
  /** Hashes of the current choices for translations. */
  readonly choices: Manifest["choices"]
  readonly source: ReadonlyArray<Part>
  /** The target as it was; no parts if there is none. */
  readonly target: ReadonlyArray<Part>
  /** The file that is to be written: the target with all units of the source, or the source itself. */
  readonly merged: ReadonlyArray<Part>
  /** True if it is the target. Its keys are names then. */
  readonly isMerged: boolean
  /** The keys of units of the target whose source has become no text. */
  readonly textless: Iterable<string>
  /** Which units of the source leave a stream as they are: their translation is the source's text. */
  readonly passes: (unit: Unit) => boolean
}

/** The units to translate, and the state after it. */
export interface Plan {
  /** The parts to translate. Units that are not to be translated have a mark, and keep the target's text. */
  readonly parts: ReadonlyArray<Part>
  readonly stale: ReadonlyArray<StaleUnit>
  readonly removed: ReadonlyArray<string>
  /** The text of the source, and the written text of a unit that is not translated. */
  readonly textsOf: (unit: Unit) => Pick<UnitOutcome, "text" | "translation">
  /** The number of units of the source with a person's translation. */
  readonly byPersons: (written: Manifest) => number
  /** The manifest of the target that was written. */
  readonly next: (written: ReadonlyArray<Part>, outcomes: ReadonlyArray<PartOutcome>) => Manifest
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
  /** The machine has made it of an earlier source. */
  | "changed"
  /** A person has made it of an earlier source. */
  | "stale"

type Decision = "translate" | "keep" | "stale" | "copy"

/** The job's wishes beside both files. */
export interface Wishes {
  /** Translates the machine's translations again. */
  readonly refresh: boolean
  /** The corrections of sources. */
  readonly corrections: ReadonlyMap<string, string>
}

/** The units of parts, by their keys. */
export const unitsOf = (parts: ReadonlyArray<Part>): ReadonlyMap<string, Unit> =>
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

/** The units of the source, those of the target, and the hashes of their sources. */
interface Matching {
  readonly sources: ReadonlyMap<string, Unit>
  readonly targets: ReadonlyMap<string, Unit>
  /** The hash of a text of the source. */
  readonly hashOf: (text: string) => string
  /** The hash of the text that a unit of the target was translated from, as far as it is known. */
  readonly sourceOf: (key: string) => string | undefined
}

/**
 * The keys of the target's units, by those of the source's. Where keys say a place, such as a line, a unit may have moved: it is known by
 * the text that it was translated from. The rest has the key that it had.
 */
const byPlace = ({ hashOf, sourceOf, sources, targets }: Matching): ReadonlyMap<string, string> => {
  const origins = new Map<string, string>()
  const free = new Set(targets.keys())
  const take = (key: string, origin: string) => {
    origins.set(key, origin)
    free.delete(origin)
  }
  for (const [key, { text }] of sources) {
    if (free.has(key) && sourceOf(key) === hashOf(text)) take(key, key)
  }
  const moved = new Map<string, Array<string>>()
  for (const key of free) {
    const source = sourceOf(key)
    if (source !== undefined) moved.set(source, [...(moved.get(source) ?? []), key])
  }
  for (const [key, { text }] of sources) {
    const origin = origins.has(key) ? undefined : moved.get(hashOf(text))?.shift()
    if (origin !== undefined) take(key, origin)
  }
  for (const key of sources.keys()) if (!origins.has(key) && free.has(key)) take(key, key)
  return origins
}

/** The earlier unit of the target for a unit of the source, and its state. */
interface Prior {
  readonly unit: Unit | undefined
  readonly entry: Entry | undefined
  /** True if it holds the text that was written last. */
  readonly isUntouched: boolean
}

/** The facts where no service is asked. */
export interface Inspecting extends Omit<Known, "choices" | "merged" | "textless"> {
  readonly choices: Partial<Manifest["choices"]>
}

const settingsOf = ({ settings }: Known["format"]): string => hash(canonicalJson(settings ?? null))

/** The units of both files, and which is which. */
const index = ({ choices, format, isMerged, manifest, passes, source, target }: Inspecting) => {
  const hashOf = memoized(hash)
  const sources = unitsOf(source)
  const isOwnTarget = target.length === 0 && format.isBilingual
  const targets = isOwnTarget ? sources : presentIn(target)
  const sourceOf = (key: string) =>
    format.isBilingual ? hashOf(targets.get(key)!.text) : manifest.units.get(key)?.source
  const origins = isOwnTarget || isMerged ? undefined : byPlace({ sources, targets, hashOf, sourceOf })
  const originOf = (key: string): string | undefined => (origins === undefined ? key : origins.get(key))
  const matched = new Set(Array.from(sources.keys(), originOf))
  const { options, service = manifest.choices.service } = choices
  const isSameChoice = options === manifest.choices.options && service === manifest.choices.service
  const isOutdated = ({ outdated }: Entry): boolean => outdated === true || !isSameChoice
  const textOf = (unit: Unit | undefined) => (format.isBilingual ? unit?.translation : unit?.text)
  return {
    hashOf,
    sources,
    passes,
    /** The translation in the file. */
    textOf,
    priorOf: (key: string): Prior => {
      const origin = originOf(key)
      if (origin === undefined) return { unit: undefined, entry: undefined, isUntouched: false }
      const unit = targets.get(origin)
      const entry = manifest.units.get(origin)
      return { unit, entry, isUntouched: entry !== undefined && hashOf(textOf(unit) ?? "") === entry.target }
    },
    /** Returns `true` if a translation was made by other choices than the current ones. */
    isOutdated,
    /** True if a text may stand in the target because it was not chosen of the source then. */
    isChosenAnew: manifest.settings !== undefined && manifest.settings !== settingsOf(format),
    /** The state of a text that stays as it is. */
    remembered: (entry: Entry): Entry =>
      entry.by === "machine" && isOutdated(entry) ? { ...entry, outdated: true } : entry,
    /** True if the source of a bilingual target is the one that is translated. */
    hasOwnSource: format.isBilingual && !isOwnTarget,
    removed: Array.from(targets.keys()).filter((key) => !matched.has(key))
  }
}

type Index = ReturnType<typeof index>

const statusOf = (
  { hasOwnSource, hashOf, isChosenAnew, isOutdated, passes, priorOf, textOf }: Index,
  isBilingual: boolean,
  unit: Unit
): Status => {
  const { entry, isUntouched, unit: prior } = priorOf(unit.key)
  const current = textOf(prior)
  if (current === undefined || current === "") return "missing"
  if (current === unit.text && prior!.state !== "fuzzy" && passes(unit)) return "current"
  if (entry === undefined) {
    if (isBilingual && prior!.state === "fuzzy") return "missing"
    if (!isBilingual && isChosenAnew && current === unit.text) return "failed"
    return hasOwnSource && prior!.text !== unit.text ? "stale" : "current"
  }
  if (entry.by === "nobody" && isUntouched) return "failed"
  if (isUntouched && entry.by === "machine" && isOutdated(entry)) return "otherOptions"
  if (hashOf(unit.text) === entry.source) return "current"
  if (isUntouched && entry.by !== "person") return "changed"
  return entry.stale === true && !isUntouched ? "current" : "stale"
}

/** True if no person has written a text of a target: it is as the machine has left it. */
export const isOfNobody = ({ units }: Manifest, key: string, text: string | undefined): boolean => {
  const entry = units.get(key)
  return (entry?.by === "machine" || entry?.by === "nobody") && hash(text ?? "") === entry.target
}

/** True if the file holds the machine's translation. */
const isOfMachine = ({ priorOf }: Index, key: string): boolean => {
  const { entry, isUntouched } = priorOf(key)
  return isUntouched && entry?.by === "machine"
}

const decide = (units: Index, isBilingual: boolean, refresh: boolean, unit: Unit): Decision => {
  const status = statusOf(units, isBilingual, unit)
  if (status === "stale") return "stale"
  const isOther = status !== "current"
  if ((isOther || units.textOf(units.priorOf(unit.key).unit) === unit.text) && units.passes(unit))
    return "copy"
  if (isOther) return "translate"
  return refresh && isOfMachine(units, unit.key) ? "translate" : "keep"
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

/**
 * True if a person's correction of the source replaces the target's translation: where that is the machine's, or where
 * the correction was for an earlier source already when the target was written. A person's later translation in the
 * target stays.
 */
const isCorrectable = ({ priorOf }: Index, decision: Decision, key: string): boolean => {
  const { entry, isUntouched } = priorOf(key)
  return isUntouched && (decision === "stale" || (decision === "keep" && entry?.by !== "person"))
}

/** The new state of a unit whose text in the target is this one now. */
const entryOf = (
  { hashOf, priorOf, remembered, sources }: Index,
  decision: Decision | "translated" | "corrected" | undefined,
  key: string,
  text: string
): Entry => {
  const { entry, unit } = priorOf(key)
  const source = hashOf(sources.get(key)!.text)
  const target = hashOf(text)
  switch (decision) {
    case "translated":
      return { source, target, by: "machine" }
    case "corrected":
      return { source, target, by: "correction" }
    case "stale":
      return { source: entry?.source ?? hashOf(unit!.text), target, by: "person", stale: true }
    case "copy":
      if (text === sources.get(key)!.text) return { source, target, by: "machine" }
      break
    case "keep":
      return { source, target, by: entry?.target === target ? entry.by : "person" }
  }
  // A failed text is translated the next time: the machine's earlier translation, or the source's text, stands there.
  return entry?.target === target ? remembered(entry) : { source, target, by: "nobody" }
}

/** Sources whose corrections matter: {@link isCorrectable} says why. A translated unit may get one from the store. */
export const correctable = (known: Known): ReadonlySet<string> => {
  const units = index(known)
  const texts = new Set<string>()
  for (const [key, unit] of units.sources) {
    const decision = decide(units, known.format.isBilingual, false, unit)
    if (decision === "translate" || isCorrectable(units, decision, key)) texts.add(unit.text)
  }
  return texts
}

export const plan = (known: Known, { corrections, refresh }: Wishes): Plan => {
  const { format, isMerged, manifest, merged, target, textless } = known
  const units = index(known)
  const decisions = new Map<string, Decision>()
  const corrected = new Map<string, string>()
  for (const [key, unit] of units.sources) {
    const decision = decide(units, format.isBilingual, refresh, unit)
    decisions.set(key, decision)
    const correction = corrections.get(unit.text)
    const isOther = correction !== undefined && correction !== units.textOf(units.priorOf(key).unit)
    if (isOther && isCorrectable(units, decision, key)) corrected.set(key, correction)
  }
  const previousOf = (key: string) => units.textOf(units.priorOf(key).unit)
  // A file that is made from the source does not hold the target's texts yet.
  const isNew = target.length > 0 && !isMerged

  const planned = merged.map((part): Part => {
    const own = part.units.map((unit): Unit => {
      const source = units.sources.get(unit.key)
      if (source === undefined) return { ...unit, state: "translated" }
      const decision = decisions.get(unit.key)
      const isMissing = decision === "translate" || decision === "copy"
      return { ...unit, text: source.text, state: isMissing ? "missing" : "translated" }
    })
    const kept = part.units.map((unit, place) => {
      const { key, text } = own[place]!
      if (decisions.get(key) === "copy") return unit.text === text ? undefined : text
      return corrected.get(key) ?? (isNew ? previousOf(key) : undefined)
    })
    const { write } = part
    if (write === undefined || kept.every((text) => text === undefined)) return { ...part, units: own }
    return {
      ...part,
      units: own,
      write: (translations) => write(translations.map((translation, place) => translation ?? kept[place]))
    }
  })

  return {
    parts: planned,
    stale: [
      ...Array.from(decisions).flatMap(([key, decision]) =>
        decision === "stale" && !corrected.has(key) ? [key] : []
      ),
      ...Array.from(textless).filter((key) => !isOfNobody(manifest, key, previousOf(key)))
    ].map((key) => ({ key, text: units.sources.get(key)?.text ?? "", translation: previousOf(key) ?? "" })),
    removed: units.removed,
    textsOf: ({ key, text, translation }) => ({
      text: units.sources.has(key) ? text : undefined,
      translation:
        decisions.get(key) === "copy"
          ? text
          : (corrected.get(key) ?? previousOf(key) ?? (format.isBilingual ? translation : text))
    }),
    byPersons: ({ units: entries }) =>
      Array.from(entries).filter(
        ([key, { by }]) => units.sources.has(key) && (by === "person" || by === "correction")
      ).length,
    next: (written, outcomes) => {
      const translated = new Set(outcomes.flatMap(translatedKeys))
      const done = (key: string, text: string) =>
        corrected.has(key) || (translated.has(key) && corrections.get(units.sources.get(key)!.text) === text)
          ? "corrected"
          : translated.has(key)
            ? "translated"
            : decisions.get(key)
      const entries = new Map<string, Entry>()
      for (const [key, unit] of unitsOf(written)) {
        const text = units.textOf(unit)
        if (text === undefined) continue
        // A unit that the source does not have may come back.
        const before = manifest.units.get(key)
        const entry = units.sources.has(key)
          ? entryOf(units, done(key, text), key, text)
          : before && units.remembered(before)
        if (entry !== undefined) entries.set(key, entry)
      }
      return { version: 1, choices: known.choices, settings: settingsOf(format), units: entries }
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
