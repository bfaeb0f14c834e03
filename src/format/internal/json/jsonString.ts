/** The file's way of escaping strings. */
export interface Style {
  /** Characters above ASCII are written `\u....`: the file has some that are, and none that stands for itself. */
  readonly isAscii: boolean
  readonly isUpper: boolean
  readonly hasSlashes: boolean
  /** The characters that the file writes `\u....`. */
  readonly escaped: ReadonlySet<string>
}

const unicodeEscape = /\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|u....|.)/gs

/** Those characters of a piece of JSON that are written `\u....`, with a pair of surrogates as one. */
const escapedIn = (raw: string): ReadonlySet<string> => {
  const escapes = new Set<string>()
  for (const [escape] of raw.matchAll(unicodeEscape)) {
    if (escape.startsWith("\\u")) escapes.add(escape)
  }
  const units = (escape: string) =>
    escape
      .split("\\u")
      .slice(1)
      .map((digits) => Number.parseInt(digits, 16))
  return new Set(Array.from(escapes, (escape) => String.fromCharCode(...units(escape))))
}

const nothing: ReadonlySet<string> = new Set()
const nonAscii = /[^\u0000-\u007f]/

/** Characters above ASCII in texts, as they are or as escapes. */
export interface Characters {
  readonly plain: boolean
  readonly escaped: boolean
}

export const charactersOf = (
  text: string,
  escaped = text.includes("\\u") ? escapedIn(text) : nothing
): Characters => ({
  plain: nonAscii.test(text.startsWith("\uFEFF") ? text.slice(1) : text),
  escaped: escaped.size > 0 && Array.from(escaped).some((character) => nonAscii.test(character))
})

/** `\/`, and not the end of an escaped backslash before a slash. */
const hasEscapedSlash = (raw: string): boolean => raw.includes("\\/") && /(?:^|[^\\])(?:\\\\)*\\\//.test(raw)

const withoutEscapes: Style = { isAscii: false, isUpper: false, hasSlashes: false, escaped: nothing }

/** The style of a text, by its own characters or by those of its file. */
export const styleOf = (text: string, characters?: Characters): Style => {
  if (!text.includes("\\") && characters?.escaped !== true) return withoutEscapes
  const escaped = text.includes("\\u") ? escapedIn(text) : nothing
  const found = characters ?? charactersOf(text, escaped)
  return {
    isAscii: found.escaped && !found.plain,
    isUpper: escaped.size > 0 && isUpper(text) === true,
    hasSlashes: hasEscapedSlash(text),
    escaped
  }
}

/** `undefined` if the escapes have no letters, or both cases. */
const isUpper = (raw: string): boolean | undefined => {
  const upper = /\\u[0-9a-f]{0,3}[A-F]/.test(raw)
  const lower = /\\u[0-9A-F]{0,3}[a-f]/.test(raw)
  return upper === lower ? undefined : upper
}

const unicode = (character: string, upper: boolean): string => {
  let escape = ""
  for (let i = 0; i < character.length; i++) {
    const digits = character.charCodeAt(i).toString(16).padStart(4, "0")
    escape += `\\u${upper ? digits.toUpperCase() : digits}`
  }
  return escape
}

/** A text as a string of JSON with its quotes, escaped as the string `before`, and else as the rest of the file. */
export const write = (text: string, before: string, style: Style): string => {
  const plain = JSON.stringify(text)
  if (style === withoutEscapes) return plain
  const slashes = before.includes("/") ? hasEscapedSlash(before) : style.hasSlashes
  if (!style.isAscii && style.escaped.size === 0) return slashes ? plain.replaceAll("/", "\\/") : plain
  const written = new Map<string, string>()
  const writeCharacter = escaper(before.slice(1, -1), style, slashes)
  let result = '"'
  for (const character of text) {
    const known = written.get(character) ?? writeCharacter(character)
    written.set(character, known)
    result += known
  }
  return `${result}"`
}

/** Returns a function that writes a character as the string `inner` does. */
const escaper = (inner: string, style: Style, slashes: boolean): ((character: string) => string) => {
  const own = inner.includes("\\u") ? escapedIn(inner) : nothing
  const upper = isUpper(inner) ?? style.isUpper
  return (character) =>
    own.has(character) ||
    (style.isAscii && character > "\u007f") ||
    (style.escaped.has(character) && !inner.includes(character))
      ? unicode(character, upper)
      : character === "/" && slashes
        ? "\\/"
        : JSON.stringify(character).slice(1, -1)
}
