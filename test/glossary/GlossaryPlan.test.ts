/** The plan of a synchronisation: carried out on a model of the service, it makes the glossary equal in the fewest calls. */
import { describe, expect, it } from "@effect/vitest"
import { Languages } from "effect-translate"
import { GlossaryEntries, type GlossarySync } from "effect-translate/glossaries"
import * as fc from "fast-check"
import * as GlossaryPlan from "../../src/glossary/internal/glossaryChanges.js"
import { runs } from "../support/long.js"

type Terms = Readonly<Record<string, string>>

const dictionary = (sourceLang: string, targetLang: string, terms: Terms) => ({
  sourceLang,
  targetLang,
  entries: GlossaryEntries.fromTerms(Object.entries(terms))
})

const actual = (name: string, ...dictionaries: ReadonlyArray<GlossaryPlan.ActualDictionary>) => ({
  glossaryId: "id",
  name,
  dictionaries
})

const long = { "a term that is long": "ein langer Begriff" }

describe("the plan", () => {
  it("creates a glossary in one call, in base languages", () => {
    const plan = GlossaryPlan.make(
      {
        name: "Terms",
        dictionaries: [dictionary("en-US", "DE", { a: "b" }), dictionary("EN", "pt-BR", long)]
      },
      undefined
    )
    expect(plan.operations).toEqual([
      {
        _tag: "Create",
        request: {
          name: "Terms",
          dictionaries: [dictionary("en", "de", { a: "b" }), dictionary("en", "pt", long)]
        }
      }
    ])
    expect(plan.created).toBe(true)
    expect(plan.changes).toMatchObject([
      { sourceLang: "en", targetLang: "de", action: "create", added: 1, changed: 0, removed: 0 },
      {
        sourceLang: "en",
        targetLang: "pt",
        action: "create",
        added: 1,
        sources: { added: Object.keys(long) }
      }
    ])
  })

  it("does nothing when all is equal, whatever the order of entries and the variants of languages", () => {
    const plan = GlossaryPlan.make(
      { name: "Terms", dictionaries: [dictionary("en-GB", "de-CH", { a: "b", c: "d" })] },
      actual("Terms", dictionary("EN", "de", { c: "d", a: "b" }))
    )
    expect(plan.operations).toEqual([])
    expect(plan.changes).toEqual([
      {
        sourceLang: "en",
        targetLang: "de",
        action: "none",
        added: 0,
        changed: 0,
        removed: 0,
        sources: { added: [], changed: [], removed: [] }
      }
    ])
  })

  it("merges additions, and sends no more than that", () => {
    const plan = GlossaryPlan.make(
      { name: "Terms", dictionaries: [dictionary("en", "de", { ...long, b: "c" })] },
      actual("Terms", dictionary("en", "de", long))
    )
    expect(plan.operations).toEqual([
      { _tag: "Update", glossaryId: "id", changes: { dictionary: dictionary("en", "de", { b: "c" }) } }
    ])
    expect(plan.changes).toMatchObject([{ action: "merge", added: 1, changed: 0, removed: 0 }])
  })

  it("sends the whole dictionary if none of its entries is kept", () => {
    const tagFor = (kept: Terms) =>
      GlossaryPlan.make(
        { name: "Terms", dictionaries: [dictionary("en", "de", { ...kept, b: "c" })] },
        actual("Terms", dictionary("en", "de", kept))
      ).operations[0]?._tag
    expect(tagFor({})).toBe("Replace")
    expect(tagFor({ a: "x" })).toBe("Update")
  })

  it("replaces a dictionary whose entries were changed or removed, and creates one that is new", () => {
    const desired = [
      dictionary("en", "de", { a: "changed", ...long }),
      dictionary("en", "fr", long),
      dictionary("en", "es", { a: "nuevo" })
    ]
    const plan = GlossaryPlan.make(
      { name: "Terms", dictionaries: desired },
      actual(
        "Terms",
        dictionary("en", "de", { a: "b", ...long }),
        dictionary("en", "fr", { ...long, x: "y" })
      )
    )
    expect(plan.operations).toEqual(
      desired.map((dictionary) => ({ _tag: "Replace", glossaryId: "id", dictionary }))
    )
    expect(plan.changes).toMatchObject([
      { action: "replace", added: 0, changed: 1, removed: 0, sources: { changed: ["a"] } },
      { action: "replace", added: 0, changed: 0, removed: 1, sources: { removed: ["x"] } },
      { action: "create", added: 1, sources: { added: ["a"] } }
    ])
  })

  it("renames in a call of its own only if nothing is merged", () => {
    const renamed = (after: Terms, before: Terms) =>
      GlossaryPlan.make(
        { name: "New", dictionaries: [dictionary("en", "de", after)] },
        actual("Old", dictionary("en", "de", before))
      )
    expect(renamed(long, long).operations).toEqual([
      { _tag: "Update", glossaryId: "id", changes: { name: "New" } }
    ])
    expect(renamed({ ...long, b: "c" }, long).operations).toEqual([
      {
        _tag: "Update",
        glossaryId: "id",
        changes: { name: "New", dictionary: dictionary("en", "de", { b: "c" }) }
      }
    ])
    // A merge that saves no bytes still saves a call.
    expect(renamed({ a: "b" }, {}).operations).toEqual([
      {
        _tag: "Update",
        glossaryId: "id",
        changes: { name: "New", dictionary: dictionary("en", "de", { a: "b" }) }
      }
    ])
    expect(renamed({ a: "c" }, { a: "b" }).operations.map(({ _tag }) => _tag)).toEqual(["Update", "Replace"])
    expect(renamed(long, long).renamed).toBe(true)
  })

  it("deletes undesired dictionaries at the end, or keeps them", () => {
    const desired = { name: "Terms", dictionaries: [dictionary("en", "de", { a: "b" })] }
    const before = actual("Terms", { sourceLang: "en", targetLang: "fr", entryCount: 7 })
    expect(GlossaryPlan.make(desired, before).operations).toEqual([
      { _tag: "Replace", glossaryId: "id", dictionary: dictionary("en", "de", { a: "b" }) },
      { _tag: "Delete", glossaryId: "id", pair: { sourceLang: "en", targetLang: "fr" } }
    ])
    expect(GlossaryPlan.make(desired, before).changes[1]).toMatchObject({ action: "delete", removed: 7 })
    const kept = GlossaryPlan.make(desired, before, { prune: false })
    expect(kept.operations.map(({ _tag }) => _tag)).toEqual(["Replace"])
    expect(kept.changes[1]).toMatchObject({ action: "none", removed: 0 })
  })
})

