/** Outputs that are known to be up to date: they are as they were written, and so is all that they were made of. */
import * as Effect from "effect/Effect"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as Translator from "../../client/Translator.js"
import { FaultlessBlocks } from "../../internal/faultlessBlocks.js"
import { canonicalJson, hash } from "../../internal/hash.js"
import { version } from "../../internal/version.js"
import * as Outcome from "../../stream/Outcome.js"
import * as ProgressObserver from "../../stream/ProgressObserver.js"
import * as StreamOptions from "../../stream/StreamOptions.js"
import type * as TranslateStream from "../../stream/TranslateStream.js"
import type * as Verification from "../../stream/Verification.js"
import * as acceptance from "./acceptance.js"
import type { Observed, SourceForecast, Translation, Written } from "./contract.js"
import type * as FileTranslation from "./fileOptions.js"
import type { FileOptions } from "./fileReading.js"
import type * as findings from "./findings.js"
import { addOnlyPlaceholders, withJudged } from "./observedOutcomes.js"
import type * as outputs from "./outputFiles.js"
import { choicesOf } from "./partOptions.js"
import type { FileState, Made } from "./recordFiles.js"

/** The job's options that keep an output from being up to date. */
export type Asked = Pick<Translation, "limit" | "options" | "refresh" | "includeUnits">

/** The ingredients of an output beside its source; no `settings` if they can't be told. */
export interface Ingredients {
  /** The hash of the options of its translation, which are among the settings. */
  readonly options: string
  readonly settings: string | undefined
  /** The hash of the terms of its glossary, which are among the settings too. */
  readonly terms: string | undefined
  readonly corrections: string | undefined
  /** The version of its checks; `undefined` if one of them is to be asked each time. */
  readonly checks: string | undefined
  /** The policies that its translations are judged by, if some were named; `each` if that is not remembered. */
  readonly policies: string | undefined
}

/** An output whose ingredients are known; it is up to date if it has `made`. */
export interface Known extends outputs.Found {
  readonly ingredients: Ingredients
  readonly made: Made | undefined
  /** True if it is up to date but for policies: its translations are those that it would get, and may be refused. */
  readonly isAsMade: boolean
}

const neither = { made: undefined, isAsMade: false }

/** The revision of the corrections of the store. */
const revisionOf = ({ store, targetLang }: TranslateStream.Options) =>
  store?.correctionsRevision(targetLang) ?? Effect.succeed(undefined)

/** The ingredients, before anything is translated: a correction that comes later counts for the next run. */
export const ingredientsOf = (
  options: FileTranslation.Options,
  { existing = "keep", removed = "keep" }: Pick<FileOptions, "existing" | "removed">
) =>
  Effect.map(
    Effect.all([Translator.Translator, choicesOf(options), revisionOf(options.options)]),
    ([{ identify }, choices, corrections]): Ingredients => {
      const { format, mark = null } = options
      const terms = StreamOptions.hashOfTerms(options.options)
      const isKnown = format.settings !== undefined && identify !== undefined
      return {
        options: choices.options,
        // Another version of this library may find other texts.
        settings: isKnown
          ? hash(
              canonicalJson([
                choices.options,
                choices.service,
                terms ?? null,
                format.name,
                format.settings,
                existing,
                removed,
                mark,
                version
              ])
            )
          : undefined,
        terms,
        corrections,
        checks: StreamOptions.versionOfChecks(options.options),
        policies: StreamOptions.policiesOf(options.options)
      }
    }
  )

/** The stored ingredients of an output, if it is up to date. It is not if the job wants each text, or texts again, or a part of them. */
export const find = <E, R>(
  { hash, state }: outputs.Output,
  { limit, options: { verify }, refresh, includeUnits }: Asked,
  { corrections, policies, settings }: Ingredients,
  digestOfSource: Effect.Effect<string, E, R>
) =>
  Effect.gen(function* () {
    const made = state?.made
    if (made === undefined || limit !== undefined || refresh === true || includeUnits === true) return neither
    if (settings !== made.settings) return neither
    if (corrections !== undefined && corrections !== made.corrections) return neither
    if ((yield* hash) !== state!.written || (yield* digestOfSource) !== made.source) return neither
    const isJudged = policies === undefined || (policies !== "each" && policies === made.policies)
    return { made: isJudged && verify?.retryFlagged !== true ? made : undefined, isAsMade: true }
  })

