import type { Part, Unit } from "../../format/Format.js"
import { canonicalJson } from "../../internal/hash.js"
import * as Outcome from "../../stream/Outcome.js"
import type { OtherChoices, StaleUnit, UnitOutcome } from "./contract.js"
import type { JudgedPart, PartOutcome } from "./fileOptions.js"
import { type Choices, type Entry, hashOf, idOf, type OutputRecord } from "./record.js"
import { isAnew, recorded, unitsOf } from "./unitMatching.js"
import { type Inspecting, isOfNobody, type Status, settingsOf, type Units } from "./unitStatus.js"

/** The facts before an update. */
export interface Known extends Inspecting {
  /** The current choices for translations. */
  readonly choices: Choices
  /** The file that is to be written: the target with all units of the source, or the source itself. */
  readonly merged: ReadonlyArray<Part>
  /** The keys of units of the target whose source has become no text. */
  readonly textless: Iterable<string>
  /** The treatment of a translation of the machine by policies, if somebody has asked to look at those. @default all stay */
  readonly treatmentOf?: ((unit: Unit, translation: string) => "refuse" | "ask" | "flag" | "keep") | undefined
  /** True if translations of the machine that look wrong are marked. */
  readonly isMarking: boolean
}

/** The units to translate, and the record after it. */
export interface Plan {
  /** The parts to translate. Units that are not to be translated have a mark, and keep the target's text. */
  readonly parts: ReadonlyArray<Part>
  readonly stale: ReadonlyArray<StaleUnit>
  /** Units whose author is not known: they stay as they are. */
  readonly unknown: ReadonlyArray<string>
  /** Texts that are translated again, since they were made with other choices. */
  readonly otherChoices: ReadonlyArray<OtherChoices>
  /** The number of texts that are translated again, since terms that they hold are new, have changed or are gone. */
  readonly otherTerms: number
  readonly removed: ReadonlyArray<string>
  /** A person's texts of earlier sources that corrections of the current ones replace. No `text` if that source is not known. */
  readonly replaced: ReadonlyArray<StaleUnit>
  /** The text of the source, and the written text of a unit that is not translated. */
  readonly textsOf: (unit: Unit) => Pick<UnitOutcome, "text" | "translation"> & {
    /** True if the written text is a translation that stays. */
    readonly isTranslated: boolean
  }
  /** The record of the target that was written, and the number of units of the source with a person's translation. */
  readonly next: (
    written: ReadonlyArray<Part>,
    outcomes: ReadonlyArray<PartOutcome>
  ) => { readonly record: OutputRecord; readonly byPersons: number }
}

/** Beside those that are translated: a translation of the output that a policy refuses, that is asked for once more, or gets a mark. */
type Decision = "translate" | "refuse" | "ask" | "flag" | "keep" | "stale" | "copy"

/** True if the stream judges the translation of the output. */
const isJudged = (decision: Decision | undefined): boolean =>
  decision === "refuse" || decision === "ask" || decision === "flag"

const isSent = (decision: Decision | undefined): boolean => decision === "translate" || isJudged(decision)

/** The job's wishes beside both files. */
export interface Wishes {
  /** Translates the machine's translations again. */
  readonly refresh: boolean
  /** The corrections of sources. */
  readonly corrections: ReadonlyMap<string, string>
}

const isKept = (status: Status): boolean => status === "current" || status === "unknown"

const decide = (
  { isMarking, passes, treatmentOf }: Known,
  units: Units,
  refresh: boolean,
  unit: Unit
): Decision => {
  const { entry, isUntouched, unit: prior } = units.priorOf(unit.key)
  const status = units.statusOf(unit.key)
  if (status === "stale") return "stale"
  const isOther = !isKept(status)
  if ((isOther || units.textOf(prior) === unit.text) && passes(unit)) return "copy"
  if (isOther) return "translate"
  if (!isUntouched || entry?.by !== "machine") return "keep"
  if (refresh) return "translate"
  const treatment = treatmentOf?.(unit, units.textOf(prior)!) ?? "keep"
  return treatment === "flag" && (!isMarking || prior!.state === "fuzzy") ? "keep" : treatment
}

