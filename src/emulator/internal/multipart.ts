/** A part of a multipart body. */
export interface Part {
  readonly name: string
  /** The name of the file, if the part is one and names it. */
  readonly fileName: string | undefined
  /** A view of the body. */
  readonly content: Uint8Array
}

const lineBreak = "\r\n"

/** Undoes the escapes of names: those of browsers, and those of other programs. */
const unescape = (name: string): string =>
  name
    .replace(/%22|\\"/g, '"')
    .replace(/%0D/gi, "\r")
    .replace(/%0A/gi, "\n")

const parameter = (header: string, name: string): string | undefined => {
  const found = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]+))`, "i").exec(header)
  return found === null ? undefined : unescape(found[1] ?? found[2]!)
}

const partOf = (header: string, content: Uint8Array): Part | undefined => {
  const disposition = /^content-disposition:\s*form-data(;.*)$/im.exec(header)?.[1] ?? ""
  const name = parameter(disposition, "name")
  return name === undefined ? undefined : { name, fileName: parameter(disposition, "filename"), content }
}

/** The boundary that a content type names. */
export const boundaryOf = (contentType: string): string | undefined => parameter(contentType, "boundary")

/** The parts of a body, as views without a copy; `undefined` if the body is not well-formed. */
export const parse = (body: Uint8Array, boundary: string): ReadonlyArray<Part> | undefined => {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const delimiter = `${lineBreak}--${boundary}`
  const parts: Array<Part> = []
  // The first delimiter may be at the very start.
  let at = bytes.indexOf(delimiter.slice(lineBreak.length))
  if (at < 0) return undefined
  at += delimiter.length - lineBreak.length
  while (bytes.toString("latin1", at, at + 2) !== "--") {
    const headerEnd = bytes.indexOf(`${lineBreak}${lineBreak}`, at)
    const start = headerEnd + 2 * lineBreak.length
    const end = headerEnd < 0 ? -1 : bytes.indexOf(delimiter, start)
    if (end < 0) return undefined
    const part = partOf(bytes.toString("utf8", at, headerEnd), body.subarray(start, end))
    if (part === undefined) return undefined
    parts.push(part)
    at = end + delimiter.length
  }
  return parts
}
