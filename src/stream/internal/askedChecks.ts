import { memoizedBy } from "../../internal/memoizedBy.js"
import type * as Check from "../../text/Check.js"
import type * as Verification from "../Verification.js"

/** The checks that are asked, sorted by what policies say of them. */
export interface AskedChecks {
  readonly checks: ReadonlyArray<Check.Check>
  /** Those that ask somebody. */
  readonly asking: ReadonlyArray<Check.Check>
  /** True if policies name some of them. */
  readonly areNamed: boolean
  /** Their names and versions. */
  readonly versions: ReadonlyArray<readonly [name: string, version: string | undefined]>
  /** The same of those whose findings refuse a translation by a policy that was named. */
  readonly refusing: ReadonlyArray<readonly [name: string, version: string | undefined, Verification.Policy]>
}

/** The checks of options that are not switched off: sorted once for all streams of a job. */
export const askedChecks: (verify: Verification.Options) => AskedChecks = /* #__PURE__ */ memoizedBy(
  ({ checks: given = [], policies = {} }: Verification.Options) => {
    const checks: Array<Check.Check> = []
    const asking: Array<Check.Check> = []
    const versions: Array<AskedChecks["versions"][number]> = []
    const refusing: Array<AskedChecks["refusing"][number]> = []
    let areNamed = false
    for (const check of given) {
      const { name, version } = check
      const policy = policies[name]
      if (policy === "off") continue
      checks.push(check)
      versions.push([name, version])
      if (check.asking !== undefined) asking.push(check)
      if (policy !== undefined) areNamed = true
      if (policy === "fail" || policy === "retry") refusing.push([name, version, policy])
    }
    return { checks, asking, areNamed, versions, refusing }
  }
)
