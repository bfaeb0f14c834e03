/** Outputs that are known to be up to date: they are as they were written, and so is all that they were made of. */
import * as Effect from "effect/Effect"
import { canonicalJson, hash } from "../../internal/hash.js"
import { version } from "../../internal/version.js"
import * as Outcome from "../../stream/Outcome.js"
import type * as TranslateStream from "../../stream/TranslateStream.js"
import * as Translator from "../../stream/Translator.js"
import type * as FileTranslation from "../FileTranslation.js"
import type * as JobSource from "../JobSource.js"
import type { Made } from "./fileState.js"
import { addOnlyPlaceholders } from "./observedOutcomes.js"
import type * as outputs from "./outputFiles.js"
import { choicesOf } from "./partTranslation.js"
import type { Observed, SourceForecast, Translation, Written } from "./sourceContract.js"

/** What a job asks of an output. */
export type Asked = Pick<Translation, "limit" | "options" | "refresh" | "wantsUnits">

/** What an output is made of beside its source; no `settings` if they can't be told. */
export interface Ingredients {
  /** The hash of the options of its translation, which are among the settings. */
  readonly options: string
  readonly settings: string | undefined
  readonly corrections: string | undefined
}

/** The ingredients, before anything is translated: a correction that comes later counts for the next run. */
export const ingredientsOf = (
  options: FileTranslation.Options,
  { existing = "keep", removed = "keep" }: Pick<JobSource.FileOptions, "existing" | "removed">
) =>
  Effect.gen(function* () {
    const { format, store, targetLang } = options
    const { identify } = yield* Translator.Translator
    const choices = yield* choicesOf(options)
    const isKnown = format.settings !== undefined && identify !== undefined
    return {
      options: choices.options,
      // Another version of this library may find other texts.
      settings: isKnown
        ? hash(canonicalJson([choices, format.name, format.settings, existing, removed, version]))
        : undefined,
      corrections: yield* store?.correctionsRevision(targetLang) ?? Effect.succeed(undefined)
    } satisfies Ingredients
  })

/** What was remembered of an output, if it is up to date. What is asked for each text, or again, or in part, is not. */
export const find = <E, R>(
  { hash, state }: outputs.Output,
  { limit, refresh, wantsUnits }: Asked,
  { corrections, settings }: Ingredients,
  digestOfSource: Effect.Effect<string, E, R>
) =>
  Effect.gen(function* () {
    const made = state?.made
    if (made === undefined || limit !== undefined || refresh === true || wantsUnits === true) return undefined
    if (settings !== made.settings) return undefined
    if (corrections !== undefined && corrections !== made.corrections) return undefined
    if ((yield* hash) !== state!.written) return undefined
    return (yield* digestOfSource) === made.source ? made : undefined
  })

/** Watches what becomes of the texts of an output, for what is remembered of it. */
export const watch = (translation: Translation) => {
  let texts = Outcome.sumTexts([])
  let onlyPlaceholders: Observed["onlyPlaceholders"]
  return {
    translation: {
      ...translation,
      observe: (outcomes: ReadonlyArray<Observed>) => {
        texts = Outcome.sumTexts([{ texts }, ...outcomes])
        for (const outcome of outcomes) {
          onlyPlaceholders = addOnlyPlaceholders(onlyPlaceholders, outcome.onlyPlaceholders)
        }
        return translation.observe(outcomes)
      }
    } satisfies Translation,
    /** What is remembered of an output that is whole; nothing if something is left to do, or to tell. */
    made: (
      source: string | undefined,
      { corrections, options, settings }: Ingredients,
      { byPersons, stale }: Pick<Written, "byPersons" | "stale">,
      isKept: boolean
    ): Made | undefined => {
      if (source === undefined || settings === undefined || texts.failed > 0 || stale.length > 0)
        return undefined
      const known = texts.translated + texts.cached
      // What the next run would say, which finds all of them in the output or in the store.
      const told = isKept
        ? { cached: 0, skipped: known + texts.skipped }
        : { cached: known, skipped: texts.skipped }
      return { source, settings, options, corrections, texts: told, byPersons, onlyPlaceholders }
    }
  }
}

/** Tells the job of an output that is up to date what it would hear of its texts. */
export const tell = ({ observe, options }: Translation, { onlyPlaceholders, texts }: Made) =>
  Effect.suspend(() => {
    const told = { ...Outcome.sumTexts([]), ...texts }
    const cost = { characters: 0, ambiguousCharacters: 0 }
    const { progress, sourceLang, targetLang } = options
    progress
      ?.observe({ sourceLang, targetLang })
      .emitted([{ _tag: "Skipped", source: undefined, value: undefined, texts: told, cost }])
    return observe([{ texts: told, cost, failures: [], onlyPlaceholders }])
  })

/** The forecast of an output that is up to date. */
export const forecast = (
  { targetLang }: TranslateStream.Options,
  { texts: { cached, skipped } }: Made
): SourceForecast => ({
  targetLang,
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
