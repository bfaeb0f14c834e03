/**
 * Checks of translations. A check looks at one text and its translation, and knows nothing else. Checks are pure and
 * take time in proportion to the texts.
 *
 * @since 0.1.0
 */

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { is, TaggedError } from "../internal/taggedError.js"
import * as acceleratorsCheck from "./internal/checks/accelerators.js"
import * as addressesCheck from "./internal/checks/addresses.js"
import * as asking from "./internal/checks/asking.js"
import * as bracketsCheck from "./internal/checks/brackets.js"
import * as charactersCheck from "./internal/checks/characters.js"
import type { Check, Finding, Pair } from "./internal/checks/check.js"
import * as chineseScriptCheck from "./internal/checks/chineseScript.js"
import * as encodingCheck from "./internal/checks/encoding.js"
import * as glossaryCheck from "./internal/checks/glossary.js"
import * as icuCheck from "./internal/checks/icu.js"
import * as languageCheck from "./internal/checks/language.js"
import * as lengthCheck from "./internal/checks/length.js"
import * as markupCheck from "./internal/checks/markup.js"
import * as modelReplyCheck from "./internal/checks/modelReply.js"
import * as numbersCheck from "./internal/checks/numbers.js"
import * as partlyUntranslatedCheck from "./internal/checks/partlyUntranslated.js"
import * as placeholdersCheck from "./internal/checks/placeholders.js"
import * as repetitionCheck from "./internal/checks/repetition.js"
import * as sentencesCheck from "./internal/checks/sentences.js"
import * as truncatedCheck from "./internal/checks/truncated.js"
import * as unitsCheck from "./internal/checks/units.js"
import * as untranslatedCheck from "./internal/checks/untranslated.js"

/**
 * A check that asks somebody, as {@link effect} makes it.
 *
 * @since 0.1.0
 * @category models
 */
export type { EffectOptions } from "./internal/checks/asking.js"
/**
 * Pairs that checks look at, and their findings.
 *
 * @since 0.1.0
 * @category models
 */
export type {
  Asking,
  Check,
  Finding,
  Pair,
  Question,
  Range,
  Unasked,
  Verdict,
  Verdicts
} from "./internal/checks/check.js"

/**
 * Makes a check that asks somebody: a service that gives scores, a model that judges, an endpoint of one's own. It goes by the same policies
 * as others, once the translations are stored, and is asked about translations of this run only.
 *
 * Its verdicts are stored by the languages, both texts, and the name and version of the check, so that a rerun asks nobody. A translation that
 * it has not looked at, because it has failed or the translation was there before without a verdict, is kept and told as `unasked`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const effect: <E, R>(options: asking.EffectOptions<E, R>) => Effect.Effect<Check, never, R> =
  asking.make

/**
 * Finds a translation without a visible character, of a text that is not blank.
 *
 * @since 0.1.0
 * @category constants
 */
export const empty: Check = lengthCheck.empty

/**
 * Finds a translation that is the source itself. Only sentences of 20 characters and more are looked at: names, codes and words that both
 * languages have stay as they are, and so does a text between variants of a language, such as `en-GB` and `en-US`.
 *
 * @since 0.1.0
 * @category constants
 */
export const untranslated: Check = untranslatedCheck.untranslated

/**
 * Finds a part of a sentence of the source that stands in the translation as it is, and English sentences that the source does not have:
 * notes of a model, and texts that it has left half translated.
 *
 * @since 0.1.0
 * @category constants
 */
export const partlyUntranslated: Check = partlyUntranslatedCheck.partlyUntranslated

/**
 * Finds placeholders and tags that are missing, changed, or there too often: those that `Placeholder` knows, and those that the pair names.
 * Also finds conversions such as `%s` and `%d` whose kinds have another order, if they are not numbered. Otherwise their order, the attributes of tags, entities and formats of dates may change. A word in angle brackets that is no tag, such as `<file>`,
 * may be translated.
 *
 * @since 0.1.0
 * @category constants
 */
export const placeholders: Check = placeholdersCheck.placeholders

/**
 * Finds arguments of messages in the syntax of ICU that have lost a branch, `other` or their `#`, or have a keyword that programs do not
 * know. The plural categories of the target language have to be there, but those that only fractions and millions have.
 *
 * @since 0.1.0
 * @category constants
 */
export const icu: Check = icuCheck.icu

/**
 * Finds numbers of two digits and more, decimals, percent signs and dates such as `2026-03-04` that the translation has lost or changed. It may
 * write numbers with the digits, separators and order of its language, as Roman numerals, by a clock of 24 hours instead of 12, with larger
 * units such as 万, and round ones as words.
 *
 * @since 0.1.0
 * @category constants
 */
export const numbers: Check = numbersCheck.numbers

/**
 * Finds numbers that have another unit of the same quantity than in the source: 5 km for 5 mi.
 *
 * @since 0.1.0
 * @category constants
 */
export const units: Check = unitsCheck.units

/**
 * Finds URLs, e-mail addresses and names of files that the translation has lost or changed. The code of the language in a URL may change.
 *
 * @since 0.1.0
 * @category constants
 */
export const addresses: Check = addressesCheck.addresses

/**
 * Finds a translation that is far longer or shorter than translations between these languages are.
 *
 * @since 0.1.0
 * @category constants
 */
export const length: Check = lengthCheck.length

/**
 * Finds a translation with more characters than the pair allows.
 *
 * @since 0.1.0
 * @category constants
 */
export const maxLength: Check = lengthCheck.maxLength

/**
 * Finds a translation that is shorter than usual and ends in a word, though its source ends in a full stop, a bracket or another mark; or that
 * is far shorter and ends in a word.
 *
 * @since 0.1.0
 * @category constants
 */
