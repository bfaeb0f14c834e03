import * as Schema from "effect/Schema"

/** Code points; a lone surrogate counts as one. */
export const characters = (text: string): number => {
  let count = text.length
  for (let i = 1; i < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) count--
  }
  return count
}

/** A filter for lists. */
export const atMost =
  (max: number, fix: string) =>
  (items: ReadonlyArray<unknown>): true | string =>
    items.length <= max ? true : `holds ${items.length} items; the limit is ${max}: ${fix}`

/** A list of a bounded length. */
export const list = <A, I, R>(item: Schema.Schema<A, I, R>, max: number, fix: string) =>
  Schema.Array(item).pipe(Schema.filter(atMost(max, fix), { jsonSchema: { maxItems: max } }))

/** A text of a bounded length in characters. */
export const text = (max: number, fix: string) =>
  Schema.String.pipe(
    Schema.filter((value) => {
      const size = characters(value)
      return size <= max ? true : `holds ${size} characters; the limit is ${max}: ${fix}`
    })
  ).annotations({ jsonSchema: { type: "string", maxLength: max } })
