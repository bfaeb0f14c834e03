/** The footer of a Parquet file: its columns and row groups, and the footer of the same file with new columns. */
import { encoder } from "../../../internal/utf8.js"
import * as arrowSchema from "./arrowSchema.js"
import * as thrift from "./thrift.js"

/** A column that is no part of another one, and is a text in each row. */
export interface TextColumn {
  readonly name: string
  /** Its place among the chunks of a row group. */
  readonly leaf: number
  readonly isRequired: boolean
}

/** A column of values, alone or as a part of another one. */
export interface Leaf {
  readonly path: ReadonlyArray<string>
  /** The number of the type of its values, by the format. */
  readonly type: number | undefined
  /** It may have other than one value in a row. */
  readonly isRepeated: boolean
}

export interface Footer {
  readonly fields: ReadonlyArray<thrift.Field>
  readonly leaves: ReadonlyArray<Leaf>
  /** Each column has as many parts as it says. */
  readonly isWhole: boolean
  readonly names: ReadonlyArray<string>
  readonly texts: ReadonlyArray<TextColumn>
  readonly groups: ReadonlyArray<Group>
}

export interface Group {
  readonly bytes: Uint8Array
  readonly rows: number
}

/** Where the pages of a column are in a row group. */
export interface Chunk {
  readonly start: number
  readonly end: number
  readonly codec: number
  readonly uncompressedBytes: number
  /** Nulls count. */
  readonly values: number
  /** Where the first page of values is. Some programs say that it is at the dictionary. */
  readonly firstValues: number
}

/** A chunk that was written. */
export interface NewChunk {
  readonly start: number
  readonly bytes: number
  readonly uncompressedBytes: number
  readonly values: number
  readonly nulls: number
  readonly codec: number
}

/** A column that is new. */
export interface NewColumn {
  readonly name: string
  readonly isRequired: boolean
}

/** The format's numbers of types and encodings: see its `parquet.thrift`. */
const byteArray = 6
const optional = 1
const plain = 0
const rle = 3
const string = 1
const utf8 = 0

const decoder = new TextDecoder()
const textOf = (bytes: Uint8Array): string => decoder.decode(thrift.binaryOf(bytes))
const text = (value: string): Uint8Array => thrift.binary(encoder.encode(value))

const integerIn = (fields: ReadonlyArray<thrift.Field>, id: number): number | undefined => {
  const bytes = thrift.get(fields, id)
  return bytes && thrift.integerOf(bytes)
}

const itemsIn = (fields: ReadonlyArray<thrift.Field>, id: number): ReadonlyArray<Uint8Array> => {
  const bytes = thrift.get(fields, id)
  return bytes === undefined ? [] : thrift.listOf(bytes).items
}

/** True if an element of the schema is a text: bytes that are marked as text, or that have no mark, as older programs write texts. */
const isText = (fields: ReadonlyArray<thrift.Field>): boolean => {
  const logical = thrift.get(fields, 10)
  const [kind] = logical === undefined ? [] : thrift.fieldsOf(logical)
  return (
    integerIn(fields, 1) === byteArray &&
    [undefined, utf8].includes(integerIn(fields, 6)) &&
    [undefined, string].includes(kind?.id)
  )
}

/** An element of the schema that others are parts of, and how many of them are still to come. */
interface Parent {
  readonly path: ReadonlyArray<string>
  readonly isRepeated: boolean
  left: number
}

/** The columns of the schema: an element, and behind it those of which it is made. */
const columnsOf = ([root, ...elements]: ReadonlyArray<ReadonlyArray<thrift.Field>>) => {
  const names: Array<string> = []
  const texts: Array<TextColumn> = []
  const leaves: Array<Leaf> = []
  const parents: Array<Parent> = [{ path: [], isRepeated: false, left: integerIn(root!, 5)! }]
  for (const fields of elements) {
    while (parents.at(-1)?.left === 0) parents.pop()
    const parent = parents.at(-1)!
    parent.left--
    const children = integerIn(fields, 5) ?? 0
    const name = textOf(thrift.get(fields, 4)!)
    const repetition = integerIn(fields, 3) ?? 0
    const path = [...parent.path, name]
    const isRepeated = parent.isRepeated || repetition > optional
    if (parents.length === 1) {
      names.push(name)
      if (children === 0 && !isRepeated && isText(fields))
        texts.push({ name, leaf: leaves.length, isRequired: repetition !== optional })
    }
    if (children === 0) leaves.push({ path, type: integerIn(fields, 1), isRepeated })
    else parents.push({ path, isRepeated, left: children })
  }
  const isWhole = parents.every(({ left }) => left === 0)
  return { names, texts, leaves, isWhole }
}

export const read = (bytes: Uint8Array): Footer => {
  const fields = thrift.fieldsOf(bytes)
  const elements = itemsIn(fields, 2).map(thrift.fieldsOf)
  const groups = itemsIn(fields, 4).map((bytes) => ({
    bytes,
    rows: integerIn(thrift.fieldsOf(bytes), 3) ?? 0
  }))
  return { fields, groups, ...columnsOf(elements) }
}

/** True if some of the file is encrypted, or the footer is signed. */
export const isEncrypted = ({ fields, groups: [group] }: Footer): boolean =>
  thrift.get(fields, 8) !== undefined ||
  (group !== undefined &&
    itemsIn(thrift.fieldsOf(group.bytes), 1).some((chunk) => thrift.get(thrift.fieldsOf(chunk), 8)))

