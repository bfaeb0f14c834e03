import * as Effect from "effect/Effect"
import * as LanguageCode from "../../../api/LanguageCode.js"
import * as RequestRules from "../../../api/RequestRules.js"
import type * as ServiceKind from "../../../api/ServiceKind.js"
import * as Text from "../../../api/Text.js"
import { refuse, targetProblems } from "../../RequestChecks.js"
import type { CallError } from "../../TranslateError.js"
import type { Endpoint } from "../calling/call.js"

/** Sends a request, unless it breaks a rule. It is asked when the effect runs, and adds no effect to most requests. */
export type Guard<I> = <A, E, R>(
  request: I,
  sent: Effect.Effect<A, E, R>
) => Effect.Effect<A, E | CallError, R>

/** Sends a request, unless it breaks these rules. */
export const guarded = <A, E, R>(
  endpoint: Endpoint,
  problems: ReadonlyArray<RequestRules.Problem>,
  kind: ServiceKind.ServiceKind,
  sent: Effect.Effect<A, E, R>
): Effect.Effect<A, E | CallError, R> =>
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
  /** The languages in which texts are improved. */
  readonly improved: Set<string>

  /** Takes the kind of the service, and the targets with formality as the specification has them. */
  constructor(
    readonly kind: ServiceKind.ServiceKind,
    private readonly formalityTargets: Readonly<Partial<Record<Resource, ReadonlyArray<string>>>>
  ) {
    this.improved = new Set(kind.writeTargets)
  }

  /** The facts about a target, as they are listed or else known; `undefined` of a language that is neither. */
  find(resource: Resource, code: string): Target | undefined {
    const listed = this.listed.get(`${resource} ${code}`)
    return listed !== undefined || !LanguageCode.known.includes(code)
      ? listed
      : {
          hasFormality: this.formalityTargets[resource]?.includes(code) === true,
          isBeta: this.kind.betaTargets.includes(code)
        }
  }

  /** Takes the facts about a listed target. */
  learn(resource: Resource, code: string, target: Target): void {
    this.listed.set(`${resource} ${code}`, target)
  }

  /** The breaches of rules by the options of a request. */
  problems(resource: Resource, options: Options): ReadonlyArray<RequestRules.Problem> {
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

  /** Refuses text requests that languages or the model don't allow. */
  readonly guardText: Guard<Options> = (request, sent) => {
    const options = Object(request) as Options
    const problems = [...this.problems("translate_text", options), ...RequestRules.ofTexts(options)]
    return guarded(Text.translateText, problems, this.kind, sent)
  }
}
