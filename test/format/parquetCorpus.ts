/** What must hold of a Parquet file that others wrote, once its columns of texts are translated. */
import * as Effect from "effect/Effect"
import { parquetMetadata } from "hyparquet"
import { asked, footerOf, translated } from "../support/parquet.js"

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

export const check = (bytes: Uint8Array) =>
  Effect.gen(function* () {
    const { created_by: writer = "", schema } = parquetMetadata(bytes.slice().buffer)
    const names = schema
      .slice(1)
      .filter(
        ({ converted_type = "UTF8", num_children, type }) =>
          type === "BYTE_ARRAY" && (num_children ?? 0) === 0 && converted_type === "UTF8"
      )
      .map(({ name }) => name)
    const output = yield* translated(bytes, names, ["de"])
    const end = footerOf(bytes)
    const faults: Array<string> = []
    if (Buffer.compare(output.subarray(0, end), bytes.subarray(0, end)) !== 0)
      faults.push("other bytes before the footer")
    const added = names.map((name) => quoted(`${name}_de`)).join(", ")
    const hash = (columns: string) =>
      `select md5(string_agg(t::varchar, '|')) as hash from (select ${columns} from {file}) t`
    const before = yield* asked(bytes, hash("*"))
    const after = yield* asked(output, hash(`* exclude (${added})`))
    if (JSON.stringify(before) !== JSON.stringify(after)) faults.push("other columns are read otherwise")
    const wrong = names
      .map((name) => `${quoted(`${name}_de`)} is distinct from 'de: ' || ${quoted(name)}::varchar`)
      .join(" or ")
    const [counted] = yield* asked(output, `select count(*)::integer as wrong from {file} where ${wrong}`)
    if (counted?.wrong !== 0) faults.push(`${counted?.wrong} rows with other translations`)
    return { writer, columns: names.length, faults }
  })
