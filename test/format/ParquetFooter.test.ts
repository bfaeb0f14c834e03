/** Footers of Parquet files in which a number is wrong. */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as thrift from "../../src/format/internal/parquet/thrift.js"
import { asked, footerOf, fromArrow, fromDuckDb, translated } from "../support/parquet.js"

/** A way to a number: ids of fields, and in lists the places of items. */
type Path = ReadonlyArray<number>

/** A struct or a list in which the integer at the end of a path is another one. */
const changed = (bytes: Uint8Array, [id, ...rest]: Path, change: (value: number) => number): Uint8Array => {
  const { fields, length } = thrift.readStruct(bytes)
  const changeField = (field: Uint8Array): Uint8Array => {
    if (rest.length === 0) return thrift.integer(change(thrift.integerOf(field)))
    const isList = fields.find((each) => each.id === id)!.type === thrift.types.list
    if (!isList) return changed(field, rest, change)
    const { items, type } = thrift.listOf(field)
    const [at, ...inner] = rest
    return thrift.list(
      type,
      items.map((item, index) => (index === at ? changed(item, inner, change) : item))
    )
  }
  const struct = thrift.struct(thrift.replace(fields, id!, changeField))
  return new Uint8Array(Buffer.concat([struct, bytes.subarray(length)]))
}

const damaged = (file: Uint8Array, path: Path, change: (value: number) => number): Uint8Array => {
  const end = footerOf(file)
  const footer = changed(file.subarray(end, -8), path, change)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(footer.length)
  return new Uint8Array(Buffer.concat([file.subarray(0, end), footer, length, file.subarray(-4)]))
}

const groups = 4
const columns = 1
const column = 3

/** Places, sizes and counts of values of pages in each row group, and the counts of rows. */
const paths: ReadonlyArray<readonly [name: string, path: Path]> = [
  ["rows of the file", [3]],
  ...[0, 1].flatMap(
    (group): ReadonlyArray<readonly [string, Path]> => [
      [`rows of row group ${group}`, [groups, group, 3]],
      ...[0, 1, 2].flatMap((leaf): ReadonlyArray<readonly [string, Path]> => {
        const chunk = [groups, group, columns, leaf, column]
        return [
          [`type of column ${leaf}`, [...chunk, 1]],
          [`values of column ${leaf}`, [...chunk, 5]],
          [`bytes of column ${leaf}`, [...chunk, 7]],
          [`pages of column ${leaf}`, [...chunk, 9]]
        ]
      })
    ]
  )
]

const changes: ReadonlyArray<(value: number) => number> = [
  (value) => value - 1,
  (value) => value + 1,
  (value) => value + 64,
  () => -5,
  () => 2 ** 40
]

it.effect(
  "a Parquet file whose footer has a wrong number is refused before a text is read, or its output has the right rows",
  () =>
    Effect.gen(function* () {
      const source = yield* fromDuckDb(
        "select i as id, 'Mug ' || i as text, [i, i + 1] as list from (select range i from range(300))",
        ", row_group_size 150"
      )
      const wrong: Array<string> = []
      let refusals = 0
      for (const [name, path] of paths) {
        for (const [index, change] of changes.entries()) {
          const file = damaged(source, path, change)
          if (Buffer.compare(file, source) === 0) continue
          const output = yield* Effect.either(translated(file, ["text"], ["de"]))
          if (Either.isLeft(output)) {
            refusals++
            continue
          }
          const rows = asked(
            output.right,
            `select count(*)::integer as rows, count(*) filter (text_de is distinct from 'de: Mug ' || id
              or list is distinct from [id, id + 1])::integer as wrong from {file}`
          )
          const found = yield* Effect.either(Effect.sandbox(rows))
          const isRight = Either.isRight(found) && found.right[0]?.rows === 300 && found.right[0]?.wrong === 0
          if (!isRight) wrong.push(`${name}, change ${index}`)
        }
      }
      expect(wrong).toEqual([])
      expect(refusals).toBeGreaterThan(60)
    })
)

it.effect("a Parquet file whose row groups have other rows than its footer is refused, and told why", () =>
  Effect.gen(function* () {
    const source = yield* fromDuckDb("select 'Mug' as text")
    const error = yield* Effect.flip(
      translated(
        damaged(source, [3], () => 2),
        ["text"],
        ["de"]
      )
    )
    expect(error.message).toBe(
      "a.parquet: its footer counts other rows than its row groups: the file is damaged."
    )
  })
)

it.effect("a Parquet file whose footer no other reader takes is refused", () =>
  Effect.gen(function* () {
    const source = yield* fromDuckDb("select 'Mug' as text")
    const fields = thrift.fieldsOf(source.subarray(footerOf(source), -8))
    const last = fields.at(-1)!.id
    // Field heads of no type, of sets, maps and UUIDs, which Parquet does not have.
    for (const head of [0x10, 0x1a, 0x1b, 0x1d]) {
      const footer = Buffer.concat([
        thrift.struct(fields).subarray(0, -1),
        Uint8Array.of(head, 0),
        new Uint8Array(16)
      ])
      const length = Buffer.alloc(4)
      length.writeUInt32LE(footer.length)
      const file = Buffer.concat([source.subarray(0, footerOf(source)), footer, length, source.subarray(-4)])
      const error = yield* Effect.flip(translated(new Uint8Array(file), ["text"], ["de"]))
      expect([last < 16, error.message]).toEqual([true, expect.stringContaining("it is damaged")])
    }
    const pageType = [groups, 0, columns, 0, column, 13, 0, 1]
    const arrow = fromArrow(source, (builder) => builder)
    const error = yield* Effect.flip(
      translated(
        damaged(arrow, pageType, () => -64),
        ["text"],
        ["de"]
      )
    )
    expect(error.message).toContain("it is damaged")
  })
)