/**
 * True if a person's correction of the source replaces the target's translation: where that is the machine's, or where
 * the correction was for an earlier source already when the target was written. A person's later translation in the
 * target stays.
 */
const isCorrectable = ({ priorOf }: Units, decision: Decision, key: string): boolean => {
  const { entry, isUntouched } = priorOf(key)
  return isUntouched && (decision === "stale" || (decision === "keep" && entry?.by !== "person"))
}

/** The new state of a unit whose text in the target is this one now; nothing of one whose author is not known. */
const stateOf = (
  { priorOf, sources }: Units,
  { choices, termsOf }: Pick<Known, "choices" | "termsOf">,
  decision: Decision | "translated" | "corrected" | undefined,
  key: string,
  written: string
): Entry | undefined => {
  const { entry, unit } = priorOf(key)
  const { text } = sources.get(key)!
  const source = hashOf(text)
  const target = hashOf(written)
  const ofMachine = { source, target, by: "machine", choices: idOf(choices), terms: termsOf?.(text) } as const
  switch (decision) {
    case "translated":
      return ofMachine
    case "corrected":
      return { source, target, by: "correction", text }
    case "stale":
      return {
        source: entry?.source ?? hashOf(unit!.text),
        target,
        by: "person",
        stale: true,
        text: entry?.text
      }
    case "copy":
      if (written === text) return ofMachine
      break
    case "keep":
      if (entry === undefined) return undefined
      if (entry.target !== target) return { source, target, by: "person", text }
      return { ...entry, source, stale: undefined, text: entry.by === "machine" ? undefined : text }
  }
  // A failed text is translated the next time: the machine's earlier translation, or the source's text, stands there.
  return entry?.target === target ? entry : { source, target, by: "nobody" }
}

/** Sources whose corrections matter: {@link isCorrectable} says why. A translated unit may get one from the store. */
export const correctable = (known: Known, units: Units): ReadonlySet<string> => {
  const texts = new Set<string>()
  for (const [key, unit] of units.sources) {
    const decision = decide(known, units, false, unit)
    if (isSent(decision) || isCorrectable(units, decision, key)) texts.add(unit.text)
  }
  return texts
}

/** The options that differ between choices. */
const differences = (before: Choices, now: Choices): OtherChoices["options"] =>
  Object.fromEntries(
    [...new Set([...Object.keys(before.named), ...Object.keys(now.named)])].sort().flatMap((name) => {
      const [first, second] = [before.named[name], now.named[name]]
      return canonicalJson(first ?? null) === canonicalJson(second ?? null)
        ? []
        : [[name, { before: first, now: second }]]
    })
  )

/** The texts that other choices have made, by those choices. */
const otherChoicesOf = (
  { made, priorOf }: Units,
  keys: ReadonlyArray<string>,
  choices: Choices
): ReadonlyArray<OtherChoices> => {
  const counts = new Map<Choices, number>()
  for (const key of keys) {
    const before = made(priorOf(key).entry!)!
    counts.set(before, (counts.get(before) ?? 0) + 1)
  }
  return Array.from(counts, ([before, texts]) => ({ texts, options: differences(before, choices) }))
}

