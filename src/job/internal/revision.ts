import type { Format, Part, Unit } from "../../format/Format.js"
import { hash } from "../../internal/hash.js"
import * as Outcome from "../../stream/Outcome.js"
import type { PartOutcome } from "../FileTranslation.js"
import type { Entry, Manifest } from "./manifest.js"
import type { StaleUnit, UnitOutcome } from "./sourceContract.js"
import { byPlace } from "./unitMatching.js"

/** What is known before an update. */
export interface Known {
  readonly format: Pick<Format, "isBilingual">
  readonly manifest: Manifest
  /** Hashes of what is chosen for translations now. */
  readonly choices: Manifest["choices"]
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
  readonly stale: ReadonlyArray<StaleUnit>
  readonly removed: ReadonlyArray<string>
  /** The text of the source, and what is written of a unit that is not translated. */
  readonly textsOf: (unit: Unit) => Pick<UnitOutcome, "text" | "translation">
  /** How many translations of units of the source a person has written. */
  readonly byPersons: (written: Manifest) => number
  /** The manifest of the target that was written. */
  readonly next: (written: ReadonlyArray<Part>, outcomes: ReadonlyArray<PartOutcome>) => Manifest
}

/** How a translation stands to its source and to what is chosen now. */
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

type Decision = "translate" | "keep" | "stale"

/** What a job knows beside both files. */
export interface Wishes {
  /** Whether what the machine has written is translated again. */
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

/** What a unit of the source was in the target before, and what is known of it. */
interface Prior {
  readonly unit: Unit | undefined
  readonly entry: Entry | undefined
  /** Whether it holds what was written last. */
  readonly isUntouched: boolean
}

/** What is known where no service is asked. */
export interface Inspecting extends Omit<Known, "choices" | "merged"> {
  readonly choices: Partial<Manifest["choices"]>
}

/** The units of both files, and which is which. */
const index = ({ choices, format, isMerged, manifest, source, target }: Inspecting) => {
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
    /** What the file holds of a translation. */
    textOf,
    priorOf: (key: string): Prior => {
      const origin = originOf(key)
      if (origin === undefined) return { unit: undefined, entry: undefined, isUntouched: false }
      const unit = targets.get(origin)
      const entry = manifest.units.get(origin)
      return { unit, entry, isUntouched: entry !== undefined && hashOf(textOf(unit) ?? "") === entry.target }
    },
    /** Whether other choices led to a translation than those of now. */
    isOutdated,
    /** What is known of a text that stays as it is. */
    remembered: (entry: Entry): Entry =>
      entry.by === "machine" && isOutdated(entry) ? { ...entry, outdated: true } : entry,
    /** Whether the source of a bilingual target is the one that is translated. */
    hasOwnSource: format.isBilingual && !isOwnTarget,
    removed: Array.from(targets.keys()).filter((key) => !matched.has(key))
  }
}

type Index = ReturnType<typeof index>

const statusOf = (
  { hasOwnSource, hashOf, isOutdated, priorOf, textOf }: Index,
  isBilingual: boolean,
  unit: Unit
): Status => {
  const { entry, isUntouched, unit: prior } = priorOf(unit.key)
  const current = textOf(prior)
  if (current === undefined || current === "") return "missing"
  if (entry === undefined) {
    if (isBilingual && prior!.state === "fuzzy") return "missing"
    return hasOwnSource && prior!.text !== unit.text ? "stale" : "current"
  }
  if (entry.by === "nobody" && isUntouched) return "failed"
  if (isUntouched && entry.by === "machine" && isOutdated(entry)) return "otherOptions"
  if (hashOf(unit.text) === entry.source) return "current"
  if (isUntouched && entry.by !== "person") return "changed"
  return entry.stale === true && !isUntouched ? "current" : "stale"
}

/** Whether the file holds what the machine has written. */
const isOfMachine = ({ priorOf }: Index, key: string): boolean => {
  const { entry, isUntouched } = priorOf(key)
  return isUntouched && entry?.by === "machine"
}

const decide = (units: Index, isBilingual: boolean, refresh: boolean, unit: Unit): Decision => {
  const status = statusOf(units, isBilingual, unit)
  if (status === "stale") return "stale"
  if (status !== "current") return "translate"
  return refresh && isOfMachine(units, unit.key) ? "translate" : "keep"
}

/** A unit of the source, and what the target has of it. */
export interface Inspected {
  readonly unit: Unit
  readonly status: Status
  readonly translation: string | undefined
  /** Where the target has it. */
  readonly line: number | undefined
}

/** What the target has of each unit of the source. */
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
 * Whether a person's correction of the source takes the place of what the target holds: where the machine has written that, or where it
 * was for an earlier source already when the target was written. What a person has written there since stays.
 */
const isCorrectable = ({ priorOf }: Index, decision: Decision, key: string): boolean => {
  const { entry, isUntouched } = priorOf(key)
  return isUntouched && (decision === "stale" || (decision === "keep" && entry?.by !== "person"))
}

/** What is to be remembered of a unit whose text in the target is this one now. */
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
    case "keep":
      return { source, target, by: entry?.target === target ? entry.by : "person" }
    default:
      // What failed is translated the next time: what the machine wrote before, or the source's text.
      return entry?.target === target ? remembered(entry) : { source, target, by: "nobody" }
  }
}

/** Sources whose corrections matter: {@link isCorrectable} says why. What is translated may get one from the store. */
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
  const { format, isMerged, manifest, merged, target } = known
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
      const isMissing = decisions.get(unit.key) === "translate"
      return { ...unit, text: source.text, state: isMissing ? "missing" : "translated" }
    })
    const kept = own.map(({ key }) => corrected.get(key) ?? (isNew ? previousOf(key) : undefined))
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
    stale: Array.from(decisions).flatMap(([key, decision]) =>
      decision === "stale" && !corrected.has(key)
        ? [{ key, text: units.sources.get(key)!.text, translation: previousOf(key) ?? "" }]
        : []
    ),
    removed: units.removed,
    textsOf: ({ key, text, translation }) => ({
      text: units.sources.has(key) ? text : undefined,
      translation: corrected.get(key) ?? previousOf(key) ?? (format.isBilingual ? translation : text)
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
      return { version: 1, choices: known.choices, units: entries }
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
