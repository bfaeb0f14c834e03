/**
 * The call sites that a job reaches and that have met all faults: a file for each job, which `npm run test:campaign -- faults` writes. Those
 * that are in none yet meet all faults in `npm run test:long` too; the others meet one.
 */
import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { isCampaign } from "../../support/long.js"
import { type Fault, root } from "./disturbance.js"

/** The fault of another call site that a call site is reached after. */
export interface Origin {
  readonly site: string
  /** Its how manieth call, from 1. */
  readonly call: number
  readonly fault: Fault
}

/** Each call site by its name, and what it is reached after; null if a job that nothing disturbs reaches it. */
export type Inventory = Readonly<Record<string, Origin | null>>

const fileOf = (job: string) =>
  `${root}test/job/faults/inventory/${job.split(/,| that/)[0]!.replaceAll(" ", "-")}.json`

export const read = (job: string): Inventory =>
  existsSync(fileOf(job)) ? JSON.parse(readFileSync(fileOf(job), "utf8")) : {}

export const write = (job: string, inventory: Inventory): void =>
  writeFileSync(
    fileOf(job),
    `${JSON.stringify(Object.fromEntries(Object.entries(inventory).sort(([a], [b]) => (a < b ? -1 : 1))), undefined, 2)}\n`
  )

export interface Chosen {
  readonly call: number
  readonly fault: Fault
}

/**
 * The faults that the calls of a site meet. In a campaign, all of them at all calls. Otherwise the first and the last call of a site that is
 * new meet all; one that is known meets those that lead to other sites, or one, which is always the same and differs between sites.
 */
export const choose = (
  inventory: Inventory,
  name: string,
  possible: ReadonlyArray<Fault>,
  calls: number
): ReadonlyArray<Chosen> => {
  if (isCampaign || !(name in inventory)) {
    const each = Array.from({ length: calls }, (_, index) => index + 1)
    return each
      .filter((call) => isCampaign || call === 1 || call === calls)
      .flatMap((call) => possible.map((fault) => ({ call, fault })))
  }
  const leading = Object.values(inventory).flatMap((origin) =>
    origin?.site === name && possible.includes(origin.fault)
      ? [{ call: Math.min(origin.call, calls), fault: origin.fault }]
      : []
  )
  if (leading.length > 0)
    return [...new Map(leading.map((each) => [`${each.call} ${each.fault}`, each])).values()]
  const hash = createHash("sha256").update(name).digest().readUInt32BE()
  return [{ call: hash % 2 === 0 ? 1 : calls, fault: possible[hash % possible.length]! }]
}
