import * as Arr from "effect/Array"
import * as Either from "effect/Either"
import { isBlank } from "../../../internal/texts.js"
import * as Format from "../../Format.js"
import type { Encoding } from "../charset.js"
import * as columnNames from "../columnNames.js"
import { isTold } from "../parts.js"
import type { Batch, Transducer } from "../transducer.js"
import * as csvDecoder from "./csvDecoder.js"
import { duplicateColumn } from "./csvParser.js"
import { type Fault, findDelimiter, makeRows, type Row } from "./csvRows.js"

export interface FormatOptions {
  /** The columns to translate. */
  readonly columns: ReadonlyArray<string>
  readonly delimiter: string | undefined
  /** @default UTF-16 by its mark, or else UTF-8 */
  readonly encoding: Encoding | undefined
  /** The column for the translations of a column; itself if they take its place. */
  readonly outputColumnOf: (column: string) => string
  /** Names the file in errors. */
  readonly file: string | undefined
  /** A record with other than all fields passes. */
  readonly skipsBadLines: boolean
  /** Other files may have the columns that this one lacks. */
  readonly isOneOfSeveral: boolean | undefined
  /** True if records have an `id`: of the columns of `key`, or else of those that are not translated. */
  readonly hasIds: boolean
  readonly key: ReadonlyArray<string> | undefined
}

/** A column to translate, by its place, and the place of its translation. */
interface Selected {
  readonly name: string
  readonly from: number
  /** Behind the last column of the file for a new one. */
  readonly to: number
}

interface Layout {
  readonly delimiter: string
  readonly width: number
  readonly selected: ReadonlyArray<Selected>
  /** The columns of the file from which new ones come. */
  readonly added: ReadonlyArray<number>
  /** The columns of an `id`. @default records have none */
  readonly identity: ReadonlyArray<number> | undefined
  readonly selection: Format.Selection
}

const quoted = (value: string): string => `"${value.replaceAll('"', '""')}"`