/** True if the findings in an output are those of the current checks. */
export const isSeen = ({ ingredients: { checks }, made }: Known): boolean =>
  checks !== undefined && made?.seen?.checks === checks

/** The facts about an output that the next run tells again. */
export type Told = Pick<Written, "byPersons" | "selection" | "stale" | "unknown">

/** Leaves the findings that are accepted out of what the job observes. */
const unaccepted = ({ flagged, units, ...observed }: Observed, filter: acceptance.Filter): Observed => {
  const rest = flagged?.flatMap((unit) => {
    const found = filter(unit.findings, unit.text ?? "", unit.translation)
    return found.length === 0 ? [] : [{ ...unit, findings: found }]
  })
  return {
    ...observed,
    texts: withJudged(observed.texts, { ...observed.texts, flagged: rest?.length }),
    flagged: rest,
    units: units?.map(({ findings = [], ...unit }) => {
      const found = filter(findings, unit.text ?? "", unit.translation ?? "")
      return found.length === 0 ? unit : { ...unit, findings: found }
    })
  }
}

const filterOf = ({ state }: outputs.Output, { targetLang }: TranslateStream.Options): acceptance.Filter =>
  acceptance.filter(state?.accepted, LanguageCode.canonical(targetLang))

/** Options with which no policy treats the findings in an output that a person has accepted. */
export const withAccepted = <T extends Pick<Translation, "options">>(
  translation: T,
  output: outputs.Output
): T => {
  const { options } = translation
  const { syntax, verify } = options
  if ((output.state?.accepted ?? []).length === 0) return translation
  const filter = filterOf(output, options)
  const accepted = { has: (text: string) => filter([acceptance.unread], text, "").length === 0 }
  const isAccepted: NonNullable<Verification.Options["isAccepted"]> = (finding, source, translation) =>
    filter([finding], source, translation).length === 0
  return {
    ...translation,
    options: {
      ...options,
      syntax: { ...syntax, accepted },
      verify: verify && { ...verify, isAccepted }
    }
  }
}

type Seen = Made["seen"] & {}

/** The most characters of texts with findings that are remembered of an output. */
const mostCharacters = 8_388_608

/** Remembers the findings of an output, unless they are too many, or a check has not looked at all texts. */
export class Remembered {
  private readonly flagged: Array<Seen["flagged"][number]> = []
  private characters = 0
  private isOpen = false

  add(
    targetLang: string,
    { findings, key, line, text = "", translation, unasked }: findings.JudgedUnit
  ): void {
    if (unasked !== undefined && unasked.length > 0) this.isOpen = true
    if (findings.length === 0) return
    this.characters += text.length + translation.length
    if (this.characters > mostCharacters) return
    this.flagged.push({ targetLang, key, line, text, translation, findings })
  }

  /** By checks of a version; nothing is known of those without one. */
  seen(checks: string | undefined, faultless?: FaultlessBlocks): Seen | undefined {
    return checks === undefined || this.isOpen || this.characters > mostCharacters
      ? undefined
      : { checks, flagged: this.flagged, faultless: faultless?.hashes() }
  }
}

/** The most failed texts of an output that its record names. */
const mostFailed = 100

