/** Decides on translations by the findings of checks. */
import * as LanguageCode from "../../api/LanguageCode.js"
import type * as Text from "../../api/Text.js"
import type * as RetryPolicy from "../../client/RetryPolicy.js"
import type { StoredTranslation } from "../../store/TranslationStore.js"
import type * as AnswerFault from "../../text/AnswerFault.js"
import type * as Check from "../../text/Check.js"
import type { PlaceholderLost } from "../../text/Placeholder.js"
import * as Verification from "../Verification.js"
import type * as Row from "./element.js"
import { FirstAnswers } from "./firstAnswers.js"
import type * as Matching from "./matching.js"
import type { Options } from "./options.js"

type Translated<A> = Matching.Translated & { readonly item: Row.Item<A> }

/** A longer neighbour is no context: it would cost room in the request, and say little of the text. */
const longestNeighbour = 1000

/** The text beside a text in its request. */
export const neighboursOf = <A>(
  items: ReadonlyArray<Row.Item<A>>,
  text: Row.Item<A>
): ReadonlyArray<string> => {
  const isOwn = ({ index, row }: Row.Item<A>) => row === text.row && index === text.index
  return [items[items.findIndex(isOwn) - 1], items[items.findLastIndex(isOwn) + 1]].flatMap((item) => {
    const neighbour = item?.text ?? ""
    return neighbour === "" || neighbour.length > longestNeighbour ? [] : [neighbour]
  })
}

const lossOf = ({ broken, expected, missing, surplus }: PlaceholderLost): Check.Finding => ({
  check: "placeholders",
  severity: "error",
  explanation: `Of ${expected} placeholders, ${missing} are missing or changed; ${surplus} are too many, and ${broken} marks are broken.`,
  source: [],
  translation: []
})

/** The verification of a stream without options: protected placeholders came back. */
const unverified: Verification.Options = { policies: { placeholders: "fail" } }

const refusedBefore = "An earlier run has found that."

/** The findings of most translations: none. */
const nothing: ReadonlyArray<never> = []

export class Verifier {
  private readonly isOn: boolean
  private readonly checks: ReadonlyArray<Check.Check>
  private readonly policies: Readonly<Record<string, Verification.Policy>>
  private readonly targetLang: string | undefined
  private answered = 0
  private repeated = 0

  constructor(
    private readonly options: Options,
    private readonly retryPolicy: RetryPolicy.Policy
  ) {
    const { targetLang, verify } = options
    const { checks = [], policies } = verify ?? unverified
    this.isOn = verify !== undefined
    this.policies = { ...Verification.defaultPolicies, ...policies }
    // No policy is `off` by default.
    this.checks = policies === undefined ? checks : checks.filter(({ name }) => this.policyOf(name) !== "off")
    this.targetLang = targetLang && LanguageCode.canonical(targetLang)
  }

  /** The judgement of the first answers of a job; `undefined` if they are not judged. */
  get firstAnswers(): FirstAnswers | undefined {
    if (!this.isOn || this.policyOf("answers") !== "fail") return undefined
    return this.options.verify?.firstAnswers ?? new FirstAnswers()
  }

  /** Texts with their answers, to be judged together. */
  pairsOf(
    texts: ReadonlyArray<string>,
    translations: ReadonlyArray<Text.Translation>
  ): ReadonlyArray<AnswerFault.Pair> {
    return texts.map((source, index) => {
      const { detectedSourceLanguage, text } = translations[index]!
      const { sourceLang = detectedSourceLanguage } = this.options
      return { source, translation: text, sourceLang, targetLang: this.targetLang }
    })
  }

  /** True if there is anything to check. */
  isAsked({ lost }: Matching.Translated): boolean {
    return this.isOn || lost !== undefined
  }

  check<A>(
    { item, lost, translation }: Translated<A>,
    { maxCharacters }: Pick<Row.Elements<A, unknown>, "maxCharacters">
  ): Row.Answer {
    this.answered++
    const { sourceLang = translation.detectedSourceLanguage } = this.options
    const pair: Check.Pair = {
      source: item.text,
      translation: translation.text,
      sourceLang,
      targetLang: this.targetLang ?? sourceLang ?? "",
      placeholders: item.kept?.ranges,
      glossary: this.options.glossaryTerms,
      maxCharacters: maxCharacters?.(item.row.source, item.index)
    }
    let findings: ReadonlyArray<Check.Finding> = nothing
    for (const { find } of this.checks) {
      const found = find(pair)
      if (found.length > 0) findings = [...findings, ...found]
    }
    const isUntold =
      lost !== undefined &&
      this.policyOf("placeholders") !== "off" &&
      !findings.some(({ check }) => check === "placeholders")
    return { translation, findings: isUntold ? [...findings, lossOf(lost)] : findings }
  }