export const plan = (known: Known, units: Units, { corrections, refresh }: Wishes): Plan => {
  const { choices, format, isMerged, matching, merged, record, target, textless } = known
  const decisions = new Map<string, Decision>()
  const corrected = new Map<string, string>()
  for (const [key, unit] of units.sources) {
    const decision = decide(known, units, refresh, unit)
    decisions.set(key, decision)
    const correction = corrections.get(unit.text)
    const isOther = correction !== undefined && correction !== units.textOf(units.priorOf(key).unit)
    if (isOther && isCorrectable(units, decision, key)) corrected.set(key, correction)
  }
  const withStatus = (status: Status) =>
    Array.from(units.sources.keys()).filter((key) => units.statusOf(key) === status)
  const previousOf = (key: string) => units.textOf(units.priorOf(key).unit)
  // A file that is made from the source does not hold the target's texts yet.
  const isNew = target.length > 0 && !isMerged
  const isElsewhere = (key: string) => isNew || units.originOf(key) !== key

  /** The text in place of a translation: what was refused does not stay. */
  const untranslated = (key: string, text: string) =>
    decisions.get(key) === "refuse" && format.isBilingual ? "" : text

  const planned = merged.map((part): JudgedPart => {
    const own = part.units.map((unit): Unit => {
      const source = units.sources.get(unit.key)
      if (source === undefined) return { ...unit, state: "translated" }
      const decision = decisions.get(unit.key)
      const isMissing = isSent(decision) || decision === "copy"
      return { ...unit, text: source.text, state: isMissing ? "missing" : "translated" }
    })
    const kept = part.units.map((unit, place) => {
      const { key, text } = own[place]!
      if (decisions.get(key) === "copy") return unit.text === text ? undefined : text
      if (decisions.get(key) === "refuse") return corrected.get(key) ?? untranslated(key, text)
      return corrected.get(key) ?? (isElsewhere(key) ? previousOf(key) : undefined)
    })
    const judged = own.map(({ key }) => (isJudged(decisions.get(key)) ? previousOf(key) : undefined))
    const { write } = part
    if (write === undefined || kept.every((text) => text === undefined))
      return { ...part, units: own, judged }
    return {
      ...part,
      units: own,
      judged,
      write: (translations, marks) =>
        write(
          translations.map((translation, place) => translation ?? kept[place]),
          marks
        )
    }
  })

  const entriesOf = (written: ReadonlyArray<Part>, outcomes: ReadonlyArray<PartOutcome>) => {
    const translated = new Set(outcomes.flatMap(translatedKeys))
    const done = (key: string, text: string) =>
      corrected.has(key) || (translated.has(key) && corrections.get(units.sources.get(key)!.text) === text)
        ? "corrected"
        : translated.has(key)
          ? "translated"
          : decisions.get(key)
    return Array.from(unitsOf(written)).flatMap(([key, unit]): ReadonlyArray<readonly [string, Entry]> => {
      const text = units.textOf(unit)
      if (text === undefined) return []
      // A unit that the source does not have may come back.
      const entry = units.sources.has(key)
        ? stateOf(units, known, done(key, text), key, text)
        : matching.entryOf(key)
      return entry === undefined ? [] : [[key, entry]]
    })
  }

  return {
    parts: planned,
    stale: [
      ...Array.from(decisions).flatMap(([key, decision]) =>
        decision === "stale" && !corrected.has(key) ? [key] : []
      ),
      ...Array.from(textless).filter((key) => !isOfNobody(matching, key))
    ].map((key) => ({
      key,
      text: units.sources.get(key)?.text ?? "",
      translation: previousOf(key) ?? units.textOf(matching.targets.get(key)) ?? ""
    })),
    unknown: withStatus("unknown").filter((key) => decisions.get(key) === "keep"),
    otherChoices: otherChoicesOf(units, withStatus("otherOptions"), choices),
    otherTerms: withStatus("otherTerms").length,
    removed: matching.removed,
    replaced: Array.from(corrected.keys()).flatMap((key) =>
      decisions.get(key) === "stale"
        ? [{ key, text: units.priorOf(key).entry?.text ?? "", translation: previousOf(key)! }]
        : []
    ),
    textsOf: ({ key, text, translation }) => ({
      text: units.sources.has(key) ? text : undefined,
      translation:
        decisions.get(key) === "copy" || decisions.get(key) === "refuse"
          ? untranslated(key, text)
          : (corrected.get(key) ?? previousOf(key) ?? (format.isBilingual ? translation : text)),
      isTranslated: decisions.get(key) === "keep" || decisions.get(key) === "stale"
    }),
    next: (written, outcomes) => {
      const entries = entriesOf(written, outcomes)
      const isByPerson = ([key, { by }]: readonly [string, Entry]) =>
        units.sources.has(key) && (by === "person" || by === "correction")
      return {
        record: {
          file: { format: format.name, settings: settingsOf(format) },
          choices: new Map(record.choices).set(idOf(choices), choices),
          units: recorded(format, entries),
          places: isAnew(format) ? entries.map(([key]) => key) : undefined
        },
        byPersons: entries.filter(isByPerson).length
      }
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