/** Watches the outcomes of an output's texts, for its state. */
export const watch = (
  translation: Translation,
  { ingredients: { checks, corrections, options, policies, settings, terms: ofGlossary }, output }: Known
) => {
  let texts = Outcome.sumTexts([])
  let onlyPlaceholders: Observed["onlyPlaceholders"]
  const remembered = new Remembered()
  const failed: Array<(FileState["failed"] & {})[number]> = []
  const targetLang = LanguageCode.canonical(translation.options.targetLang)
  const filter = filterOf(output, translation.options)
  const { seen, settings: before } = output.state?.made ?? {}
  const isSame = checks !== undefined && seen?.checks === checks && before === settings
  const faultless = new FaultlessBlocks(targetLang, isSame ? seen.faultless : [])
  return {
    translation: {
      ...translation,
      faultless,
      observe: (outcomes: ReadonlyArray<Observed>) => {
        texts = Outcome.sumTexts([{ texts }, ...outcomes])
        for (const { failures, flagged = [], onlyPlaceholders: more } of outcomes) {
          onlyPlaceholders = addOnlyPlaceholders(onlyPlaceholders, more)
          for (const { key, text } of failures)
            if (text !== undefined && failed.length < mostFailed) failed.push({ targetLang, key })
          for (const unit of flagged) remembered.add(targetLang, unit)
        }
        return translation.observe(
          outcomes.map((outcome) =>
            outcome.texts.flagged === undefined ? outcome : unaccepted(outcome, filter)
          )
        )
      }
    } satisfies Translation,
    /** The texts that have failed; `undefined` if they are many. */
    failed: (): FileState["failed"] => (texts.failed > mostFailed ? undefined : failed),
    /** The ingredients of an output that is whole; nothing if some texts are left to translate, or to report. */
    made: (
      source: string | undefined,
      { byPersons, selection, stale, unknown }: Told,
      isKept: boolean
    ): Made | undefined => {
      const isLeft = texts.failed > 0 || stale.length > 0 || unknown !== undefined
      if (source === undefined || settings === undefined || isLeft) return undefined
      const known = texts.translated + texts.cached
      // The counts of the next run, which finds all of them in the output or in the store.
      const told = isKept
        ? { cached: 0, skipped: known + texts.skipped }
        : { cached: known, skipped: texts.skipped }
      return {
        source,
        settings,
        options,
        terms: ofGlossary,
        corrections,
        policies,
        texts: told,
        byPersons,
        onlyPlaceholders,
        selection,
        seen: texts.unasked === undefined ? remembered.seen(checks, faultless) : undefined
      }
    }
  }
}

const nothing = { characters: 0, ambiguousCharacters: 0 }

/** Reports an output that is up to date to the job, with the outcomes of its texts. */
export const tell = (
  { observe, options }: Translation,
  { name: output }: outputs.Output,
  { byPersons, onlyPlaceholders, selection, texts }: Made
) =>
  Effect.suspend(() => {
    const told = { ...Outcome.sumTexts([]), ...texts }
    const { progress, sourceLang, targetLang } = options
    progress?.[ProgressObserver.observe]({ sourceLang, targetLang }).emitted([
      { _tag: "Skipped", source: undefined, value: undefined, texts: told, cost: nothing }
    ])
    const written: Written = { output, state: "unchanged", stale: [], byPersons, selection }
    return Effect.as(observe([{ texts: told, cost: nothing, failures: [], onlyPlaceholders }]), written)
  })

/** The remembered findings of a language. */
export const seenIn = ({ flagged }: Seen, targetLang: string): ReadonlyArray<findings.JudgedUnit> =>
  flagged.filter((unit) => unit.targetLang === targetLang)

/** Tells the job of findings in an output that is up to date, and of texts that a check has not looked at. */
export const tellJudged = (
  { observe, options }: Translation,
  output: outputs.Output,
  units: ReadonlyArray<findings.JudgedUnit>
) => {
  const flagged = units.filter(({ findings }) => findings.length > 0)
  const unasked = units.filter(({ unasked = [] }) => unasked.length > 0).length
  const texts = withJudged(Outcome.sumTexts([]), { flagged: flagged.length, unasked })
  const told = unaccepted({ texts, cost: nothing, failures: [], flagged }, filterOf(output, options))
  return told.texts.flagged === undefined && unasked === 0 ? Effect.void : observe([told])
}

/** The forecast of an output that is up to date. */
export const forecast = (
  { targetLang }: TranslateStream.Options,
  { selection, texts: { cached, skipped } }: Made
): SourceForecast => ({
  targetLang,
  selection,
  in: cached + skipped,
  translated: 0,
  cached,
  skipped,
  failed: 0,
  characters: 0,
  requests: 0,
  bytes: 0,
  paid: cached
})