/** Characters for which Papa Parse writes quotes as well. */
const special = /["\r\n\uFEFF]|^ | $/

const toField = (value: string, delimiter: string, isQuoted: boolean): string =>
  isQuoted || delimiter.length > 1 || special.test(value) || value.includes(delimiter) ? quoted(value) : value

/** Where the fields of a row begin, and where they end; Papa Parse does not say it. */
const locate = (raw: string, fields: ReadonlyArray<string>, delimiter: string): ReadonlyArray<number> => {
  const bounds: Array<number> = []
  let at = 0
  for (const field of fields) {
    let length = field.length
    if (raw[at] === '"') {
      length += 2
      for (let quote = field.indexOf('"'); quote !== -1; quote = field.indexOf('"', quote + 1)) length++
    }
    bounds.push(at, at + length)
    // There may be whitespace behind a closing quote.
    at = raw.indexOf(delimiter, at + length) + delimiter.length
  }
  return bounds
}

/** The values of columns, each at its place. */
type Values = ReadonlyArray<{ readonly value: string; readonly like: number } | undefined>

/** The row with other values in some of its columns and with new columns behind its last one. */
const rewrite = (raw: string, fields: ReadonlyArray<string>, layout: Layout, values: Values): string => {
  const { delimiter, width } = layout
  const bounds = locate(raw, fields, delimiter)
  const isQuoted = (column: number) => raw[bounds[column * 2]!] === '"'
  const write = (value: string, like: number) => toField(value, delimiter, isQuoted(like))
  let text = ""
  let end = 0
  for (let column = 0; column < width && column < values.length; column++) {
    const written = values[column]
    if (written === undefined) continue
    const { like, value } = written
    // A line that holds nothing but an empty field would be a blank one.
    const field = value === "" && width + layout.added.length === 1 ? '""' : write(value, like)
    text += raw.slice(end, bounds[column * 2]!) + field
    end = bounds[column * 2 + 1]!
  }
  const last = bounds[width * 2 - 1]!
  text += raw.slice(end, last)
  layout.added.forEach((like, index) => {
    text += delimiter + write(values[width + index]?.value ?? "", like)
  })
  return text + raw.slice(last)
}

const isEmpty = (field: string | undefined): boolean => field === undefined || field === ""

const toPart = ({ end, fields, line, start, text }: Row, row: number, layout: Layout): Format.Part => {
  const raw = text.slice(start, end)
  const { selected } = layout
  const hasAll = selected.every(({ from }) => !isBlank(fields[from]!))
  const places = hasAll ? selected : selected.filter(({ from }) => !isBlank(fields[from]!))
  const units = places.map(({ from, name, to }): Format.Unit => {
    const key = `${row}:${name}`
    const translation = to === from ? "" : (fields[to] ?? "")
    return isBlank(translation)
      ? { key, text: fields[from]!, line, state: "missing" }
      : { key, text: fields[from]!, line, state: "translated", translation }
  })
  const id = layout.identity && JSON.stringify(layout.identity.map((column) => fields[column]))
  if (units.length === 0 && layout.added.length === 0)
    return id === undefined ? { raw, units } : { raw, units, id }
  return {
    raw,
    units,
    ...(id === undefined ? undefined : { id }),
    write: (translations) => {
      const values: Array<Values[number]> = []
      for (let index = 0; index < places.length; index++) {
        const value = translations[index]
        const { from, to } = places[index]!
        if (value !== undefined) values[to] = { value, like: isEmpty(fields[to]) ? from : to }
      }
      return Either.right(
        values.length === 0 && layout.added.length === 0 ? raw : rewrite(raw, fields, layout, values)
      )
    }
  }
}

/** The columns of an `id`; none if none is asked for. */
const identityOf = (
  names: ReadonlyArray<string>,
  selected: ReadonlyArray<Selected>,
  { hasIds, key }: FormatOptions
): Either.Either<ReadonlyArray<number> | undefined, Omit<Fault, "line">> => {
  if (!hasIds) return Either.right(undefined)
  const lacking = key?.find((name) => !names.includes(name))
  if (lacking !== undefined) {
    return Either.left({
      message: `the header has no column ${JSON.stringify(lacking)}, which is to tell records apart, but ${columnNames.list(names)}: correct \`key\`.`
    })
  }
  const isTranslated = (column: number) => selected.some(({ from, to }) => from === column || to === column)
  return Either.right(
    key?.map((name) => names.indexOf(name)) ??
      Array.from(names.keys()).filter((column) => !isTranslated(column))
  )
}

/** Where the columns are, or which is at fault. */
const toLayout = (
  names: ReadonlyArray<string>,
  delimiter: string,
  options: FormatOptions
): Either.Either<Layout & { readonly names: ReadonlyArray<string> }, Omit<Fault, "line">> => {
  const { columns, isOneOfSeveral, outputColumnOf } = options
  const selected: Array<Selected> = []
  const added: Array<number> = []
  const addedNames: Array<string> = []
  if (columns.length === 0) {
    return Either.left(columnNames.noneChosen(names))
  }
  const known = columnNames.list(names)
  const [lacks, found] = Arr.partition(columns, (name) => names.includes(name))
  if (found.length === 0 || (lacks.length > 0 && isOneOfSeveral !== true)) {
    const [name] = lacks
    return Either.left({
      choice: { option: "columns", value: name!, known },
      message: `the header, with the delimiter ${JSON.stringify(delimiter)}, has no column ${JSON.stringify(name)}, but ${known}: correct \`columns\`.`
    })
  }
  for (const name of found) {
    const target = outputColumnOf(name)
    const from = names.indexOf(name)
    const twice = [name, target].find((column) => names.indexOf(column) !== names.lastIndexOf(column))
    if (twice !== undefined) return Either.left(duplicateColumn(twice))
    const existing = names.indexOf(target)
    const isTaken =
      selected.some(({ from: source, to }) => to === existing || source === existing) ||
      addedNames.includes(target) ||
      selected.some(({ to }) => to === from)
    if (isTaken) {
      return Either.left({
        message: `\`outputColumn\` gives ${JSON.stringify(name)} the column ${JSON.stringify(target)}, which is in use: give each column one of its own.`
      })
    }
    selected.push({ name, from, to: existing === -1 ? names.length + added.length : existing })
    if (existing === -1) {
      added.push(from)
      addedNames.push(target)
    }
  }
  const selection = { option: "columns", found, lacks, known, absent: 0, noTexts: 0, keys: [] } as const
  return Either.map(identityOf(names, selected, options), (identity) => ({
    delimiter,
    width: names.length,
    selected,
    added,
    identity,
    names: addedNames,
    selection
  }))
}

/** Bytes to parts: the header, each record, and the text between them. */
export const makePartReader = (
  options: FormatOptions
): Transducer<Uint8Array, Batch<Format.Part, Format.Problem>> => {
  let layout: Layout | undefined
  let row = 0
  let parts: Array<Format.Part> = []
  const decoder = csvDecoder.make(options.encoding)
  return makeRows<Batch<Format.Part, Format.Problem>>(
    {
      delimiter: options.delimiter ?? findDelimiter(options.columns),
      onHeader: ({ end, fields, start, text }, delimiter) =>
        Either.match(toLayout(fields, delimiter, options), {
          onLeft: (problem) => problem,
          onRight: ({ names, ...found }) => {
            layout = found
            const raw = text.slice(start, end)
            const values: Array<Values[number]> = []
            names.forEach((value, index) => {
              values[found.width + index] = { value, like: 0 }
            })
            const written = names.length === 0 ? raw : rewrite(raw, fields, found, values)
            parts.push({
              raw,
              units: [],
              ...(names.length === 0 ? undefined : { write: () => Either.right(written) }),
              ...(isTold(found.selection) ? { selection: found.selection } : undefined)
            })
            return undefined
          }
        }),
      onMark: (raw) => {
        parts.push({ raw, units: [] })
      },
      onRow: (record) => {
        parts.push(toPart(record, ++row, layout!))
      },
      ...(options.skipsBadLines
        ? {
            onBadRow: ({ end, line, start, text }: Row, message: string) => {
              row++
              const problem = Format.formatError("csv", options.file, { line, message })
              parts.push({ raw: text.slice(start, end), units: [], problem })
            }
          }
        : undefined),
      onBlank: (raw) => {
        parts.push({ raw, units: [] })
      },
      flush: (fault) => {
        const flushed = parts
        parts = []
        const encoding = decoder.encoding()
        const values = encoding === "utf-8" ? flushed : flushed.map((part) => ({ ...part, encoding }))
        return {
          values,
          problem: fault && { line: fault.line, message: fault.message, choice: fault.choice }
        }
      }
    },
    decoder
  )
}
