/** The text of a record: lines that git merges. */
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as fc from "fast-check"
import {
  type Choices,
  type Entry,
  empty,
  entryOf,
  hashOf,
  linesOf,
  type OutputRecord,
  parse,
  render
} from "../../src/job/internal/record.js"

const entry = (source: string, target: string, by: Entry["by"] = "machine"): Entry => ({
  source: hashOf(source),
  target: hashOf(target),
  by,
  ...(by === "machine" && { choices: "c1" })
})

const choices = new Map<string, Choices>([
  ["c1", { options: "o", service: "s", named: { formality: "more" } }]
])

const recordOf = (units: Readonly<Record<string, ReadonlyArray<Entry>>>): OutputRecord => ({
  file: { format: "json", settings: "s", source: "a.json" },
  choices,
  units: new Map(Object.entries(units))
})

const read = (text: string): OutputRecord => Either.getOrThrow(parse(linesOf(text)))

const ours = entry("A", "unser")
const theirs = entry("A", "ihr", "person")

describe("the text of a record", () => {
  it("is sorted, whatever the order of units is", () => {
    const units = { b: [ours], a: [theirs], c: [ours] }
    const text = render(recordOf(units))
    expect(text.split("\n").slice(0, -1)).toEqual(text.split("\n").slice(0, -1).toSorted())
    expect(render(recordOf(Object.fromEntries(Object.entries(units).reverse())))).toBe(text)
  })

  it("is the same once it was read and written again", () => {
    const unit = fc.record({
      by: fc.constantFrom<Entry["by"]>("machine", "person", "correction", "nobody"),
      source: fc.string(),
      target: fc.string(),
      stale: fc.option(fc.boolean(), { nil: undefined }),
      text: fc.option(fc.string({ unit: "binary" }), { nil: undefined })
    })
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: "grapheme" }), fc.array(unit, { minLength: 1, maxLength: 3 })),
        (units) => {
          const text = render(recordOf(units))
          expect(render(read(text))).toBe(text)
        }
      )
    )
  })

  it("changes in one line when one unit changes", () => {
    const before = render(recordOf({ a: [ours], b: [ours], c: [ours] })).split("\n")
    const after = render(recordOf({ a: [ours], b: [entry("B", "anders")], c: [ours] })).split("\n")
    expect(after.length).toBe(before.length)
    expect(after.filter((line) => !before.includes(line)).length).toBe(1)
  })

  it("names the choices of its units, and no others", () => {
    expect(render(recordOf({ a: [ours] }))).toContain('{"choices":"c1"')
    expect(render(recordOf({ a: [theirs] }))).not.toContain('"choices"')
  })
})

describe("a record that git has merged", () => {
  const line = (key: string, one: Entry) => render({ ...empty, units: new Map([[key, [one]]]) })
  const conflict = `${line("a", ours)}<<<<<<< HEAD
${line("b", ours)}||||||| merged common ancestors
${line("b", entry("A", "früher"))}${line("gone", ours)}=======
${line("b", theirs)}>>>>>>> other
${line("c", theirs)}`

  it("has the lines of both sides", () => {
    const { units } = read(conflict)
    expect(Array.from(units.keys())).toEqual(["a", "b", "c"])
    expect(units.get("b")!.map(({ by }) => by)).toEqual(["machine", "person"])
  })

  it("does not have those of the common ancestor", () => {
    expect(read(conflict).units.has("gone")).toBe(false)
    expect(entryOf(read(conflict), "b", hashOf("früher"))?.target).not.toBe(hashOf("früher"))
  })

  it("tells of a unit with two lines by the one that fits the output", () => {
    const record = read(conflict)
    expect(entryOf(record, "b", hashOf("unser"))).toMatchObject({ by: "machine" })
    expect(entryOf(record, "b", hashOf("ihr"))).toMatchObject({ by: "person" })
  })

  it("is read with the line ends of Windows", () => {
    expect(read(conflict.replaceAll("\n", "\r\n"))).toEqual(read(conflict))
  })

  it("has a line once that both sides have", () => {
    expect(read(`${line("a", ours)}${line("a", ours)}`).units.get("a")!.length).toBe(1)
  })
})
