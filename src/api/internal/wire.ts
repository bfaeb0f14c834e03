import * as Schema from "effect/Schema"

/** An optional field under its name on the wire. */
export const optional = <A, I, R>(schema: Schema.Schema<A, I, R>, name: string) =>
  Schema.optional(schema).pipe(Schema.fromKey(name))
