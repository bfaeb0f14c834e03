import * as Effect from "effect/Effect"
import type { Translate } from "./broken.js"
import { decode, encode } from "./plainText.js"
import { isBlank } from "./wording.js"

/** Comments, elements that hold no text, tags, and the texts between all these. Every character is in one of them. */
const token =
  /<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)|<\/?(?<tag>[a-z][^\s/>]*)(?:"[^"]*"|'[^']*'|[^'">])*>|<[a-z/!?][^>]*>|(?<text>[^<]+|<)/gi

/** Elements amid a sentence. */
const inline = new Set(
  "a abbr b bdi bdo big br cite code data del dfn em font i img ins kbd mark q s samp small span strike strong sub sup time tt u var wbr".split(
    " "
  )
)

/** A web page: each text between tags. All else, and every tag, stays as it is, byte for byte. */
export const html: Translate = (content, wording) =>
  Effect.map(decode(content), (page) => {
    let isContinued = false
    return encode(
      page.replace(token, (part: string, ...rest: ReadonlyArray<unknown>) => {
        const { tag, text } = rest.at(-1) as { readonly tag?: string; readonly text?: string }
        if (tag !== undefined && !inline.has(tag.toLowerCase())) isContinued = false
        if (text === undefined || isBlank(text)) return part
        const put = wording.put(text, isContinued)
        isContinued = true
        // What a glossary brings is text too.
        return text === "<" ? put : put.replaceAll("<", "&lt;")
      })
    )
  })
