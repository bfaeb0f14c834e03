/**
 * Thrift's compact protocol, one level at a time: fields that nobody reads stay bytes. Decoding the whole footer would
 * lose integer widths and unknown fields.
 */
import { concat } from "../../../internal/bytes.js"

/** The protocol's numbers of types. In a struct, a boolean is the type of its field and takes no bytes. */
export const types = {
  true: 1,
  false: 2,
  i8: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  struct: 12
} as const

/** A field of a struct. */
export interface Field {
  readonly id: number
  readonly type: number
  readonly bytes: Uint8Array
}

export interface List {
  readonly type: number
  readonly items: ReadonlyArray<Uint8Array>
}

interface Cursor {
  readonly view: DataView
  at: number
}

const cursorOf = (bytes: Uint8Array): Cursor => ({
  view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  at: 0
})

/** Reads a byte. It fails behind the end, and so does all that reads by it. */
const byte = (cursor: Cursor): number => cursor.view.getUint8(cursor.at++)

const upper = (head: number): number => head >> 4

const lower = (head: number): number => head & 0x0f

const varint = (cursor: Cursor): number => {
  let value = 0
  let scale = 1
  for (;;) {
    const next = byte(cursor)
    value += (next & 0x7f) * scale
    if (next < 0x80) return value
    scale *= 0x80
  }
}

const fromZigZag = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2)

/** The number of items of a list in the upper half of its first byte, unless there are more. */
const mostShort = 14

const skipBytes = (cursor: Cursor, length: number): void => {
  cursor.at += length
}

const nothing = (): void => {}

/** Visits the items of a list by their starts, and returns their type. An item takes a byte at least, so a count that is wrong fails at the end. */
const visitItems = (cursor: Cursor, visit: (start: number) => unknown): number => {
  const head = byte(cursor)
  const type = lower(head)
  const count = upper(head) > mostShort ? varint(cursor) : upper(head)
  for (let index = 0; index < count; index++) {
    const start = cursor.at
    // A boolean is a byte here.
    skip(cursor, type === types.true || type === types.false ? types.i8 : type)
    if (cursor.at > cursor.view.byteLength) byte(cursor)
    visit(start)
  }
  return type
}

/** Visits the fields of a struct by their ids, types and starts. */
const visitFields = (cursor: Cursor, visit: (id: number, type: number, start: number) => unknown): void => {
  let id = 0
  for (let head = byte(cursor); head !== 0; head = byte(cursor)) {
    id = upper(head) === 0 ? fromZigZag(varint(cursor)) : id + upper(head)
    const start = cursor.at
    skip(cursor, lower(head))
    visit(id, lower(head), start)
  }
}

/** Moves behind a value of each type that Parquet has: its readers refuse sets, maps and UUIDs. */
const skips: Readonly<Record<number, (cursor: Cursor) => unknown>> = {
  [types.true]: nothing,
  [types.false]: nothing,
  [types.i8]: byte,
  [types.i16]: varint,
  [types.i32]: varint,
  [types.i64]: varint,
  [types.double]: (cursor) => skipBytes(cursor, 8),
  [types.binary]: (cursor) => skipBytes(cursor, varint(cursor)),
  [types.list]: (cursor) => visitItems(cursor, nothing),
  [types.struct]: (cursor) => visitFields(cursor, nothing)
}

const skip = (cursor: Cursor, type: number): unknown =>
  skips[type] === undefined ? skipBytes(cursor, Number.POSITIVE_INFINITY) : skips[type](cursor)

/** The fields of a struct, and how many bytes it takes: there may be something else behind it. */
export const readStruct = (
  bytes: Uint8Array
): { readonly fields: ReadonlyArray<Field>; readonly length: number } => {
  const cursor = cursorOf(bytes)
  const fields: Array<Field> = []
  visitFields(cursor, (id, type, start) => fields.push({ id, type, bytes: bytes.subarray(start, cursor.at) }))
  return { fields, length: cursor.at }
}

export const fieldsOf = (bytes: Uint8Array): ReadonlyArray<Field> => readStruct(bytes).fields

export const listOf = (bytes: Uint8Array): List => {
  const cursor = cursorOf(bytes)
  const items: Array<Uint8Array> = []
  const type = visitItems(cursor, (start) => items.push(bytes.subarray(start, cursor.at)))
  return { type, items }
}

export const integerOf = (bytes: Uint8Array): number => fromZigZag(varint(cursorOf(bytes)))

export const binaryOf = (bytes: Uint8Array): Uint8Array => {
  const cursor = cursorOf(bytes)
  const length = varint(cursor)
  return bytes.subarray(cursor.at, cursor.at + length)
}

/** The bytes of a field, if there is one. */
export const get = (fields: ReadonlyArray<Field>, id: number): Uint8Array | undefined =>
  fields.find((field) => field.id === id)?.bytes

const writeVarint = (value: number): ReadonlyArray<number> => {
  const bytes: Array<number> = []
  let left = value
  for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) | 0x80)
  return [...bytes, left]
}

export const integer = (value: number): Uint8Array =>
  Uint8Array.from(writeVarint(value < 0 ? -value * 2 - 1 : value * 2))

export const binary = (bytes: Uint8Array): Uint8Array =>
  concat([Uint8Array.from(writeVarint(bytes.length)), bytes])

export const list = (type: number, items: ReadonlyArray<Uint8Array>): Uint8Array => {
  const head =
    items.length <= mostShort ? [(items.length << 4) | type] : [0xf0 | type, ...writeVarint(items.length)]
  return concat([Uint8Array.from(head), ...items])
}

/** The bytes of a struct. Fields are in ascending order. */
export const struct = (fields: ReadonlyArray<Field>): Uint8Array => {
  const pieces: Array<Uint8Array> = []
  let last = 0
  for (const { bytes, id, type } of fields) {
    const step = id - last
    const isShort = step > 0 && step < 16
    pieces.push(
      isShort ? Uint8Array.of((step << 4) | type) : concat([Uint8Array.of(type), integer(id)]),
      bytes
    )
    last = id
  }
  return concat([...pieces, Uint8Array.of(0)])
}

/** Other bytes in the field of an id, if there is such a field. */
export const replace = (
  fields: ReadonlyArray<Field>,
  id: number,
  change: (bytes: Uint8Array) => Uint8Array
): ReadonlyArray<Field> =>
  fields.map((field) => (field.id === id ? { ...field, bytes: change(field.bytes) } : field))
