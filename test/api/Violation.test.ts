import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Api from "effect-translate/api"
import * as fc from "fast-check"

const strict = { onExcessProperty: "error", errors: "all" } as const

const violations = <A, I>(schema: Schema.Schema<A, I>, input: unknown) =>
  Either.match(Schema.decodeUnknownEither(schema, strict)(input), {
    onLeft: (error) => Api.Violation.fromIssue(error.issue),
    onRight: () => []
  })

describe("fromIssue", () => {
  it("names a missing field", () => {
    expect(violations(Schema.Struct({ a: Schema.String }), {})).toEqual([{ field: "a", rule: "is missing" }])
  })

  it("names an unknown field", () => {
    expect(violations(Schema.Struct({ a: Schema.String }), { a: "", b: 1 })).toEqual([
      { field: "b", rule: "is not known here: check its spelling" }
    ])
  })

  it("does not print a long name, which may be a text that was put in the wrong place", () => {
    const text = "The merger with Umbrella is off, and nobody shall know about it."
    const [violation] = violations(Schema.Struct({ a: Schema.Struct({ b: Schema.Number }) }), {
      a: { b: 1, [text]: 1 }
    })
    expect(violation).toEqual({
      field: "a.(a name of 64 characters)",
      rule: "is not known here: check its spelling"
    })
  })

  it("are written under other names, but for those of fields that are not known", () => {
    const all = [
      { field: "glossaryId", rule: "needs `sourceLang`: set it" },
      ...violations(Schema.Struct({ a: Schema.optional(Schema.String) }), { glossaryId: 1 })
    ]
    expect(Api.Violation.format(all)).toMatch(
      /^glossaryId needs sourceLang: set it; glossaryId is not known here/
    )
    expect(Api.Violation.format(all, (name) => `--${name}`)).toMatch(
      /^--glossaryId needs --sourceLang: set it; glossaryId is not known here/
    )
  })

  it("names the type that a field must have", () => {
    expect(violations(Schema.Struct({ a: Schema.Number }), { a: "7" })).toEqual([
      { field: "a", rule: "must be number" }
    ])
  })

  it("names the types of an optional field without undefined", () => {
    expect(violations(Schema.Struct({ a: Schema.optional(Schema.Number) }), { a: "7" })).toEqual([
      { field: "a", rule: "must be number" }
    ])
  })

  it("names the values of an enumeration", () => {
    const [violation] = violations(Schema.Struct({ a: Schema.optional(Schema.Literal("x", "y")) }), {
      a: "z"
    })
    expect(violation!.field).toBe("a")
    expect(violation!.rule).toContain('"x"')
    expect(violation!.rule).toContain('"y"')
  })

  it("gives the path of an item within lists and records", () => {
    const schema = Schema.Struct({ a: Schema.Array(Schema.Struct({ b: Schema.Array(Schema.String) })) })
    expect(violations(schema, { a: [{ b: [] }, { b: ["", 1] }] })).toEqual([
      { field: "a[1].b[1]", rule: "must be string" }
    ])
  })

  it("uses the schema's own words for its rules", () => {
    const schema = Schema.Struct({
      a: Schema.String.pipe(Schema.filter((a) => a.length < 3 || `holds ${a.length} characters`))
    })
    expect(violations(schema, { a: "abcd" })).toEqual([{ field: "a", rule: "holds 4 characters" }])
  })

  it("tells all that is wrong", () => {
    const schema = Schema.Struct({ a: Schema.String, b: Schema.Number, c: Schema.Boolean })
    expect(
      violations(schema, { a: 1, c: "no" })
        .map(({ field }) => field)
        .sort()
    ).toEqual(["a", "b", "c"])
  })

  it("leaves the field empty for the value as a whole", () => {
    expect(violations(Schema.Struct({ a: Schema.String }), "x").map(({ field }) => field)).toEqual([""])
  })

  it("never tells a value", () => {
    const schema = Schema.Struct({
      a: Schema.String,
      b: Schema.optional(Schema.Literal("x", "y")),
      c: Schema.Array(Schema.Union(Schema.Number, Schema.Struct({ d: Schema.Boolean })))
    })
    fc.assert(
      fc.property(
        fc.stringMatching(/^#[a-z]{6,12}#$/),
        fc.constantFrom("a", "b", "c"),
        fc.boolean(),
        (secret, field, nested) => {
          const good = { a: "", b: "x", c: [1, { d: true }] }
          const wrong = { ...good, [field]: nested ? [{ d: secret }] : field === "a" ? [secret] : secret }
          expect(JSON.stringify(violations(schema, wrong))).not.toContain(secret)
          expect(violations(schema, wrong).length).toBeGreaterThan(0)
        }
      ),
      { numRuns: 300 }
    )
  })
})

describe("format", () => {
  it("is one line with every field and its rule", () => {
    expect(
      Api.Violation.format([
        { field: "text", rule: "is empty" },
        { field: "", rule: "the body is too large" },
        { field: "tags[2]", rule: "must be string" }
      ])
    ).toBe("text is empty; the body is too large; tags[2] must be string")
  })
})
