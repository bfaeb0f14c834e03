import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Format from "../../src/format/Format.js"
import * as OutputPath from "../../src/format/OutputPath.js"
import type { Kind } from "./corpusKinds.js"
import { partsOf, rewriteBytes } from "./formats.js"
import type { Reader } from "./readers.js"

/** What the check of a file found. */
export interface Finding {
  readonly units: number
  /** Whether the file comes out byte for byte if all units stay: its header may be written for the language. */
  readonly identical: boolean
  /** Whether it does if all units are written with their own texts. */
  readonly writtenAnew: boolean
  /** Why it is not right, if it is not. */
  readonly faults: ReadonlyArray<string>
  /** The file with translations that can be told from the texts. */
  readonly translated: Uint8Array
  /** Why another parser could not open the file as it was. */
  readonly unread: string | undefined
}

/** The language that a path names last. */
export const languageOf = (path: string): string => {
  const names = path
    .split(/[/.]/)
    .flatMap((name) => [
      name.replace(/^values-/, ""),
      name.replace(/^[A-Za-z]+_(?=[a-z]{2}(_[A-Z]{2})?$)/, "")
    ])
  return (
    names.map(OutputPath.fromCode).findLast((code) => code !== undefined && !/^(po|lib|res)$/.test(code)) ??
    "de"
  )
}

const pseudo = (text: string) => `\u00e9 ${text} \u00e9`

/** What a unit is to hold: where a file has no place for both, the translation is the text. */
const heldBy = (format: Format.Format, unit: Format.Unit) =>
  format.isBilingual ? unit.translation : unit.text

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** The charset that the byte order mark names. */
const charsetOf = ([first, second]: Uint8Array) =>
  first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8"

const read = (reader: Reader, bytes: Uint8Array) =>
  Either.try({
    try: () => reader(new TextDecoder(charsetOf(bytes), { ignoreBOM: true }).decode(bytes)),
    catch: (error) => String(error).split("\n")[0]!.slice(0, 200)
  })

const firstDifference = (a: ReadonlyArray<unknown>, b: ReadonlyArray<unknown>) => {
  const index = a.findIndex((value, index) => value !== b[index])
  return index === -1 ? `${a.length} and ${b.length}` : JSON.stringify([a[index], b[index]]).slice(0, 300)
}

/** Writes a file in three ways, and reads it again, also with another parser. Fails if the format refuses the file. */
export const check = (
  kind: Kind,
  path: string,
  bytes: Uint8Array
): Effect.Effect<Finding, Format.FormatError> =>
  Effect.gen(function* () {
    const file = Buffer.from(bytes).toString()
    const format = kind.format(file)
    const reader = kind.reader(file)
    const { hasLastingUnits = true, normal = (text: string) => text } = kind
    const normalAll = (texts: ReadonlyArray<string | undefined>): ReadonlyArray<string | undefined> => {
      const all = texts.map((text) => (text === undefined ? undefined : normal(text)))
      return hasLastingUnits ? all : [all.join("")]
    }
    const own = kind.language?.(file)
    const language = own ?? languageOf(path)
    const options = { targetLang: language, sourceLang: format.isBilingual ? "en" : language }
    const parts = yield* partsOf(format, bytes, { ...options, file: path })
    const units = parts.flatMap((part) => part.units)
    const faults: Array<string> = []
    const written = (way: string, translate: (unit: Format.Unit) => string | undefined) =>
      rewriteBytes(format, bytes, translate, options).pipe(
        Effect.catchAll(({ key, message }) => {
          faults.push(`${way}: ${key}: ${message}`)
          return Effect.succeed(bytes)
        }),
        Effect.map((file) => Buffer.from(file))
      )
    const keys = units.map(({ key }) => key)
    if (new Set(keys).size < keys.length) faults.push("keys are not unique")

    const raws = Buffer.from(parts.map(({ raw }) => raw).join(""), "utf8")
    const isUtf8 = parts.every(({ encoding = "utf-8" }) => encoding === "utf-8")
    if (isUtf8 && !raws.equals(bytes)) faults.push("its parts are not the file")
    const changed = parts.find(
      (part) =>
        part.units.length > 0 &&
        Either.getOrUndefined(
          Format.write(
            part,
            part.units.map(() => undefined)
          )
        )?.raw !== part.raw
    )
    if (changed !== undefined) faults.push(`line ${changed.units[0]!.line}: is not the same untouched`)
    const same = yield* written("untouched", () => undefined)

    const anew = yield* written("written anew", heldOr(format))
    const textsAnew = (yield* partsOf(format, anew, options)).flatMap((part) => part.units)
    const before = normalAll(units.map(heldOr(format)))
    const after = normalAll(textsAnew.map((unit) => heldBy(format, unit)))
    if (!isSame(before, after)) faults.push(`written anew: ${firstDifference(before, after)}`)

    const translated = yield* written("translated", ({ text }) => pseudo(text))
    const again = (yield* partsOf(format, translated, options)).flatMap((part) => part.units)
    if (
      hasLastingUnits &&
      !isSame(
        keys,
        again.map(({ key }) => key)
      )
    ) {
      faults.push(
        `keys after translation: ${firstDifference(
          keys,
          again.map(({ key }) => key)
        )}`
      )
    }
    const wanted = normalAll(units.map(({ text }) => pseudo(text)))
    const held = normalAll(again.map((unit) => heldBy(format, unit)))
    if (!isSame(wanted, held)) faults.push(`translated: ${firstDifference(wanted, held)}`)

    const original = reader === undefined ? Either.left("no reader") : read(reader, bytes)
    if (reader !== undefined && Either.isRight(original)) {
      const reread = read(reader, translated)
      if (Either.isLeft(reread)) faults.push(`another reader: ${reread.left}`)
      else if (!isSame(original.right, reread.right)) {
        const flat = (value: unknown) =>
          Array.isArray(value) ? value.map((item) => JSON.stringify(item)) : [value]
        faults.push(`another reader: ${firstDifference(flat(original.right), flat(reread.right))}`)
      }
    }
    return {
      units: units.length,
      identical: same.equals(bytes),
      writtenAnew: Buffer.from(anew).equals(bytes),
      faults,
      translated,
      unread: reader !== undefined && Either.isLeft(original) ? original.left : undefined
    }
  })

/** The translation that a bilingual file has, or else its text. */
const heldOr = (format: Format.Format) => (unit: Format.Unit) => heldBy(format, unit) ?? unit.text
