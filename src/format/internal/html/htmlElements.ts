import type { HtmlToken } from "./htmlTokens.js"

const names = (list: string): ReadonlySet<string> => new Set(list.split(" "))

/** Elements that have no end tag. */
export const voids = names("area base br col embed hr img input link meta param source track wbr")

/** Elements that end a text before them. All others stand inside a text. */
export const blocks = names(
  "address article aside base blockquote body button canvas caption center col colgroup datalist dd details dialog dir div dl dt " +
    "fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe label legend li link " +
    "listing main menu meta nav noframes noscript object ol optgroup option p param plaintext pre progress search section select " +
    "summary table tbody td template textarea tfoot th thead title tr ul video audio xmp"
)

const untranslated = names(
  "code iframe kbd listing math noembed noframes plaintext pre samp script style svg textarea var xmp"
)

const hidden = names("iframe noembed noframes script style svg template")

/** The tags in place of pieces that are not translated; a document that has such tags keeps those as well. */
export const keptTag = /^x\d+$/

const attributeOf = (token: HtmlToken, name: string): string | undefined =>
  token.attributes.find((attribute) => attribute.name === name)?.value

/** True if the document marks an element as not to be translated. */
export const isMarked = (token: HtmlToken): boolean =>
  token.attributes.length > 0 &&
  (attributeOf(token, "translate")?.toLowerCase() === "no" ||
    /(?:^|\s)notranslate(?:\s|$)/.test(attributeOf(token, "class") ?? ""))

/** True if an element stays as it is, with all its content. */
export const isKept = (token: HtmlToken): boolean =>
  untranslated.has(token.name) || keptTag.test(token.name) || isMarked(token)

/** True if a kept element shows no text of its sentence. */
export const isHidden = (token: HtmlToken): boolean => hidden.has(token.name)

const textAttributes = names("alt aria-description aria-label label placeholder title")

const metaNames = names(
  "description keywords og:description og:image:alt og:title twitter:description twitter:image:alt twitter:title"
)

const buttons = names("button reset submit")

/** True if people read the value of an attribute. */
export const isTextAttribute = (token: HtmlToken, name: string): boolean => {
  if (textAttributes.has(name)) return true
  if (name === "content" && token.name === "meta") {
    return metaNames.has((attributeOf(token, "name") ?? attributeOf(token, "property") ?? "").toLowerCase())
  }
  return (
    name === "value" &&
    token.name === "input" &&
    buttons.has((attributeOf(token, "type") ?? "").toLowerCase())
  )
}

const cells = names("td th")
const rows = names("td th tr")
const paragraph = names("p")

const endedBy = new Map<string, ReadonlySet<string>>([
  ["li", names("p li")],
  ["dt", names("p dt dd")],
  ["dd", names("p dt dd")],
  ["td", cells],
  ["th", cells],
  ["tr", rows],
  ["thead", names("td th tr thead tbody tfoot")],
  ["tbody", names("td th tr thead tbody tfoot colgroup caption")],
  ["tfoot", names("td th tr thead tbody tfoot")],
  ["option", names("option")],
  ["optgroup", names("option optgroup")],
  ["rt", names("rt rp")],
  ["rp", names("rt rp")]
])

const insideParagraphs = names(
  "audio button canvas datalist iframe label link meta noscript object option optgroup progress select template textarea video"
)

const none: ReadonlySet<string> = new Set()

/** The elements that need no end tag before such an element. */
export const endedByStart = (name: string): ReadonlySet<string> =>
  endedBy.get(name) ?? (blocks.has(name) && !insideParagraphs.has(name) ? paragraph : none)

const letterEntity = /&[A-Za-z]{1,2}(?:acute|caron|cedil|circ|grave|lig|ring|slash|tilde|uml);/

/** True if a text of HTML has a letter or a digit. */
export const hasLetters = (text: string): boolean =>
  text.includes("&")
    ? letterEntity.test(text) ||
      /[\p{L}\p{N}]/u.test(unescapeNumbers(text).replace(/&[A-Za-z][A-Za-z0-9]*;/g, ""))
    : /[\p{L}\p{N}]/u.test(text)

/** True if nothing of a text of HTML can be seen. */
export const isBlank = (text: string): boolean =>
  !/\S/.test(text.includes("&") ? text.replace(/&(?:nbsp|ensp|emsp|thinsp|#160|#x[aA]0);/g, "") : text)

const unescapeNumbers = (text: string): string =>
  text.replace(/&#(?:x([\dA-Fa-f]{1,6})|(\d{1,7}));?/g, (_, hex: string | undefined, decimal: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : ""
  })
