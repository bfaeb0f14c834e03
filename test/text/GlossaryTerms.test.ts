/** The terms of a glossary that a text holds. */
import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as GlossaryTerms from "../../src/text/GlossaryTerms.js"

const terms = new Map([
  ["door", "Pforte"],
  ["city", "Ort"],
  ["access key", "Zugangsschlüssel"],
  ["C++", "C plus plus"],
  ["鍵", "Schlüssel"],
  ["@home", "daheim"],
  ["IT", "EDV"]
])

const heldIn = (text: string) => GlossaryTerms.find(terms, text).map(([term]) => term)

describe("the terms that a text holds", () => {
  it.each([
    ["Close the Doors", ["door"]],
    ["CITIES and doors", ["city", "door"]],
    ["Two access keys!", ["access key"]],
    ["access to a key", []],
    ["C++", ["C++"]],
    ["新しい鍵を作る", ["鍵"]],
    ["me@home", ["@home"]],
    ["A doorkeeper of the indoor floor", []],
    ["It is its item", ["IT"]],
    ["", []]
  ])("are found in any of their forms: %s", (text, held) => {
    expect([...heldIn(text)].sort()).toEqual([...held].sort())
  })

  it("have a hash that is the same whatever the order and the rest of the glossary", () => {
    const [first, ...others] = terms
    const reversed = new Map([...others.reverse(), first!, ["window", "Fenster"]])
    for (const text of ["Doors of cities", "C++ door"]) {
      expect(GlossaryTerms.hasher(reversed)(text)).toBe(GlossaryTerms.hasher(terms)(text))
    }
    expect(GlossaryTerms.hasher(terms)("Doors of cities")).toMatch(/^[\da-f]{16}$/)
    expect(GlossaryTerms.hasher(terms)("Windows")).toBeUndefined()
    const changed = new Map(terms).set("door", "Tor")
    expect(GlossaryTerms.hasher(changed)("doors")).not.toBe(GlossaryTerms.hasher(terms)("doors"))
    expect(GlossaryTerms.hasher(changed)("cities")).toBe(GlossaryTerms.hasher(terms)("cities"))
  })

  it("are found wherever they stand as they are, between any words", () => {
    const word = fc.constantFrom("a", "the", "of", "x", "ends", "鍵盤")
    fc.assert(
      fc.property(fc.array(word), fc.constantFrom(...terms.keys()), fc.array(word), (before, term, after) => {
        expect(heldIn([...before, term.toUpperCase(), ...after].join(" "))).toContain(term)
      })
    )
  })
})
