/** Arrow's schema of the columns of a file: a message in a FlatBuffer, which gets fields. */
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import { encoder } from "../../../internal/utf8.js"

/** The beginning of a message, before its length. */
const continuation = 0xffffffff

/** Numbers of message and field types: see `Message.fbs` and `Schema.fbs` of Arrow. */
const schemaMessage = 1
const utf8 = 5

/** A field of a new column. */
interface Field {
  readonly name: string
  readonly isRequired: boolean
}

/** The bytes of a FlatBuffer, with the functions that read it. They fail behind its end. */
const readerOf = (bytes: Uint8Array) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const target = (at: number): number => at + view.getUint32(at, true)
  /** Where a field of a table is; 0 if it has none. */
  const find = (table: number, id: number): number => {
    const layout = table - view.getInt32(table, true)
    const at = 4 + 2 * id
    const offset = at < view.getUint16(layout, true) ? view.getUint16(layout + at, true) : 0
    return offset === 0 ? 0 : table + offset
  }
  return { view, target, find }
}

const aligned = (at: number, to: number): number => Math.ceil(at / to) * to

/**
 * The message with more fields. All that it has stays as it is behind the new part, as offsets lead forward only: the
 * message, its schema and the list of fields are written again in front.
 */
const extend = (old: Uint8Array, columns: number, added: ReadonlyArray<Field>): Uint8Array | undefined => {
  const { find, target, view } = readerOf(old)
  const message = target(0)
  const kind = find(message, 1)
  if (kind === 0 || view.getUint8(kind) !== schemaMessage) return undefined
  const schema = target(find(message, 2))
  const list = target(find(schema, 1))
  const count = view.getUint32(list, true)
  if (count !== columns) return undefined

  let end = 4
  const allocate = (size: number, to = 4): number => {
    const at = aligned(end, to)
    end = at + size
    return at
  }
  const places = {
    messageLayout: allocate(10, 2),
    message: allocate(12),
    schemaLayout: allocate(12, 2),
    schema: allocate(20),
    fieldLayout: allocate(16, 2),
    textLayout: allocate(4, 2),
    list: allocate(4 + 4 * (count + added.length))
  }
  const fields = added.map(({ isRequired, name }) => {
    const bytes = encoder.encode(name)
    return { isRequired, bytes, table: allocate(20), name: allocate(4 + bytes.length + 1) }
  })
  const text = allocate(4)
  const none = allocate(4)
  const base = aligned(end, 8)

  const bytes = new Uint8Array(aligned(base + old.length, 8))
  bytes.set(old, base)
  const out = new DataView(bytes.buffer)
  const offset = (at: number, to: number) => out.setUint32(at, to - at, true)
  const shorts = (at: number, ...values: ReadonlyArray<number>) => {
    for (const [index, value] of values.entries()) out.setUint16(at + 2 * index, value, true)
  }
  const table = (at: number, layout: number) => out.setInt32(at, at - layout, true)
  const copyShort = (at: number, from: number) =>
    from === 0 ? undefined : out.setInt16(at, view.getInt16(from, true), true)

  offset(0, places.message)
  shorts(places.messageLayout, 10, 12, 8, 10, 4)
  table(places.message, places.messageLayout)
  offset(places.message + 4, places.schema)
  copyShort(places.message + 8, find(message, 0))
  out.setUint8(places.message + 10, schemaMessage)

  const [metadata, features] = [find(schema, 2), find(schema, 3)]
  shorts(places.schemaLayout, 12, 20, 16, 4, metadata === 0 ? 0 : 8, features === 0 ? 0 : 12)
  table(places.schema, places.schemaLayout)
  offset(places.schema + 4, places.list)
  if (metadata !== 0) offset(places.schema + 8, base + target(metadata))
  if (features !== 0) offset(places.schema + 12, base + target(features))
  copyShort(places.schema + 16, find(schema, 0))

  out.setUint32(places.list, count + added.length, true)
  for (let index = 0; index < count; index++) {
    offset(places.list + 4 + 4 * index, base + target(list + 4 + 4 * index))
  }
  shorts(places.fieldLayout, 16, 20, 4, 16, 17, 8, 0, 12)
  shorts(places.textLayout, 4, 4)
  table(text, places.textLayout)
  fields.forEach(({ bytes: name, isRequired, ...at }, index) => {
    offset(places.list + 4 + 4 * (count + index), at.table)
    table(at.table, places.fieldLayout)
    offset(at.table + 4, at.name)
    offset(at.table + 8, text)
    offset(at.table + 12, none)
    out.setUint8(at.table + 16, isRequired ? 0 : 1)
    out.setUint8(at.table + 17, utf8)
    out.setUint32(at.name, name.length, true)
    bytes.set(name, at.name + 4)
  })
  return bytes
}

/**
 * The value of `ARROW:schema` for a file of this number of columns with new ones; `undefined` if it can't be read, or is of
 * other columns.
 */
export const withFields = (value: string, columns: number, added: ReadonlyArray<Field>): string | undefined =>
  Either.getOrUndefined(
    Either.flatMap(Encoding.decodeBase64(value), (message) =>
      Either.try(() => {
        const view = new DataView(message.buffer, message.byteOffset, message.byteLength)
        // Before Arrow 0.15 there was the length only.
        const head = view.getUint32(0, true) === continuation ? 8 : 4
        const length = view.getUint32(head - 4, true)
        const extended = extend(message.slice(head, head + length), columns, added)
        if (extended === undefined) return undefined
        const bytes = new Uint8Array(8 + extended.length)
        const out = new DataView(bytes.buffer)
        out.setUint32(0, continuation, true)
        out.setUint32(4, extended.length, true)
        bytes.set(extended, 8)
        return Encoding.encodeBase64(bytes)
      })
    )
  )