describe("properties of the plan", () => {
  type Dictionaries = Map<string, Map<string, string>>

  /** A service with one glossary. */
  interface Model {
    readonly name: string
    readonly dictionaries: Dictionaries
  }

  const keyOf = ({ sourceLang, targetLang }: GlossaryEntries.LanguagePair) =>
    `${Languages.base(sourceLang)}>${Languages.base(targetLang)}`

  const termsOf = ({ entries }: GlossarySync.Dictionary) =>
    new Map(entries.map(({ source, target }) => [source, target]))

  const modelOf = ({ dictionaries, name }: GlossaryPlan.Desired): Model => ({
    name,
    dictionaries: new Map(dictionaries.map((dictionary) => [keyOf(dictionary), termsOf(dictionary)]))
  })

  const actualOf = ({ dictionaries, name }: Model): GlossaryPlan.Actual => ({
    glossaryId: "id",
    name,
    dictionaries: Array.from(dictionaries, ([key, terms]) => {
      const [sourceLang = "", targetLang = ""] = key.split(">")
      return { sourceLang, targetLang, entries: GlossaryEntries.fromTerms(terms) }
    })
  })

  const carryOut = (model: Model | undefined, operation: GlossaryPlan.Operation): Model => {
    if (operation._tag === "Create") return modelOf(operation.request)
    if (model === undefined) throw new Error("there is no glossary yet")
    const dictionaries = new Map(model.dictionaries)
    switch (operation._tag) {
      case "Replace":
        dictionaries.set(keyOf(operation.dictionary), termsOf(operation.dictionary))
        return { ...model, dictionaries }
      case "Delete":
        if (!dictionaries.delete(keyOf(operation.pair))) throw new Error("there is no such dictionary")
        return { ...model, dictionaries }
      case "Update": {
        const { dictionary, name = model.name } = operation.changes
        if (dictionary !== undefined) {
          const before = dictionaries.get(keyOf(dictionary))
          if (before === undefined) throw new Error("it merges into nothing")
          const added = termsOf(dictionary)
          // What the specification does not say of a merge, a plan must not rely on.
          for (const source of added.keys())
            if (before.has(source)) throw new Error("it merges over an entry")
          dictionaries.set(keyOf(dictionary), new Map([...before, ...added]))
        }
        return { name, dictionaries }
      }
    }
  }

  const isEqual = (a: Map<string, string> | undefined, b: Map<string, string> | undefined) =>
    a !== undefined &&
    b !== undefined &&
    a.size === b.size &&
    [...a].every(([key, value]) => b.get(key) === value)

  const isExtended = (before: Map<string, string> | undefined, after: Map<string, string> | undefined) =>
    before !== undefined &&
    after !== undefined &&
    after.size > before.size &&
    [...before].every(([key, value]) => after.get(key) === value)

  /** A call changes at most one dictionary, and takes the name along only if it merges. */
  const fewestCalls = (before: Model | undefined, after: Model): number => {
    if (before === undefined) return 1
    const keys = new Set([...before.dictionaries.keys(), ...after.dictionaries.keys()])
    const differing = [...keys].filter(
      (key) => !isEqual(before.dictionaries.get(key), after.dictionaries.get(key))
    )
    const mergeable = differing.some((key) =>
      isExtended(before.dictionaries.get(key), after.dictionaries.get(key))
    )
    return differing.length + (before.name !== after.name && !mergeable ? 1 : 0)
  }

  const term = fc.constantFrom(
    "__proto__",
    "constructor",
    "toString",
    "a",
    "b",
    "c",
    "a longer term of more bytes"
  )
  const entries = fc
    .uniqueArray(fc.tuple(term, fc.constantFrom("x", "y", "__proto__")), { selector: ([source]) => source })
    .map(GlossaryEntries.fromTerms)
  const desired: fc.Arbitrary<GlossaryPlan.Desired> = fc.record({
    name: fc.constantFrom("One", "Two"),
    dictionaries: fc.uniqueArray(
      fc.record({
        sourceLang: fc.constantFrom("en", "EN-us", "de"),
        targetLang: fc.constantFrom("fr", "fr-CA", "pt"),
        entries
      }),
      { selector: keyOf, minLength: 1, maxLength: 4 }
    )
  })
  /** Mostly a variation of what is desired: entries are missing, or others. */
  const situation = desired.chain((after) =>
    fc.record({
      after: fc.constant(after),
      before: fc.oneof(
        fc.constant(undefined),
        desired.map(modelOf),
        fc
          .record({
            kept: fc.subarray([...after.dictionaries]),
            name: fc.constantFrom("One", "Two"),
            more: desired
          })
          .chain(({ kept, more, name }) =>
            fc.tuple(...kept.map(({ entries }) => fc.subarray([...entries]))).map((subsets) =>
              modelOf({
                name,
                dictionaries: [
                  ...more.dictionaries.slice(0, 1),
                  ...kept.map((dictionary, index) => ({ ...dictionary, entries: subsets[index] ?? [] }))
                ]
              })
            )
          )
      )
    })
  )

  it("it makes the glossary equal, in the fewest calls, and a second time there is nothing to do", () => {
    fc.assert(
      fc.property(situation, ({ after, before }) => {
        const plan = GlossaryPlan.make(after, before && actualOf(before))
        const synchronised = plan.operations.reduce<Model | undefined>(carryOut, before)
        expect(synchronised).toEqual(modelOf(after))
        expect(plan.operations.length).toBe(fewestCalls(before, modelOf(after)))
        expect(GlossaryPlan.make(after, actualOf(modelOf(after))).operations).toEqual([])
      }),
      { numRuns: runs(1000) }
    )
  })

  it("kept entries stay as they were", () => {
    fc.assert(
      fc.property(situation, ({ after, before }) => {
        const plan = GlossaryPlan.make(after, before && actualOf(before), { prune: false })
        const synchronised = plan.operations.reduce<Model | undefined>(carryOut, before)
        expect(synchronised).toEqual({
          name: after.name,
          dictionaries: new Map([...(before?.dictionaries ?? []), ...modelOf(after).dictionaries])
        })
      }),
      { numRuns: runs(500) }
    )
  })

  it("its changes add up", () => {
    fc.assert(
      fc.property(situation, ({ after, before }) => {
        for (const change of GlossaryPlan.make(after, before && actualOf(before)).changes) {
          const was = before?.dictionaries.get(keyOf(change))?.size ?? 0
          const is = modelOf(after).dictionaries.get(keyOf(change))?.size ?? 0
          expect(was + change.added - change.removed).toBe(is)
          expect(change.sources.added.length).toBe(change.added)
          expect(change.sources.changed.length).toBe(change.changed)
          expect(change.sources.removed.length).toBe(change.removed)
        }
      }),
      { numRuns: runs(500) }
    )
  })
})