  /** True if it is worth another request. */
  isWorthAnother({ findings }: Row.Answer): boolean {
    if (findings.length === 0) return false
    const policies = findings.map(({ check }) => this.policyOf(check))
    return policies.includes("retry") && !policies.includes("fail")
  }

  /** Admits as many of these requests for better answers as the cap allows, and counts them as sent. */
  grant(requests: number): number {
    const { ambiguousBudget, ambiguousBudgetPerSuccess } = this.retryPolicy
    const left = Math.ceil(ambiguousBudget + ambiguousBudgetPerSuccess * this.answered) - this.repeated
    const granted = Math.max(0, Math.min(requests, left))
    this.repeated += granted
    return granted
  }

  /** The better one of two answers: the second, unless only that is refused. */
  better(first: Row.Answer, second: Row.Answer): Row.Answer {
    return this.reasonsOf(second).length > 0 && this.reasonsOf(first).length === 0 ? first : second
  }

  /** Settles a text by its best answer. If it is refused after one request, another is due unless no policy asks for it. */
  settle<A>(item: Row.Item<A>, { answer, asked }: Row.Again): Matching.Settled<A> {
    const { findings, translation } = answer
    const reasons = this.reasonsOf(answer)
    if (reasons.length === 0) return { item, translation, findings, error: undefined }
    const checks = Array.from(new Set(reasons.map(({ check }) => check)))
    const isDue = asked === 1 && this.isWorthAnother(answer)
    return {
      item,
      translation: undefined,
      refused: { ...translation, refusedBy: checks, ...(isDue ? { asked } : {}) },
      error: new Verification.TranslationRefused({
        checks,
        explanations: reasons.map(({ explanation }) => explanation),
        answers: asked,
        isDue
      })
    }
  }

  /** Settles a text whose next request has failed, by its best answer. */
  withoutNext<A>(item: Row.Item<A>, again: Row.Again, failed: Matching.Settled<A>): Matching.Settled<A> {
    const isLast = again.asked > 1 || failed.error?._tag === "BudgetExceeded"
    return isLast || this.reasonsOf(again.answer).length === 0 ? this.settle(item, again) : failed
  }

  /** The result of a text that the store knows. It is not checked again. */
  ofStored({ asked, refusedBy, ...translation }: StoredTranslation): Matching.Result {
    const checks = this.refusing(refusedBy)
    return checks.length === 0
      ? { translation, error: undefined }
      : {
          translation: undefined,
          error: new Verification.TranslationRefused({
            checks,
            explanations: [],
            isDue: asked === undefined ? undefined : true
          })
        }
  }

  /** The stored answer to a text, if another request for it is due. */
  dueOf({ asked, refusedBy, ...translation }: StoredTranslation): Row.Answer | undefined {
    if (asked === undefined || !this.isOn) return undefined
    const findings = this.refusing(refusedBy).map(
      (check): Check.Finding => ({
        check,
        severity: "error",
        explanation: refusedBefore,
        source: [],
        translation: []
      })
    )
    return this.isWorthAnother({ translation, findings }) ? { translation, findings } : undefined
  }

  /** Which of these checks would refuse a translation. */
  private refusing(checks: ReadonlyArray<string> = nothing): ReadonlyArray<string> {
    return checks.filter((check) => !this.isOn || this.isRefusing(check))
  }

  /** The findings for which a translation is refused, if it is the last one. */
  private reasonsOf({ findings }: Row.Answer): ReadonlyArray<Check.Finding> {
    return findings.filter(
      ({ check, severity }) =>
        this.isRefusing(check) && (severity === "error" || this.policyOf(check) === "fail")
    )
  }

  private isRefusing(check: string): boolean {
    const policy = this.policyOf(check)
    return policy === "fail" || policy === "retry"
  }

  private policyOf(check: string): Verification.Policy {
    return this.policies[check] ?? "flag"
  }
}
