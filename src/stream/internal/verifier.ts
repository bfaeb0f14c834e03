/** Decides on translations by the findings of checks. */
import * as LanguageCode from "../../api/LanguageCode.js"
import type * as Text from "../../api/Text.js"
import type * as RetryPolicy from "../../client/RetryPolicy.js"
import type { StoredTranslation } from "../../store/TranslationStore.js"
import * as AnswerFault from "../../text/AnswerFault.js"
import type * as Check from "../../text/Check.js"
import type { PlaceholderLost } from "../../text/Placeholder.js"
import * as Verification from "../Verification.js"
import { askedChecks } from "./askedChecks.js"
import type * as Row from "./element.js"
import { checksOf, FindingPolicies, unverified } from "./findingPolicies.js"
import { FirstAnswers } from "./firstAnswers.js"
import type * as Matching from "./matching.js"
import * as messages from "./messages.js"
import type { Options } from "./options.js"
import { finding, findingOf, notUnderstood } from "./reading.js"

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

const lossOf = ({ broken, expected, missing, surplus }: PlaceholderLost): Check.Finding =>
  finding(
    "placeholders",
    "error",
    `Of ${expected} placeholders, ${missing} are missing or changed; ${surplus} are too many, and ${broken} marks are broken.`
  )

/** The finding in a translation that belongs to another text of its request. */
const shifted = /* #__PURE__ */ finding(
  "shifted",
  "error",
  "The translations of this request look like those of the texts beside them."
)

/** The finding of a check that can't look again. */
const foundBefore = (check: string): Check.Finding =>
  finding(check, "error", "An earlier run has found that.")

/** The treatment of a translation of the machine that is there. */
export type Treatment = "refuse" | "ask" | "flag" | "keep"

/** The findings of most translations: none. */
const nothing: ReadonlyArray<never> = []

export class Verifier {
  /** The checks that ask somebody. */
  readonly asking: ReadonlyArray<Check.Check>
  private readonly isOn: boolean
  /** True if translations that are there are looked at by all checks. */
  readonly isLookingAgain: boolean
  private readonly checks: ReadonlyArray<Check.Check>
  readonly policies: FindingPolicies
  private readonly targetLang: string | undefined
  private readonly askedAgain: Set<string>
  private readonly notUnderstood: ReturnType<typeof notUnderstood>
  private answered = 0
  private repeated = 0

  constructor(
    private readonly options: Options,
    private readonly retryPolicy: RetryPolicy.Policy,
    /** False for a forecast, which looks at translations that are there alone. */
    private readonly how: { readonly checksAnswers: boolean } = { checksAnswers: true }
  ) {
    const { targetLang, verify } = options
    const { areNamed, asking, checks } = askedChecks(verify ?? unverified)
    this.isOn = verify !== undefined
    this.notUnderstood = notUnderstood(options, "flag")
    this.policies = new FindingPolicies(verify)
    this.checks = checks
    this.askedAgain = verify?.firstAnswers?.askedAgain ?? new Set()
    this.isLookingAgain = verify?.retryFlagged === true || verify?.checksKnown === true || areNamed
    this.asking = how.checksAnswers ? asking : nothing
    this.targetLang = targetLang && LanguageCode.canonical(targetLang)
  }

