/** The number of first bytes that are looked at: a pdf may begin after some others. */
export const headBytes = 1024

const begins =
  (...magic: ReadonlyArray<number>) =>
  (head: Uint8Array): boolean =>
    magic.every((byte, index) => head[index] === byte)

const textOf = (head: Uint8Array): string => new TextDecoder().decode(head).trimStart()

const isHtml = (head: Uint8Array): boolean => /^<(!doctype html|html)\b/i.test(textOf(head))

/** Text of 16-bit units has a mark at its beginning. */
const isWide = (head: Uint8Array): boolean => begins(0xff, 0xfe)(head) || begins(0xfe, 0xff)(head)

const isArchive = begins(0x50, 0x4b)
const isPdf = (head: Uint8Array): boolean => textOf(head).includes("%PDF-")
const isImage = (head: Uint8Array): boolean =>
  begins(0x89, 0x50, 0x4e, 0x47)(head) || begins(0xff, 0xd8, 0xff)(head)
const isXml = (head: Uint8Array): boolean => isWide(head) || (textOf(head).startsWith("<") && !isHtml(head))

/** Returns `true` if first bytes may be those of a type. A type that is not here, such as a text, may begin with anything. */
const beginnings: { readonly [type: string]: (head: Uint8Array) => boolean } = {
  docx: isArchive,
  pptx: isArchive,
  xlsx: isArchive,
  pdf: isPdf,
  jpeg: isImage,
  jpg: isImage,
  png: isImage,
  xlf: isXml,
  xliff: isXml,
  tmx: isXml,
  srt: (head) => !isHtml(head)
}

/**
 * True if an answer may be a document of a type (an extension; `undefined` if it is not known). No document is JSON.
 * Some servers call everything JSON, so its first byte counts too.
 */
export const isPossible = (
  type: string | undefined,
  contentType: string | undefined,
  head: Uint8Array
): boolean => {
  if (head.length === 0) return false
  if (/^application\/([\w.-]+\+)?json\b/i.test(contentType ?? "") && /^["[{]/.test(textOf(head))) return false
  if (type === undefined) return true
  const isHtmlType = /^(text\/html|application\/xhtml\+xml)\b/i.test(contentType ?? "")
  if (isHtmlType && type !== "html" && type !== "htm") return false
  return beginnings[type]?.(head) ?? true
}
