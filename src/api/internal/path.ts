import * as Schema from "effect/Schema"
import * as utf8 from "./utf8.js"

/** URL parsers take `.` and `..` for steps through the path, encoded or not: such an id would reach another route. */
const problem = (id: string): string | undefined => {
  if (id === "") return "is empty: give the id"
  if (id === "." || id === "..") return `is "${id}", which is no id: give the id as the service made it`
  return utf8.hasHalfCharacter(id) ? "holds half a character: give the id as the service made it" : undefined
}

/** A server gets its path parameters decoded already. */
const Segment = Schema.transform(
  Schema.String,
  Schema.String.pipe(Schema.filter((id) => problem(id) ?? true)),
  {
    strict: true,
    decode: (id) => id,
    encode: encodeURIComponent
  }
)

/** An id in the path, under its name on the wire. */
export const id = <const Name extends string>(name: Name) =>
  Schema.propertySignature(Segment).pipe(Schema.fromKey(name))
