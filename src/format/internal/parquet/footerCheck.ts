/** Checks that a footer is consistent: its fields are of their types, and rows, columns and places fit together and the file. */
import { type Chunk, chunkOf, type Footer, type Leaf } from "./footer.js"
import * as thrift from "./thrift.js"

/** The values that a field may hold. Its bytes are read, which fails behind their end, and at those that are none of a text. */
interface Kind {
  readonly types: ReadonlyArray<number>
  readonly isIn: (bytes: Uint8Array) => boolean
}

type Fields = ReadonlyArray<thrift.Field>

const { types } = thrift

const integerOf = (type: number, least: number, greatest: number): Kind => ({
  types: [type],
  isIn: (bytes) => {
    const value = thrift.integerOf(bytes)
    return value >= least && value <= greatest
  }
})

const signed = (type: number, bound: number): Kind => integerOf(type, -bound, bound - 1)
const i16 = signed(types.i16, 2 ** 15)
const i32 = signed(types.i32, 2 ** 31)
const i64 = signed(types.i64, Number.MAX_SAFE_INTEGER)
const count = integerOf(types.i64, 0, Number.MAX_SAFE_INTEGER)
const oneOf = (values: number): Kind => integerOf(types.i32, 0, values - 1)

const any = (...types: ReadonlyArray<number>): Kind => ({ types, isIn: () => true })
const bool = any(types.true, types.false)
const double = any(types.double)
const bytes = any(types.binary)

const decoder = new TextDecoder("utf-8", { fatal: true })
const textOf = (bytes: Uint8Array): string => decoder.decode(thrift.binaryOf(bytes))
const text: Kind = { types: [types.binary], isIn: (bytes) => textOf(bytes).length >= 0 }

const integers: ReadonlyArray<number> = [types.i16, types.i32, types.i64]

const listOf = (kind: Kind): Kind => ({
  types: [types.list],
  isIn: (bytes) => {
    const { items, type } = thrift.listOf(bytes)
    const [expected] = kind.types
    // Some programs write integers of another size there, which take the same bytes.
    const isOfType = kind.types.includes(type) || [expected!, type].every((each) => integers.includes(each))
    return items.length === 0 || (isOfType && items.every(kind.isIn))
  }
})

/** The kinds of fields by their ids; another field passes. */
type Kinds = Readonly<Record<number, Kind>>

const areOf = (kinds: Kinds, needed: ReadonlyArray<number>, fields: Fields): boolean =>
  new Set(fields.map(({ id }) => id)).size === fields.length &&
  needed.every((id) => fields.some((field) => field.id === id)) &&
  fields.every(({ bytes, id, type }) => {
    const kind = kinds[id]
    return kind === undefined ? id > 0 : kind.types.includes(type) && kind.isIn(bytes)
  })

const structOf = (kinds: Kinds, ...needed: ReadonlyArray<number>): Kind => ({
  types: [types.struct],
  isIn: (bytes) => areOf(kinds, needed, thrift.fieldsOf(bytes))
})

const union: Kind = { types: [types.struct], isIn: (bytes) => thrift.fieldsOf(bytes).length === 1 }

/** The structs of `parquet.thrift`. */
const type = oneOf(8)
const encoding = oneOf(10)
const pageType = oneOf(4)
const keyValue = structOf({ 1: text, 2: text }, 1)

const statistics = structOf({
  1: bytes,
  2: bytes,
  3: count,
  4: count,
  5: bytes,
  6: bytes,
  7: bool,
  8: bool,
  9: count
})

const box = structOf(
  { 1: double, 2: double, 3: double, 4: double, 5: double, 6: double, 7: double, 8: double },
  1,
  2,
  3,
  4
)

const column = structOf(
  {
    1: type,
    2: listOf(encoding),
    3: listOf(text),
    4: oneOf(8),
    5: count,
    6: count,
    7: count,
    8: listOf(keyValue),
    9: count,
    10: count,
    11: count,
    12: statistics,
    13: listOf(structOf({ 1: pageType, 2: encoding, 3: i32 }, 1, 2, 3)),
    14: count,
    17: structOf({ 1: box, 2: listOf(i32) })
  },
  1,
  2,
  3,
  4,
  5,
  6,
  7,
  9
)

const chunk = structOf({ 1: text, 2: i64, 3: column, 4: count, 5: i32, 6: count, 7: i32, 9: bytes }, 2, 3)

const group = structOf(
  {
    1: listOf(chunk),
    2: i64,
    3: count,
    4: listOf(structOf({ 1: i32, 2: bool, 3: bool }, 1, 2, 3)),
    5: i64,
    6: i64,
    7: i16
  },
  1,
  2,
  3
)

const element = structOf(
  { 1: type, 2: i32, 3: oneOf(3), 4: text, 5: i32, 6: oneOf(22), 7: i32, 8: i32, 9: i32, 10: union },
  4
)

