/**
 * The interface of a message format for streams: it splits a message into sentences that can be translated, and builds a
 * message of their translations. `IcuMessage` of `effect-translate/icu` is one.
 *
 * @since 0.1.0
 */
import type * as LanguageCode from "../api/LanguageCode.js"

/**
 * A part of a sentence: text, or a placeholder.
 *
 * @since 0.1.0
 * @category models
 */
export interface Part {
  /** The text for the translator: the text itself, or a substitute for the placeholder, such as a number. */
  readonly text: string
  /** The placeholder as the message writes it; `undefined` for text. */
  readonly placeholder: string | undefined
}

/**
 * A message that was parsed.
 *
 * @since 0.1.0
 * @category models
 */
export interface Message {
  /** The sentences to translate: one for each branch, all of them different. */
  readonly sentences: ReadonlyArray<ReadonlyArray<Part>>
  /** Writes the message in the target language, from the translations of all sentences in their order. */
  readonly format: (sentences: ReadonlyArray<ReadonlyArray<Part>>) => string
}

/**
 * The languages between which a message is translated, as the options of a translation name them.
 *
 * @since 0.1.0
 * @category models
 */
export interface Languages {
  readonly sourceLang?: LanguageCode.SourceLanguage | undefined
  readonly targetLang?: LanguageCode.TargetLanguage | undefined
}

/**
 * A syntax of messages with placeholders and branches.
 *
 * @since 0.1.0
 * @category models
 */
export interface MessageFormat {
  /**
   * The name of the format and the version of its behaviour, such as "icu/1". A store of translations keeps apart the
   * translations by different ones: change it whenever a message would be parsed or written in another way.
   */
  readonly name: string
  /** Parses a text; `undefined` if it is no message of this format. */
  readonly parse: (text: string, languages: Languages) => Message | undefined
}
