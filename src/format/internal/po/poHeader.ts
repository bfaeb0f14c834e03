import * as Either from "effect/Either"
import type { DecodeOptions, Problem } from "../../Format.js"
import * as charset from "../charset.js"
import { isNameOf, isSameLanguage } from "../languageTag.js"
import { type PluralForms, parsePluralForms, pluralFormsOf } from "../plurals/pluralForms.js"

const field = (header: string, name: string): string | undefined =>
  new RegExp(`^${name}:[ \\t]*(.*)$`, "im").exec(header)?.[1]?.trim()

const charsetOf = (header: string): string | undefined =>
  /^Content-Type:.*charset=[ \t]*([^\s;]*)/im.exec(header)?.[1]?.toLowerCase()

const utf8Names: ReadonlySet<string | undefined> = new Set([undefined, "", "charset", "utf-8", "utf8"])
const asciiNames: ReadonlySet<string | undefined> = new Set(["ascii", "us-ascii", "ansi_x3.4-1968"])
/** Where a header ends is known only when it is read, which needs its charset. */
const headerLength = 64 * 1024

/** The text of a PO file, in the charset that its header names. */
export const decodeText = (bytes: Uint8Array): Either.Either<charset.Decoded, Problem> => {
  const head = charset.latin1(bytes.subarray(0, headerLength)).text
  const contentType = /"Content-Type:[^"]*charset=([^\s;"\\]*)/i.exec(head)
  const name = contentType?.[1]?.toLowerCase()
  if (utf8Names.has(name) || asciiNames.has(name)) return charset.utf8(bytes)
  return (
    charset.singleByte(name ?? "")?.(bytes) ??
    Either.left({
      line: head.slice(0, contentType?.index).split("\n").length,
      message: `the charset ${name} is not read: convert the file with msgconv -t UTF-8.`
    })
  )
}

/** The fields of a PO file's header, and the fields that a language needs. */
export interface Header {
  readonly plurals: PluralForms
  /** The translations are those of the language. */
  readonly isOfTarget: boolean
  /** The translations are the texts themselves: the file is in the source language, and its ids may be names. */
  readonly isOfSource: boolean
  /** Only ASCII may be written. */
  readonly isAscii: boolean
  /** The header for the language; `undefined` if it is that already. */
  readonly rewritten: string | undefined
}

const setField = (header: string, name: string, value: string): string => {
  const lines = header.split("\n")
  const at = lines.findIndex((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
  const line = `${name}: ${value}`
  return at === -1
    ? `${header}${header === "" || header.endsWith("\n") ? "" : "\n"}${line}\n`
    : lines.with(at, line).join("\n")
}

/** As gettext writes it: `pt_BR`. */
const localeName = (language: string): string => language.replace(/-r(?=[A-Z]{2}$)/, "-").replaceAll("-", "_")

/** The messages that tell a template from a file of a language that names none, and texts from translations. */
export interface Messages {
  readonly hasPlurals: boolean
  readonly hasTranslations: boolean
  /** Ids are names of texts, not texts. */
  readonly hasNames: boolean
}

export const readHeader = (
  header: string | undefined,
  { sourceLang, targetLang }: Pick<DecodeOptions, "sourceLang" | "targetLang">,
  { hasNames, hasPlurals, hasTranslations }: Messages
): Header => {
  const text = header ?? ""
  const language = field(text, "Language")
  const names = language !== undefined && language !== ""
  const isOfTarget = !names || isSameLanguage(language, targetLang) || isNameOf(language, targetLang)
  const isOfSource =
    !isOfTarget &&
    hasTranslations &&
    (sourceLang === undefined ? hasNames : isSameLanguage(language, sourceLang))
  const pluralField = field(text, "Plural-Forms")
  const own = isOfTarget && pluralField !== undefined ? parsePluralForms(pluralField) : undefined
  const plurals = own ?? pluralFormsOf(targetLang)
  const charsetName = charsetOf(text)
  const isTemplate =
    !isOfTarget ||
    (language === "" && !hasTranslations) ||
    charsetName === "charset" ||
    (own === undefined && (hasPlurals || (pluralField !== undefined && !hasTranslations)))
  const isAscii = asciiNames.has(charsetName)
  if (header === undefined || !isTemplate)
    return { plurals, isOfTarget, isOfSource, isAscii, rewritten: undefined }
  const named = names && isOfTarget ? text : setField(text, "Language", localeName(targetLang))
  const withPlurals = own === undefined ? setField(named, "Plural-Forms", plurals.header) : named
  return {
    plurals,
    isOfTarget,
    isOfSource,
    isAscii: false,
    rewritten: withPlurals.replace(
      /^(Content-Type:.*charset=)(?:CHARSET|US-ASCII|ASCII|ANSI_X3\.4-1968)\b/im,
      "$1UTF-8"
    )
  }
}
