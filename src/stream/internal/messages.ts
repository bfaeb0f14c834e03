import { isBlank } from "../../internal/texts.js"
import type { Range } from "../../text/Check.js"
import type { Message } from "../../text/MessageFormat.js"
import * as Placeholder from "../../text/Placeholder.js"
import * as PlaceholderProtection from "../../text/PlaceholderProtection.js"
import * as PlaceholderSearch from "../../text/PlaceholderSearch.js"
import type { Split } from "./element.js"
import type { Options } from "./options.js"
import { isApart, isMarked, searchOf } from "./reading.js"

const tag = /<[A-Za-z/!?][^<>]*/g
const argument = /\{\s*[^{}<>,]*,/

/** True if a tag holds an argument with branches or a format, or the number of a plural: these are no parts of sentences. */
const hasArgumentInTag = (text: string): boolean => {
  let end = 0
  let depth = 0
  for (const { 0: found, index } of text.matchAll(tag)) {
    depth += depthOf(text.slice(end, index))
    if (argument.test(found) || (depth > 0 && found.includes("#"))) return true
    end = index
  }
  return false
}

const depthOf = (text: string): number => text.split("{").length - text.split("}").length

/** The message that a text is, if the options name a format of messages. */
export const parse = (text: string, options: Options): Message | undefined =>
  options.tagHandling !== undefined && hasArgumentInTag(text)
    ? undefined
    : options.placeholders?.messageFormat?.parse(text, options)

/** The placeholders of a text that have to stand in its translation as they are; a message has none of its own. */
export const protectedIn = (text: string, options: Options): ReadonlyArray<Range> | undefined =>
  options.placeholders === undefined ||
  (isApart(options) && !isMarked(text, options)) ||
  parse(text, options) !== undefined
    ? undefined
    : PlaceholderSearch.find(text, searchOf(options))

/** The texts that leave a stream as they are: blank ones, and those that have nothing to translate. */
export const passes = (options: Options): ((text: string) => boolean) => {
  const isOther = options.placeholders === undefined ? undefined : nothingToTranslate(options)
  return (text) => isBlank(text) || isOther?.(text) === true
}

/** Which texts have nothing to translate, though they are not blank: those of placeholders alone. */
export const nothingToTranslate = (options: Options): ((text: string) => boolean) => {
  const search = searchOf(options)
  const isCovered = (text: string) => PlaceholderSearch.isOnlyPlaceholders(text, search)
  if (isApart(options)) return (text) => isCovered(text) && isMarked(text, options)
  return (text) => {
    const message = parse(text.trim(), options)
    return message === undefined
      ? isCovered(text)
      : message.sentences.every((sentence) => {
          const { known, text } = PlaceholderSearch.flatten(sentence)
          return PlaceholderSearch.isCovered(text, PlaceholderSearch.find(text, search, known))
        })
  }
}

/**
 * The parts of a message in requests: its sentences, protected, without whitespace around them. Sentences that are
 * nothing but placeholders are not sent.
 */
export const split = ({ format, sentences }: Message, options: Options): Split => {
  const search = searchOf(options)
  const kept = sentences.map((sentence) => PlaceholderProtection.protectSentence(sentence, search))
  const sent = kept.filter(({ isCovered }) => !isCovered)
  return {
    texts: sent.map(({ text }) => text.trim()),
    join: (translations) => {
      const lost = { expected: 0, missing: 0, surplus: 0, broken: 0 }
      let next = 0
      const restored = kept.map((each, index) => {
        if (each.isCovered) return sentences[index]!
        const { text } = each
        const start = text.length - text.trimStart().length
        const translated = text.slice(0, start) + translations[next++]! + text.slice(text.trimEnd().length)
        const parts = PlaceholderProtection.restoreSentence(each, search, translated)
        lost.expected += each.placeholders.length
        if (!("missing" in parts)) return parts
        lost.missing += parts.missing
        lost.surplus += parts.surplus
        lost.broken += parts.broken
        // A message without its arguments would be none.
        return sentences[index]!
      })
      const isLost = lost.missing + lost.surplus + lost.broken > 0
      return { text: format(restored), lost: isLost ? new Placeholder.PlaceholderLost(lost) : undefined }
    }
  }
}