  /** The judgement of the first answers of a job; `undefined` if they are not judged. */
  get firstAnswers(): FirstAnswers | undefined {
    if (!this.isOn || this.policies.of("answers") !== "fail") return undefined
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

  /** The texts of a request that look as if they had the translations of those beside them. */
  shiftedIn(pairs: ReadonlyArray<AnswerFault.Pair>): Check.Range | undefined {
    return this.isOn && this.policies.of(shifted.check) !== "off" ? AnswerFault.shifted(pairs) : undefined
  }

  /** True if there is anything to check. */
  isAsked({ lost }: Matching.Translated): boolean {
    return this.how.checksAnswers && (this.isOn || lost !== undefined || this.notUnderstood !== undefined)
  }

  check<A>(
    { isShifted = false, item, lost, translation }: Translated<A>,
    { maxCharacters }: Pick<Row.Elements<A, unknown>, "maxCharacters">
  ): Row.Answer {
    this.answered++
    const limit = maxCharacters?.(item.row.source, item.index)
    const unread = this.notUnderstood?.(item.text)
    const found = this.find(item.text, translation, item.kept?.ranges, limit)
    const findings = unread === undefined ? found : [...found, findingOf(unread)]
    const isUntold =
      lost !== undefined &&
      this.policies.of("placeholders") !== "off" &&
      !findings.some(({ check }) => check === "placeholders")
    const all = isShifted ? [...findings, shifted] : findings
    const excused = this.acceptedIn(all, item.text, translation.text)
    return { translation, findings: isUntold ? [...all, lossOf(lost)] : all, excused }
  }

  /** A translation to be judged by checks that ask somebody. */
  pairOf<A>(
    { item, translation }: Translated<A>,
    { maxCharacters }: Pick<Row.Elements<A, unknown>, "maxCharacters">
  ): Check.Pair {
    const placeholders = item.kept?.ranges ?? messages.protectedIn(item.text, this.options)
    return this.pair(item.text, translation, placeholders, maxCharacters?.(item.row.source, item.index))
  }

  /** True if some of these findings refuse a translation, or are worth another request. */
  isRefused(findings: ReadonlyArray<Check.Finding>): boolean {
    return findings.some(({ check }) => this.policies.isRefusing(check))
  }

  private pair(
    source: string,
    translation: Text.Translation,
    placeholders: ReadonlyArray<Check.Range> | undefined,
    maxCharacters: number | undefined
  ): Check.Pair {
    const { glossaryTerms: glossary, sourceLang = translation.detectedSourceLanguage } = this.options
    const targetLang = this.targetLang ?? sourceLang ?? ""
    const { text } = translation
    return { source, translation: text, sourceLang, targetLang, placeholders, glossary, maxCharacters }
  }

  private find(...facts: Parameters<Verifier["pair"]>): ReadonlyArray<Check.Finding> {
    const pair = this.pair(...facts)
    let findings: ReadonlyArray<Check.Finding> = nothing
    for (const { find } of this.checks) {
      const found = find(pair)
      if (found.length > 0) findings = [...findings, ...found]
    }
    return findings
  }

  /** True if the user has asked for another answer to a text whose answer is good enough for all policies: no cap holds. */
  isWanted({ again: { answer, isKnown } }: { readonly again: Row.Again }): boolean {
    return isKnown === true && this.policies.reasonsOf(answer).length === 0
  }

  /** Admits as many of these requests for better answers as the cap allows, and counts them as sent. */
  grant(requests: number): number {
    const { ambiguousBudget, ambiguousBudgetPerSuccess } = this.retryPolicy
    const left = Math.ceil(ambiguousBudget + ambiguousBudgetPerSuccess * this.answered) - this.repeated
    const granted = Math.max(0, Math.min(requests, left))
    this.repeated += granted
    return granted
  }

  /** Settles a text by its best answer. If it is refused after one request, another is due unless no policy asks for it. */
  settle<A>(item: Row.Item<A>, { answer, asked }: Row.Again): Matching.Settled<A> {
    const { findings, translation } = answer
    const reasons = this.policies.reasonsOf(answer)
    if (reasons.length === 0) return { item, translation, findings, error: undefined }
    const checks = checksOf(reasons)
    const isDue = asked === 1 && this.policies.isWorthAnother(answer)
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
    return isLast || this.policies.reasonsOf(again.answer).length === 0 ? this.settle(item, again) : failed
  }

  /**
   * A translation that is there, as an answer. Checks take half as long as all else of a stored text, so they look again only if somebody
   * has asked for it by naming policies, or if it was refused or written by a person.
   */
  ofKnown(
    text: string,
    { asked: _, isCorrection, refusedBy = nothing, ...translation }: StoredTranslation,
    maxCharacters: () => number | undefined
  ): Row.Answer {
    const isAsked = this.isLookingAgain || (this.isOn && (isCorrection === true || refusedBy.length > 0))
    if (!isAsked && refusedBy.length === 0) return { translation, findings: nothing }
    const found = isAsked
      ? this.find(text, translation, messages.protectedIn(text, this.options), maxCharacters())
      : nothing
    // Marks that were lost are not in the translation, and others may have had other checks.
    const isUnseen = (check: string) =>
      check === "placeholders" || !this.isOn || !this.checks.some(({ name }) => name === check)
    const before = refusedBy
      .filter((check) => isUnseen(check) && !found.some((finding) => finding.check === check))
      .filter((check) => this.policies.isRefusing(check))
      .map(foundBefore)
    const findings = [...found, ...before]
    const accepted = this.acceptedIn(findings, text, translation.text)
    const isRefusable = (check: string) =>
      isCorrection !== true &&
      !accepted.includes(check) &&
      (this.policies.isNamed(check) || refusedBy.includes(check))
    return {
      translation,
      findings,
      excused: findings.flatMap(({ check }) => (isRefusable(check) ? [] : check))
    }
  }

  /** The treatment of a translation of the machine that is there: it is refused, another one is asked for, or it stays, flagged or not. */
  treatmentOf(text: string, translation: string, maxCharacters: number | undefined): Treatment {
    const answer = this.ofKnown(text, { text: translation }, () => maxCharacters)
    if (answer.findings.length === 0) return "keep"
    if (this.policies.reasonsOf(answer).length > 0) return "refuse"
    return this.isAskedAgain(text, answer) ? "ask" : "flag"
  }

  /** True if a text is asked for once more, though it has this answer. */
  isKnownAgain(
    { again, text }: Row.Item<unknown>,
    { asked, isCorrection, refusedBy }: StoredTranslation,
    answer: Row.Answer
  ): boolean {
    if (asked !== undefined && this.policies.isWorthAnother(answer)) return this.isOn
    // Another stream has recorded an answer meanwhile, or the last one is recorded already.
    if (isCorrection === true || again !== undefined || answer.findings.length === 0) return false
    return this.policies.reasonsOf(answer).length > 0
      ? refusedBy === undefined && this.policies.isWorthAnother(answer)
      : this.isAskedAgain(text, answer)
  }

  /** True if the user wants another answer to a text, for what nobody has accepted. */
  private isAskedAgain(text: string, { findings, translation }: Row.Answer): boolean {
    if (this.options.verify?.retryFlagged !== true) return false
    if (this.askedAgain.has(this.idOf(text))) return false
    const accepted = this.acceptedIn(findings, text, translation.text)
    return findings.some(({ check }) => !accepted.includes(check))
  }

  /** Notes that a text that is there is asked for once more: equal ones of the job are not. */
  noteAgain({ text }: Row.Item<unknown>): void {
    this.askedAgain.add(this.idOf(text))
  }

  private idOf(text: string): string {
    return `${this.targetLang} ${text}`
  }

  /** The checks among those of findings whose findings a person has accepted. */
  private acceptedIn(
    findings: ReadonlyArray<Check.Finding>,
    source: string,
    translation: string
  ): ReadonlyArray<string> {
    const { isAccepted } = this.options.verify ?? {}
    return isAccepted === undefined
      ? nothing
      : findings.filter((finding) => isAccepted(finding, source, translation)).map(({ check }) => check)
  }

  /** Settles a text by a translation that is there. If that is refused for the first time, it is to be recorded. */
  settleKnown<A>(
    item: Row.Item<A>,
    { asked, refusedBy }: StoredTranslation,
    answer: Row.Answer
  ): Matching.Settled<A> {
    const settled = this.settle(item, { answer, asked: 1, isAlone: false, neighbours: nothing })
    if (settled.error === undefined) return settled
    if (refusedBy === undefined) return { ...settled, isReplacing: true }
    const error = new Verification.TranslationRefused({
      checks: checksOf(this.policies.reasonsOf(answer)),
      explanations: [],
      isDue: asked === undefined ? undefined : true
    })
    return { item, translation: undefined, error }
  }

  /** An answer as the store keeps it where it does not count. */
  refusalOf({ findings, translation }: Row.Answer): StoredTranslation {
    return { ...translation, refusedBy: checksOf(findings) }
  }
}