/** The chunk of a column, by the fields of it; `undefined` if it is in another file. */
export const chunkOf = (chunk: ReadonlyArray<thrift.Field>): Chunk | undefined => {
  const known = thrift.get(chunk, 3)
  if (known === undefined || thrift.get(chunk, 1) !== undefined) return undefined
  const fields = thrift.fieldsOf(known)
  // Some programs write 0 for a dictionary that there is not.
  const firstValues = integerIn(fields, 9)!
  const start = Math.min(firstValues, integerIn(fields, 11) || Number.POSITIVE_INFINITY)
  return {
    start,
    firstValues,
    end: start + integerIn(fields, 7)!,
    codec: integerIn(fields, 4)!,
    uncompressedBytes: integerIn(fields, 6)!,
    values: integerIn(fields, 5)!
  }
}

/** The chunks of all columns. */
export const chunksOf = ({ bytes }: Group): ReadonlyArray<Chunk | undefined> =>
  itemsIn(thrift.fieldsOf(bytes), 1).map((chunk) => chunkOf(thrift.fieldsOf(chunk)))

const { binary, i32, i64, list, struct } = thrift.types

const int = (id: number, type: number, value: number): thrift.Field => ({
  id,
  type,
  bytes: thrift.integer(value)
})

const empty = thrift.struct([])

const elementOf = ({ isRequired, name }: NewColumn): Uint8Array =>
  thrift.struct([
    int(1, i32, byteArray),
    int(3, i32, isRequired ? 0 : optional),
    { id: 4, type: binary, bytes: text(name) },
    int(6, i32, utf8),
    { id: 10, type: struct, bytes: thrift.struct([{ id: string, type: struct, bytes: empty }]) }
  ])

const columnChunk = ({ name }: NewColumn, chunk: NewChunk): Uint8Array =>
  thrift.struct([
    int(2, i64, 0),
    {
      id: 3,
      type: struct,
      bytes: thrift.struct([
        int(1, i32, byteArray),
        { id: 2, type: list, bytes: thrift.list(i32, [plain, rle].map(thrift.integer)) },
        { id: 3, type: list, bytes: thrift.list(binary, [text(name)]) },
        int(4, i32, chunk.codec),
        int(5, i64, chunk.values),
        int(6, i64, chunk.uncompressedBytes),
        int(7, i64, chunk.bytes),
        int(9, i64, chunk.start),
        { id: 12, type: struct, bytes: thrift.struct([int(3, i64, chunk.nulls)]) }
      ])
    }
  ])

const append = (more: ReadonlyArray<Uint8Array>) => (bytes: Uint8Array) => {
  const { items, type } = thrift.listOf(bytes)
  return thrift.list(items.length === 0 ? struct : type, [...items, ...more])
}

const add = (more: number) => (bytes: Uint8Array) => thrift.integer(thrift.integerOf(bytes) + more)

const sum = (chunks: ReadonlyArray<NewChunk>, size: "bytes" | "uncompressedBytes"): number =>
  chunks.reduce((sum, chunk) => sum + chunk[size], 0)

/** A row group with chunks of new columns. */
export const extendGroup = (
  { bytes }: Group,
  columns: ReadonlyArray<NewColumn>,
  chunks: ReadonlyArray<NewChunk>
): Uint8Array => {
  const added = chunks.map((chunk, index) => columnChunk(columns[index]!, chunk))
  const changes = [
    [1, append(added)],
    [2, add(sum(chunks, "uncompressedBytes"))],
    [6, add(sum(chunks, "bytes"))]
  ] as const
  return thrift.struct(
    changes.reduce((fields, [id, change]) => thrift.replace(fields, id, change), thrift.fieldsOf(bytes))
  )
}

const extendSchema = (columns: ReadonlyArray<NewColumn>) => (bytes: Uint8Array) => {
  const [root, ...elements] = thrift.listOf(bytes).items
  const extended = thrift.struct(thrift.replace(thrift.fieldsOf(root!), 5, add(columns.length)))
  return thrift.list(struct, [extended, ...elements, ...columns.map(elementOf)])
}

/** Adds the new columns to Arrow's schema, or removes it: its readers refuse one that lacks columns. */
const extendEntries =
  ({ names }: Footer, columns: ReadonlyArray<NewColumn>) =>
  (bytes: Uint8Array): Uint8Array => {
    const entries = thrift.listOf(bytes).items.flatMap((entry) => {
      const fields = thrift.fieldsOf(entry)
      const value = thrift.get(fields, 2)
      if (textOf(thrift.get(fields, 1)!) !== "ARROW:schema" || value === undefined) return [entry]
      const extended = arrowSchema.withFields(textOf(value), names.length, columns)
      return extended === undefined ? [] : [thrift.struct(thrift.replace(fields, 2, () => text(extended)))]
    })
    return thrift.list(struct, entries)
  }

/** The footer with new columns, of which the row groups have chunks. */
export const extend = (
  footer: Footer,
  columns: ReadonlyArray<NewColumn>,
  groups: ReadonlyArray<Uint8Array>
): Uint8Array => {
  const order = thrift.struct([{ id: 1, type: struct, bytes: empty }])
  const changes = [
    [2, extendSchema(columns)],
    [4, () => thrift.list(struct, groups)],
    [5, extendEntries(footer, columns)],
    [7, append(columns.map(() => order))]
  ] as const
  return thrift.struct(
    changes.reduce((fields, [id, change]) => thrift.replace(fields, id, change), footer.fields)
  )
}
