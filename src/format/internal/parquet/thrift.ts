/**
 * Thrift's compact protocol, one level at a time: fields that nobody reads stay bytes. Decoding the whole footer would
 * lose integer widths and unknown fields.
 */
import { concat } from "../../../internal/bytes.js"

export const types = { i16: 4, i32: 5, i64: 6, double: 7, binary: 8, list: 9, struct: 12 } as const

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

/** Fails behind the end, as all that reads here does by it. */
const byte = (cursor: Cursor): number => cursor.view.getUint8(cursor.at++)

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

const listHead = (cursor: Cursor) => {
  const head = byte(cursor)
  return { type: head & 0x0f, count: head >> 4 === 15 ? varint(cursor) : head >> 4 }
}

const isBoolean = (type: number): boolean => type === 1 || type === 2

/** Goes behind an item of a list, where a boolean is a byte. */
const skipItem = (cursor: Cursor, type: number): void => {
  if (isBoolean(type)) cursor.at++
  else skip(cursor, type)
}

const skipStruct = (cursor: Cursor): void => {
  for (let head = byte(cursor); head !== 0; head = byte(cursor)) {
    if (head >> 4 === 0) varint(cursor)
    skip(cursor, head & 0x0f)
  }
}

const skipList = (cursor: Cursor): void => {
  const { count, type } = listHead(cursor)
  for (let index = 0; index < count; index++) {
    skipItem(cursor, type)
    // An item takes a byte at least, so a count that is wrong comes to the end soon.
    if (cursor.at > cursor.view.byteLength) byte(cursor)
  }
}

/** Goes behind a value. Parquet has no sets, maps and UUIDs, and its readers refuse them. */
const skip = (cursor: Cursor, type: number): void => {
  if (isBoolean(type)) return
  if (type === 3) cursor.at++
  else if (type >= types.i16 && type <= types.i64) varint(cursor)
  else if (type === types.double) cursor.at += 8
  else if (type === types.binary) {
    const length = varint(cursor)
    cursor.at += length
  } else if (type === types.list) skipList(cursor)
  else if (type === types.struct) skipStruct(cursor)
  else cursor.at = Number.POSITIVE_INFINITY
}

/** The fields of a struct, and how many bytes it takes: there may be something else behind it. */
export const readStruct = (
  bytes: Uint8Array
): { readonly fields: ReadonlyArray<Field>; readonly length: number } => {
  const cursor = cursorOf(bytes)
  const fields: Array<Field> = []
  let id = 0
  for (let head = byte(cursor); head !== 0; head = byte(cursor)) {
    id = head >> 4 === 0 ? fromZigZag(varint(cursor)) : id + (head >> 4)
    const start = cursor.at
    skip(cursor, head & 0x0f)
    fields.push({ id, type: head & 0x0f, bytes: bytes.subarray(start, cursor.at) })
  }
  return { fields, length: cursor.at }
}

export const fieldsOf = (bytes: Uint8Array): ReadonlyArray<Field> => readStruct(bytes).fields

export const listOf = (bytes: Uint8Array): List => {
  const cursor = cursorOf(bytes)
  const { count, type } = listHead(cursor)
  const items: Array<Uint8Array> = []
  for (let index = 0; index < count; index++) {
    const start = cursor.at
    skipItem(cursor, type)
    if (cursor.at > bytes.length) byte(cursor)
    items.push(bytes.subarray(start, cursor.at))
  }
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
  const head = items.length < 15 ? [(items.length << 4) | type] : [0xf0 | type, ...writeVarint(items.length)]
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