export const truncated: Check = truncatedCheck.truncated

/**
 * Finds sentences, lines and items of a list that are left out. Sentences may be joined: their lengths tell that from a sentence
 * that is missing. Lines of a paragraph may end elsewhere.
 *
 * @since 0.1.0
 * @category constants
 */
export const sentences: Check = sentencesCheck.sentences

/**
 * Finds words and sentences that the translation repeats again and again where the source does not.
 *
 * @since 0.1.0
 * @category constants
 */
export const repetition: Check = repetitionCheck.repetition

/**
 * Finds letters of a script that the target language is not written in, if the source does not hold them, and English where there should be
 * another script.
 *
 * @since 0.1.0
 * @category constants
 */
export const script: Check = charactersCheck.script

/**
 * Finds simplified Chinese where the target language is traditional Chinese, and the other way round, by characters that only one of them
 * has. `zh` is simplified; `zh-TW` and `zh-HK` are traditional. A runtime that can't decode GBK and Big5, as browsers can, finds nothing.
 *
 * @since 0.1.0
 * @category constants
 */
export const chineseScript: Check = chineseScriptCheck.chineseScript

/**
 * Finds control characters and marks of direction that the source has not. A language that is written from right to left may
 * have such marks where they are closed.
 *
 * @since 0.1.0
 * @category constants
 */
export const controlCharacters: Check = charactersCheck.controlCharacters

/**
 * Finds brackets of a translation that are not paired, if those of its source are.
 *
 * @since 0.1.0
 * @category constants
 */
export const brackets: Check = bracketsCheck.brackets

/**
 * Finds double quotes, of any shape: an odd number where the source has an even one, none where it has some, and a pair around
 * a whole translation where it has none.
 *
 * @since 0.1.0
 * @category constants
 */
export const quotes: Check = bracketsCheck.quotes

/**
 * Finds letters that became question marks, UTF-8 that was read in another encoding (`Ã¤` for `ä`), and letters and marks that are escaped as
 * the source does not escape them: `\u00e4`, `&#228;`, `&amp;amp;`.
 *
 * @since 0.1.0
 * @category constants
 */
export const encoding: Check = encodingCheck.encoding

/**
 * Finds short texts whose access key is lost, such as the F of `&File`.
 *
 * @since 0.1.0
 * @category constants
 */
export const accelerators: Check = acceleratorsCheck.accelerators

/**
 * Finds marks of Markdown that are lost: of bold text, of code spans and of headings. Finds a code fence around a translation, too.
 *
 * @since 0.1.0
 * @category constants
 */
export const markup: Check = markupCheck.markup

/**
 * Finds terms of the glossary of the pair that the source holds and the translation does not use. A form of a word counts: it begins as the
 * word does.
 *
 * @since 0.1.0
 * @category constants
 */
export const glossary: Check = glossaryCheck.glossary

/**
 * Finds a translation that speaks of a language model, refuses, or announces itself, in English or its own language, where
 * the source does not.
 *
 * @since 0.1.0
 * @category constants
 */
export const modelReply: Check = modelReplyCheck.modelReply

/**
 * The package `eld`, which {@link language} needs, is not installed.
 *
 * @since 0.1.0
 * @category errors
 */
export class DetectorMissing extends TaggedError<DetectorMissing>()(
  "DetectorMissing",
  {},
  () => 'The check "language" needs the package eld, which is not installed here: npm install eld@2.1',
  { isFatal: true }
) {}

/**
 * Guards `DetectorMissing`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isDetectorMissing = is(DetectorMissing)

/**
 * Finds a translation of 80 characters and more that is in another language. Loads the detector when it is run, which is an optional peer,
 * `eld`: 42 MB of memory. It is not among the {@link defaults}. Errors: `DetectorMissing`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const language: Effect.Effect<Check, DetectorMissing> = Effect.flatMap(
  languageCheck.load,
  Option.match({
    onNone: () => new DetectorMissing({}),
    onSome: (detector) => Effect.succeed(languageCheck.language(detector))
  })
)

/**
 * All checks of this module but {@link language}. They are tuned to let people's translations pass: of translations in
 * catalogues of free software, they report fewer than one of a hundred.
 *
 * @since 0.1.0
 * @category constants
 */
export const defaults: ReadonlyArray<Check> = [
  empty,
  untranslated,
  partlyUntranslated,
  placeholders,
  icu,
  numbers,
  units,
  addresses,
  length,
  maxLength,
  truncated,
  sentences,
  repetition,
  script,
  chineseScript,
  controlCharacters,
  brackets,
  quotes,
  encoding,
  accelerators,
  markup,
  glossary,
  modelReply
]

/**
 * Those of {@link defaults} whose findings are faults in 95 of 100 cases, of translations that people made: a branch may fail by them.
 *
 * @since 0.1.0
 * @category constants
 */
export const strict: ReadonlyArray<Check> = [
  empty,
  untranslated,
  icu,
  maxLength,
  controlCharacters,
  brackets,
  accelerators
]

/**
 * The checks of {@link defaults} and {@link language}. Errors: `DetectorMissing`.
 *
 * @since 0.1.0
 * @category constants
 */
export const all: Effect.Effect<ReadonlyArray<Check>, DetectorMissing> = Effect.map(language, (check) => [
  ...defaults,
  check
])

/**
 * The findings of checks in a pair, in the order of the checks.
 *
 * @since 0.1.0
 * @category combinators
 */
export const findings = (checks: ReadonlyArray<Check>, pair: Pair): ReadonlyArray<Finding> =>
  checks.flatMap((check) => check.find(pair))
