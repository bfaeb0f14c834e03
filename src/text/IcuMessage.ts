/**
 * Messages in the syntax of ICU, as FormatJS, ARB files and Java use it: translated branch by branch, with the plural
 * categories of the target language.
 *
 * @since 0.1.0
 */
import { parse as parseMessage } from "@formatjs/icu-messageformat-parser"
import * as Option from "effect/Option"
import { Expansion, type Tree } from "./internal/messageBranches.js"
import type * as MessageFormat from "./MessageFormat.js"

/** Text as a message holds it. `isPlural` is whether `#` has a meaning there. */
const escape = (text: string, isPlural: boolean): string =>
  // Before a character with a meaning, an apostrophe begins a quotation. The piece behind the text may have one, too.
  text.replace(isPlural ? /[{}#][{}#']*|'(?=['{}<>#]|$)/g : /[{}][{}']*|'(?=['{}<>]|$)/g, (found) =>
    found.startsWith("'") ? "''" : `'${found.replaceAll("'", "''")}'`
  )

const writeSentence = (parts: ReadonlyArray<MessageFormat.Part>, isPlural: boolean): string => {
  let written = ""
  let text = ""
  for (const part of parts) {
    if (part.placeholder === undefined) text += part.text
    else {
      written += escape(text, isPlural) + part.placeholder
      text = ""
    }
  }
  return written + escape(text, isPlural)
}

const write = (tree: Tree, sentences: ReadonlyArray<ReadonlyArray<MessageFormat.Part>>): string =>
  "sentence" in tree
    ? writeSentence(sentences[tree.sentence]!, tree.isPlural)
    : `{${tree.head} ${tree.branches.map(([key, branch]) => `${key} {${write(branch, sentences)}}`).join(" ")}}`

/** A quoted `<`: as text it can't be told from a tag any more. */
const quotedTag = /'[<>]/

const parse = (text: string, languages: MessageFormat.Languages): MessageFormat.Message | undefined => {
  if (quotedTag.test(text)) return undefined
  const elements = parseMessage(text, {
    captureLocation: true,
    ignoreTag: true,
    shouldParseSkeletons: false
  })
  const expansion = new Expansion(text, elements, languages)
  const tree = expansion.expand()
  return (
    tree && {
      sentences: expansion.sentences,
      format: (sentences) => write(tree, sentences)
    }
  )
}

/**
 * The format of ICU messages, for the option `placeholders.messageFormat` of streams.
 *
 * - Each branch of `plural`, `selectordinal` and `select` is translated as a whole sentence: the text before and behind
 *   the argument is part of it. So the branches come to stand outside, and arguments inside their sentences.
 * - Plurals get the categories of the target language, as `Intl.PluralRules` knows them. A number of the category stands
 *   in the sentence while it is translated, so that its words agree with it, and `#` stands there afterwards.
 * - Branches for numbers (`=0`) and `offset:` are kept. `one {a file}` becomes `=1` where the target's `one` holds other
 *   numbers, too.
 * - All other arguments are placeholders. Apostrophes and braces of the translation are quoted where ICU asks for it.
 *
 * The source language decides which numbers a branch of the source is for. If it is not set, this is English for messages
 * with `one` and `other`, and else the target language.
 *
 * Not parsed, and so protected like any other text: a text that is no ICU message, a message without `other`, one of more
 * than 200 branches, one with a quoted tag (`'<b>'`).
 *
 * @since 0.1.0
 * @category constants
 */
export const format: MessageFormat.MessageFormat = {
  // Raise the number when messages are parsed or written in another way: stores of translations pay again for them.
  name: "icu/1",
  parse: (text, languages) => Option.getOrUndefined(Option.liftThrowable(parse)(text, languages))
}
