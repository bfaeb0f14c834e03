/** The policies of checks: findings that refuse a translation, and those that are worth another request. */
import * as Order from "effect/Order"
import type * as Check from "../../text/Check.js"
import * as Verification from "../Verification.js"
import type * as Row from "./element.js"

/** The verification of a stream without options: protected placeholders came back. */
export const unverified: Verification.Options = { policies: { placeholders: "fail" } }

/** The checks of findings, each once. */
export const checksOf = (findings: ReadonlyArray<Check.Finding>): ReadonlyArray<string> =>
  Array.from(new Set(findings.map(({ check }) => check)))

export class FindingPolicies {
  private readonly policies: Readonly<Record<string, Verification.Policy>>

  constructor(private readonly verify: Verification.Options | undefined) {
    this.policies = { ...Verification.defaultPolicies, ...(verify ?? unverified).policies }
  }

  of(check: string): Verification.Policy {
    return this.policies[check] ?? "flag"
  }

  isNamed(check: string): boolean {
    return this.verify?.policies?.[check] !== undefined
  }

  /** True if a finding of the check refuses a translation, or is worth another request. */
  isRefusing(check: string): boolean {
    // Without options, a translation that somebody has refused is of no use.
    if (this.verify === undefined) return true
    const policy = this.of(check)
    return policy === "fail" || policy === "retry"
  }

  /** The findings for which a translation is refused, if it is the last one. */
  reasonsOf({ excused, findings }: Row.Answer): ReadonlyArray<Check.Finding> {
    return findings.filter(
      ({ check, severity }) =>
        excused?.includes(check) !== true &&
        this.isRefusing(check) &&
        (severity === "error" || this.of(check) === "fail")
    )
  }

  /** True if an answer is worth another request. */
  isWorthAnother({ excused, findings }: Row.Answer): boolean {
    if (findings.length === 0) return false
    const policies = findings.flatMap(({ check }) =>
      excused?.includes(check) === true ? [] : this.of(check)
    )
    return policies.includes("retry") && !policies.includes("fail")
  }

  /** The better one of two answers: the one that is not refused, then the one with fewer errors, then with fewer findings. */
  better(first: Row.Answer, second: Row.Answer): Row.Answer {
    const faults = (answer: Row.Answer) => [
      Math.min(1, this.reasonsOf(answer).length),
      answer.findings.filter(({ severity }) => severity === "error").length,
      answer.findings.length
    ]
    return Order.array(Order.number)(faults(second), faults(first)) < 0 ? second : first
  }
}
