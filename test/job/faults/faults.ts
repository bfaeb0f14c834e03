/** The test of one of the jobs. */
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { isCampaign } from "../../support/long.js"
import { type CallSite, find, sitesOf } from "./callSites.js"
import { type Disturbed, emulator, enumerate, type Subject } from "./enumeration.js"
import { reachedBy, whyUnreached } from "./expectations.js"
import * as inventory from "./inventory.js"
import { subjects } from "./subjects.js"

const placeOf = ({ file, line, name }: CallSite) => `${file}${line === 0 ? "" : `:${line}`} ${name}`

/** Call sites without their lines; of those in one declaration that call the same, the first, the second, … */
const namesOf = (sites: ReadonlyArray<CallSite>): ReadonlyMap<CallSite, string> => {
  const counts = new Map<string, number>()
  return new Map(
    sites.map((site) => {
      const name = `${site.file} ${site.name}`
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      return [site, count === 1 ? name : `${name} (${count})`]
    })
  )
}

/** How often each fault has led to what. */
const summaryOf = (disturbed: ReadonlyArray<Disturbed>): string => {
  const counts = new Map<string, Map<string, number>>()
  for (const { fault, outcome } of disturbed) {
    const outcomes = counts.get(fault) ?? new Map<string, number>()
    counts.set(fault, outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1))
  }
  return [...counts]
    .map(
      ([fault, outcomes]) =>
        `${fault}: ${[...outcomes].map(([outcome, times]) => `${times} ${outcome}`).join(", ")}`
    )
    .join("; ")
}

/** Disturbs the calls of a job, prints what that has led to, and expects that nothing was lost, half done, or paid twice unsaid. */
export const disturb = (name: keyof typeof subjects): void =>
  it(`${name}: after a fault of each call site the next run ends with right outputs, and texts that were paid twice are in the books`, () =>
    Effect.gen(function* () {
      const sites = find()
      const expected = sites.filter((site) => whyUnreached(site) === undefined)
      const names = namesOf(expected)
      const nameOf = (called: string) =>
        sitesOf(expected, called)
          .map((site) => names.get(site))
          .join("; ")
      const { all, missed, reached } = yield* enumerate(
        subjects[name] as Subject<unknown>,
        inventory.read(name),
        nameOf
      )
      const foundAt = new Map<CallSite, Array<Disturbed>>()
      const unknown: Array<string> = []
      for (const called of reached.keys()) {
        const found = sitesOf(expected, called)
        if (found.length === 0) unknown.push(called)
        for (const site of found) {
          const disturbed = all.filter(({ site }) => site === called)
          foundAt.set(site, [...(foundAt.get(site) ?? []), ...disturbed])
        }
      }
      const table = sites.flatMap((site) => {
        const disturbed = foundAt.get(site)
        return disturbed === undefined ? [] : [`${placeOf(site)}\n  ${summaryOf(disturbed)}`]
      })
      console.log(
        [
          `${name}: ${table.length} call sites, ${all.length} faults`,
          ...table,
          ...missed.map(({ call, fault, site }) => `call ${call} of ${site} did not come: ${fault}`)
        ].join("\n")
      )
      const problems = all.flatMap(({ problems }) => problems)
      // Whole: what is expected is printed in short.
      if (problems.length > 0) console.error(problems.join("\n\n"))
      expect(problems.length, "problems").toBe(0)
      expect(unknown, `calls that are in no list: ${unknown}`).toEqual([])
      const left = sites.filter((site) => reachedBy(site) === name && !foundAt.has(site))
      expect(left, `call sites that were not reached: ${left.map(placeOf)}`).toEqual([])
      if (isCampaign)
        inventory.write(
          name,
          // A site that a run calls in several ways is reached by the first of them.
          Object.fromEntries([...reached].reverse().map(([called, origin]) => [nameOf(called), origin]))
        )
    }).pipe(Effect.scoped, Effect.provide(emulator), Effect.runPromise))
