import { isAbsolute, relative, resolve } from "node:path"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as JobOptions from "../../job/JobOptions.js"
import * as JobSource from "../../job/JobSource.js"
import * as OutputCheck from "../../job/OutputCheck.js"
import * as TranslationStore from "../../store/TranslationStore.js"
import type { Actions } from "../command.js"
import type { AcceptInput, accept } from "../declarations/outputs.js"
import { usage } from "../failure.js"
import { Output } from "../output.js"
import { Settings } from "../settings/settings.js"
import * as stores from "../storeOption.js"
import * as text from "../textTable.js"
import * as acceptedUnits from "../translate/acceptedUnits.js"
import * as checksOption from "../translate/checksOption.js"
import * as errorText from "../translate/errorText.js"
import * as formatOptions from "../translate/formatOptions.js"
import * as glossaries from "../translate/glossaryOption.js"
import * as translateOptions from "../translate/translateOptions.js"

/** The records of an output with their sources: one for each language in it, or one of several languages. */
const recordsOf = (file: string) =>
  Effect.gen(function* () {
    const { root, stateFolder } = yield* Settings
    const all = yield* JobSource.outputsIn(stateFolder, root)
    const own = all.filter(({ path }) => path === resolve(file))
    const found = yield* Effect.forEach(own, (output) =>
      Effect.map(JobSource.sourceOf(output, { stateFolder, stateRoot: root }), (source) => ({
        ...output,
        source
      }))
    )
    return found.flatMap(({ source, targetLang }) =>
      source === undefined ? [] : [{ source: relative(".", source), targetLang }]
    )
  })

/** The keys that are shown like this: the key of a message of gettext has its context in front. */
const keysOf = (shown: string): ReadonlyArray<string> => [shown, shown.replace("|", "\u0004")]

/** The options of accepting: the checks and the terms of translations, as far as flags and settings say them. */
const optionsOf = (input: AcceptInput) =>
  Effect.gen(function* () {
    const { root, stateFolder, translate } = yield* Settings
    const from = input.from ?? translate.from ?? translate.options?.sourceLang
    const to = input.targets.length > 0 ? input.targets : (translate.targets ?? [])
    const targets = to.length === 0 ? [] : yield* translateOptions.targetsOf(to)
    const { detect, named } = yield* formatOptions.formatOf({
      columns: input.columns.length > 0 ? input.columns : (translate.columns ?? []),
      keys: [],
      outputColumn: input.outputColumn ?? translate.outputColumn,
      encoding: translate.encoding,
      plurals: translate.plurals,
      onBadLine: undefined,
      fields: input.fields.length > 0 ? input.fields : translate.fields,
      format: input.format ?? translate.format
    })
    const checks = yield* checksOption.asked({ checks: translate.checks ?? [] })
    const glossary = input.glossary ?? translate.glossary
    return (file: string, source: string, targetLang: string) =>
      Effect.gen(function* () {
        const isOfSeveral = targetLang === JobSource.severalLanguages
        if (isOfSeveral && targets.length === 0) {
          return yield* usage(`${file} has several languages: name them with --to.`)
        }
        const languages = isOfSeveral ? targets : [targetLang]
        return {
          files: [
            { path: source, format: named ?? detect, output: () => file, stateFolder, stateRoot: root }
          ],
          targets: languages,
          options: { ...translate.options, sourceLang: from },
          checks,
          terms: yield* glossaries.termsOf({ from, glossary, languages: languages.map(JobOptions.langOf) }),
          keys: input.keys.length === 0 ? undefined : input.keys.flatMap(keysOf),
          only: input.only.length === 0 ? undefined : input.only,
          store: yield* TranslationStore.TranslationStore
        } satisfies OutputCheck.AcceptOptions
      })
  })

/** Accepts texts of an output, or those of a list. */
const acceptFile = (file: string, optionsFor: Effect.Effect.Success<ReturnType<typeof optionsOf>>) =>
  Effect.gen(function* () {
    const records = yield* recordsOf(file)
    if (records.length === 0 && file.endsWith(".jsonl")) return yield* acceptedUnits.take(file)
    if (records.length === 0) {
      return yield* usage(`${file} has no record: name an output, and translate its source once before.`)
    }
    const accepted = yield* Effect.forEach(records, ({ source, targetLang }) =>
      Effect.flatMap(optionsFor(file, source, targetLang), OutputCheck.accept)
    )
    return accepted.flat()
  })

/** Tells in words of the texts that were accepted. */
const lineOf = (accepted: OutputCheck.Accepted): string => {
  const { keys, output } = accepted
  const texts = acceptedUnits.textsOf(accepted)
  const told = text.present(
    keys.length > 0 && `${text.plural(keys.length, "text")} accepted as a person's`,
    texts > 0 && `${text.plural(texts, "text")} accepted that ${texts === 1 ? "looks" : "look"} wrong`
  )
  return `${isAbsolute(output) ? relative("", output) : output}: ${told.length === 0 ? "nothing to accept" : told.join(", ")}.`
}

export const actions: Actions<typeof accept> = (input) =>
  Effect.gen(function* () {
    const { translate } = yield* Settings
    yield* checksOption.checkNamed(input.only)
    const store = yield* stores.openAsItIs(input.store ?? translate.store)
    const optionsFor = yield* optionsOf(input)
    const accepted = yield* Effect.forEach(input.files, (file) => acceptFile(file, optionsFor)).pipe(
      Effect.map(Arr.flatten),
      Effect.provide(store.layer)
    )
    const taken = new Set(
      accepted.flatMap(({ findings, keys }) => [...keys, ...findings.map(({ key }) => key)])
    )
    const missing = input.keys.filter((shown) => !keysOf(shown).some((key) => taken.has(key)))
    if (missing.length > 0) {
      return yield* usage(
        `${missing.join(", ")}: nothing to accept there. effect-translate check lists the findings there are.`
      )
    }
    yield* Output.result({ accepted }, accepted.map(lineOf).join("\n"))
  }).pipe(Effect.scoped, Effect.mapError(errorText.describe({ sources: [] })))
