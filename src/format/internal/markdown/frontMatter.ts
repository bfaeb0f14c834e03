import * as Option from "effect/Option"

/** A value of the front matter. */
export interface FrontMatterField {
  readonly name: string
  readonly text: string
  /** Where its value begins, quotes included. */
  readonly start: number
  readonly end: number
  readonly line: number
  readonly quote: "" | "'" | '"'
}

const field = /^([\w.-]+):[ \t]+(.*)$/
const doubleQuoted = /^"(?:[^"\\]|\\.)*"(?=[ \t]*(?:#.*)?$)/
const singleQuoted = /^'(?:[^']|'')*'(?=[ \t]*(?:#.*)?$)/

const parseJson = Option.liftThrowable((text: string): unknown => JSON.parse(text))

const unquote = (raw: string): Option.Option<string> =>
  raw.startsWith('"')
    ? Option.filter(parseJson(raw), (value) => typeof value === "string")
    : Option.some(raw.slice(1, -1).replaceAll("''", "'"))

/** A plain scalar ends before a comment. Those that YAML reads as something else than a text are none. */
const plain = (value: string): string | undefined => {
  const raw = value.replace(/(?<![ \t])[ \t]+#.*$/, "").trimEnd()
  return raw === "" || /^[[\]{}&*!|>%@`#,"']|^[-?:](?:[ \t]|$)|:[ \t]|:$/.test(raw) ? undefined : raw
}

const read = (value: string): Option.Option<{ readonly raw: string; readonly text: string }> => {
  const quoted = doubleQuoted.exec(value)?.[0] ?? singleQuoted.exec(value)?.[0]
  if (quoted !== undefined) return Option.map(unquote(quoted), (text) => ({ raw: quoted, text }))
  return Option.map(Option.fromNullable(plain(value)), (raw) => ({ raw, text: raw }))
}

/**
 * The fields of YAML front matter, by a scanner of lines: `name: value` without indentation, with the value on the line, plain
 * or in quotes.
 */
export const frontMatterFields = (
  yaml: string,
  offset: number,
  names: ReadonlyArray<string>
): ReadonlyArray<FrontMatterField> => {
  const fields = new Map<string, FrontMatterField>()
  const lines = [...yaml.matchAll(/([^\r\n]*)(\r\n?|\n|$)/g)]
  lines.forEach(({ 1: content, index }, position) => {
    const [, name, value] = field.exec(content!) ?? []
    const goesOn = /^[ \t]+\S/.test(lines[position + 1]?.[1] ?? "")
    if (name === undefined || value === undefined || goesOn || fields.has(name) || !names.includes(name))
      return
    Option.map(read(value), ({ raw, text }) => {
      const start = offset + index + content!.length - value.length
      if (/\p{L}/u.test(text)) {
        const quote = raw.startsWith('"') ? '"' : raw.startsWith("'") ? "'" : ""
        fields.set(name, { name, text, start, end: start + raw.length, line: position + 1, quote })
      }
    })
  })
  return [...fields.values()]
}

const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/
const otherTypes = /^(?:true|false|yes|no|on|off|y|n|null|~|[-+]?[.\d][\d._eExXob:+-]*|\.nan|[-+]?\.inf)$/i

const escapeDouble = (text: string): string =>
  JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

/** A value as YAML, in the quotes that it had if they can hold it. */
export const writeScalar = (text: string, quote: FrontMatterField["quote"]): string =>
  quote === '"' || controls.test(text)
    ? escapeDouble(text)
    : quote === "'"
      ? `'${text.replaceAll("'", "''")}'`
      : plain(text) === text && text.trim() === text && !otherTypes.test(text)
        ? text
        : escapeDouble(text)
