import * as Effect from "effect/Effect"
import type * as Language from "../../../api/Language.js"
import * as LanguageCode from "../../../api/LanguageCode.js"
import * as RequestRules from "../../../api/RequestRules.js"
import type * as ServiceKind from "../../../api/ServiceKind.js"
import * as Text from "../../../api/Text.js"
import type * as Write from "../../../api/Write.js"
import { refuse, targetProblems } from "../../RequestChecks.js"
import type { TranslateError } from "../../TranslateError.js"
import type { Endpoint } from "../calling/call.js"

/** Sends a request, unless it breaks a rule. It is asked when the effect runs, and adds no effect to most requests. */
export type Guard<I> = <A, E, R>(
  request: I,
  sent: Effect.Effect<A, E, R>
) => Effect.Effect<A, E | TranslateError, R>

const guarded = <A, E, R>(
  endpoint: Endpoint,
  problems: ReadonlyArray<RequestRules.Problem>,
  kind: ServiceKind.ServiceKind,
  sent: Effect.Effect<A, E, R>
): Effect.Effect<A, E | TranslateError, R> =>
  problems.length === 0 ? sent : Effect.zipRight(refuse(endpoint, problems, kind), sent)

type Resource = "translate_text" | "translate_document"

/** The facts about a target. */
interface Target {
  readonly hasFormality: boolean
  readonly isBeta: boolean
}

interface Options extends Pick<Text.TranslateOptions, "targetLang" | "formality" | "modelType"> {}

/** A client's knowledge of target languages: the kind of its service, and the listings that it has fetched. */
export class Languages {
  private readonly listed = new Map<string, Target>()
  private readonly improved: Set<string>

  /** Takes the kind of the service, and the targets with formality as the specification has them. */
  constructor(
    readonly kind: ServiceKind.ServiceKind,
    private readonly formalityTargets: Readonly<Partial<Record<Resource, ReadonlyArray<string>>>>
  ) {
    this.improved = new Set(kind.writeTargets)
  }

  private find(resource: Resource, code: string): Target | undefined {
    const listed = this.listed.get(`${resource} ${code}`)
    return listed !== undefined || !LanguageCode.known.includes(code)
      ? listed
      : {
          hasFormality: this.formalityTargets[resource]?.includes(code) === true,
          isBeta: this.kind.betaTargets.includes(code)
        }
  }

  private learn(resource: Resource, code: string, target: Target): void {
    this.listed.set(`${resource} ${code}`, target)
  }

  /** Takes a listing. One without beta and third parties does not show the features that a language lacks. */
  learnList({ include = [], resource }: Language.Query, languages: ReadonlyArray<Language.Language>): void {
    if (resource === "write") {
      for (const { lang, usableAsTarget } of languages) if (usableAsTarget) this.improved.add(lang)
    }
    if (resource !== "translate_text" && resource !== "translate_document") return
    const isWhole = include.includes("beta") && include.includes("external")
    for (const language of languages) {
      const before = isWhole ? undefined : this.find(resource, language.lang)
      if (!language.usableAsTarget) continue
      this.learn(resource, language.lang, {
        hasFormality: Object.hasOwn(language.features, "formality") || before?.hasFormality === true,
        isBeta: language.status === "beta"
      })
    }
  }

  /** Takes the older listing, which is of texts. */
  learnListV2(languages: ReadonlyArray<Language.LanguageV2>): void {
    for (const { language, supportsFormality } of languages) {
      if (supportsFormality === undefined) continue
      const isBeta = this.find("translate_text", language)?.isBeta === true
      this.learn("translate_text", language, { hasFormality: supportsFormality, isBeta })
    }
  }

  private problems(resource: Resource, options: Options): ReadonlyArray<RequestRules.Problem> {
    const { formality, modelType, targetLang } = options
    const found: Array<RequestRules.Problem> = []
    // Nothing has checked the options yet.
    if (typeof targetLang !== "string") return found
    const isFormal = formality === "more" || formality === "less"
    const isModel =
      resource === "translate_text" && modelType !== undefined && modelType !== "quality_optimized"
    const code = LanguageCode.canonical(targetLang)
    const target = this.find(resource, code)
    if (target === undefined) found.push(...targetProblems("targetLang", code))
    if (isFormal && target?.hasFormality === false) {
      found.push({
        check: "languages",
        field: "formality",
        rule: `is "${formality}", which \`targetLang\` "${code}" does not know: take "prefer_${formality}", or drop it`
      })
    }
    if (isModel && target?.isBeta === true) {
      found.push({
        check: "languages",
        field: "modelType",
        rule: `is not "quality_optimized", but \`targetLang\` "${code}" is in beta: drop it or set "quality_optimized"`
      })
    }
    return found
  }

  /** Refuses documents that languages don't allow, or for other problems. */
  checkDocument(
    endpoint: Endpoint,
    options: Options,
    problems: ReadonlyArray<RequestRules.Problem>
  ): Effect.Effect<void, TranslateError> {
    return refuse(endpoint, [...problems, ...this.problems("translate_document", options)], this.kind)
  }

  /** Refuses text requests that languages or the model don't allow. */
  readonly guardText: Guard<Options> = (request, sent) => {
    const options = Object(request) as Options
    const problems = [...this.problems("translate_text", options), ...RequestRules.ofTexts(options)]
    return guarded(Text.translateText, problems, this.kind, sent)
  }

  /** Refuses to improve texts in languages that the table knows, but not for that. */
  readonly guardWrite =
    (endpoint: Endpoint): Guard<Write.CorrectOptions> =>
    (request, sent) => {
      const { targetLang } = Object(request) as Write.CorrectOptions
      if (typeof targetLang !== "string" || !LanguageCode.known.includes(LanguageCode.canonical(targetLang)))
        return sent
      const code = LanguageCode.canonical(targetLang)
      if (this.improved.has(code)) return sent
      const rule = `is "${code}", in which texts are not improved: choose among ${[...this.improved].join(", ")}`
      return guarded(endpoint, [{ check: "languages", field: "targetLang", rule }], this.kind, sent)
    }
}