/** The types of which the values of a converted type are, both by their numbers; none for a column that is made of others. */
const bytesOnly = [6]
const int32 = [1]
const int64 = [2]
const made = [undefined]
const storedAs: ReadonlyArray<ReadonlyArray<number | undefined>> = [
  bytesOnly,
  made,
  made,
  made,
  bytesOnly,
  [1, 2, 6, 7],
  int32,
  int32,
  int64,
  int64,
  int64,
  int32,
  int32,
  int32,
  int64,
  int32,
  int32,
  int32,
  int64,
  bytesOnly,
  bytesOnly,
  [7]
]

const footerKinds: Kinds = {
  1: i32,
  2: listOf(element),
  3: count,
  4: listOf(group),
  5: listOf(keyValue),
  6: text,
  7: listOf(union),
  9: bytes
}

/** A piece of the file, from its first byte up to, but not including, `end`. */
interface Range {
  readonly start: number
  readonly end: number
}

const integer = (fields: Fields, id: number): number | undefined => {
  const field = fields.find((field) => field.id === id)
  // Some programs have written something else there before the format had it.
  return field !== undefined && integers.includes(field.type) ? thrift.integerOf(field.bytes) : undefined
}

const rangeOf = (start: number | undefined, length: number | undefined): ReadonlyArray<Range> =>
  start === undefined ? [] : [{ start, end: start + (length ?? 0) }]

/** Where the pages, indexes and filters of a column are. */
const rangesOf = (chunk: Fields, column: Fields, pages: Chunk): ReadonlyArray<Range> => [
  ...(pages.values === 0 ? [] : [pages]),
  ...rangeOf(integer(chunk, 4), integer(chunk, 5)),
  ...rangeOf(integer(chunk, 6), integer(chunk, 7)),
  ...rangeOf(integer(column, 14), integer(column, 15))
]

const pathOf = (column: Fields): ReadonlyArray<string> =>
  thrift.listOf(thrift.get(column, 3)!).items.map(textOf)

/** The bytes that a value takes, by the number of its type. */
const sizes = [1, 4, 8, 12, 4, 8]

/** The least and the greatest value have the size of their type. */
const isOfType = (column: Fields, type: number): boolean => {
  const found = thrift.get(column, 12)
  const size = sizes[type]
  return (
    found === undefined ||
    size === undefined ||
    thrift
      .fieldsOf(found)
      .every(({ bytes, id }) => ![1, 2, 5, 6].includes(id) || thrift.binaryOf(bytes).length === size)
  )
}

/** A row group says of a column the type and the path of the schema, and a value for each row. */
const isOfLeaf = (
  column: Fields,
  { isRepeated, path, type }: Leaf,
  { values }: Chunk,
  rows: number
): boolean =>
  type !== undefined &&
  integer(column, 1) === type &&
  isOfType(column, type) &&
  pathOf(column).join("\0") === path.join("\0") &&
  (isRepeated ? values >= rows : values === rows)

const damaged = "the file is damaged."

const areStored = (fields: Fields): boolean =>
  thrift.listOf(thrift.get(fields, 2)!).items.every((item) => {
    const element = thrift.fieldsOf(item)
    const converted = integer(element, 6)
    return converted === undefined || storedAs[converted]!.includes(integer(element, 1))
  })

const isInOrder = (ranges: ReadonlyArray<Range>, from: number, end: number): boolean =>
  ranges.every(
    (range, index) =>
      range.start >= (ranges[index - 1]?.end ?? from) && range.end >= range.start && range.end <= end
  )

/** The problem of a footer whose file has the bytes from `from` up to `end` for pages, indexes and filters. */
export const problemOf = (footer: Footer, from: number, end: number): string | undefined => {
  const { fields, groups, isWhole, leaves } = footer
  if (!isWhole || !areOf(footerKinds, [1, 2, 3, 4], fields) || !areStored(fields))
    return "its footer can't be read: it is damaged."
  const rows = groups.reduce((sum, group) => sum + group.rows, 0)
  // Some programs do not count them there.
  if (![0, rows].includes(integer(fields, 3)!))
    return `its footer counts other rows than its row groups: ${damaged}`
  const ranges: Array<Range> = []
  for (const [index, group] of groups.entries()) {
    const place = `row group ${index + 1}`
    const chunks = thrift.listOf(thrift.get(thrift.fieldsOf(group.bytes), 1)!).items.map(thrift.fieldsOf)
    if (chunks.length !== leaves.length) return `${place} has other columns than the file: ${damaged}`
    for (const [leaf, chunk] of chunks.entries()) {
      const pages = chunkOf(chunk)
      if (pages === undefined) continue
      const column = thrift.fieldsOf(thrift.get(chunk, 3)!)
      if (!isOfLeaf(column, leaves[leaf]!, pages, group.rows))
        return `${place} does not have the columns or the rows of the file: ${damaged}`
      ranges.push(...rangesOf(chunk, column, pages))
    }
  }
  ranges.sort((first, second) => first.start - second.start || first.end - second.end)
  return isInOrder(ranges, from, end) ? undefined : `pages of it are not where they should be: ${damaged}`
}
