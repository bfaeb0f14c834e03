import * as Effect from "effect/Effect"
import { type FileTranslator, isBlank } from "./fileTranslator.js"
import { decode, encode } from "./plainText.js"

/** A comment, an element without texts, a tag, or a text between these. Together they cover the whole page. */
const token =
  /<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)|<\/?(?<tag>[a-z][^\s/>]*)(?:"[^"]*"|'[^']*'|[^'">])*>|<[a-z/!?][^>]*>|(?<text>[^<]+|<)/gi

/** Elements that may stand within a sentence. */
const inline = new Set(
  "a abbr b bdi bdo big br cite code data del dfn em font i img ins kbd mark q s samp small span strike strong sub sup time tt u var wbr".split(
    " "
  )
)

/** A web page: translates the texts between tags. Everything else stays as it is, byte for byte. */
export const html: FileTranslator = (content, translator) =>
  Effect.map(decode(content), (page) => {
    let isContinued = false
    return encode(
      page.replace(token, (part: string, ...rest: ReadonlyArray<unknown>) => {
        const { tag, text } = rest.at(-1) as { readonly tag?: string; readonly text?: string }
        if (tag !== undefined && !inline.has(tag.toLowerCase())) isContinued = false
        if (text === undefined || isBlank(text)) return part
        const translated = translator.translate(text, isContinued)
        isContinued = true
        // The target of a glossary may hold one.
        return text === "<" ? translated : translated.replaceAll("<", "&lt;")
      })
    )
  })
