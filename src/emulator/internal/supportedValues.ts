import * as Effect from "effect/Effect"
import type * as Language from "../../api/Language.js"
import type * as RequestRules from "../../api/RequestRules.js"
import * as ServiceKind from "../../api/ServiceKind.js"
import type * as TranslateApi from "../../api/TranslateApi.js"
import * as Violation from "../../api/Violation.js"
import { onTheWire } from "./endpoint.js"
import type { Asked, LanguageTable } from "./languageTable.js"
import * as memoryContent from "./memoryContent.js"
import type { MemoryState } from "./memoryState.js"
import { refusal } from "./refusal.js"

interface Request {
  readonly sourceLang?: string | undefined
  readonly targetLang: string
  readonly translationMemoryId?: string | undefined
}

/** The writing styles and tones, each with and without `prefer_`. Source: wire facts, Text. */
const named = {
  writing_style: ["default", "academic", "business", "casual", "simple"],
  tone: ["default", "confident", "diplomatic", "enthusiastic", "friendly"]
}

const isNamed = (field: keyof typeof named, value: string): boolean =>
  named[field].includes(value) ||
  (value !== "prefer_default" && named[field].includes(value.replace(/^prefer_/, "")))

/** Refuses languages, styles and translation memories that the service does not know. */
export class SupportedValues {
  constructor(
    readonly allowsUnknown: boolean,
    readonly kind: ServiceKind.ServiceKind,
    readonly table: LanguageTable,
    private readonly memories: MemoryState
  ) {}

  /** True if it knows only the values of the specification. */
  get isSpecified(): boolean {
    return this.kind.name === ServiceKind.specification.name
  }

  /** Refuses languages that the listing of a resource lacks. */
  readonly languages = (resource: Language.ResourceName, asked: Asked) => {
    const message = this.allowsUnknown ? undefined : this.table.unsupported(resource, asked)
    return message === undefined ? Effect.void : refusal("BadRequest", message)
  }

  /** Refuses unknown parameters, breaches of rules that the kind of service has not relaxed, and requests that are always refused. */
  readonly request = (
    extraParameters: object | undefined,
    problems: ReadonlyArray<RequestRules.Problem>,
    always: ReadonlyArray<Violation.Violation> = []
  ) => {
    const violations = this.allowsUnknown
      ? []
      : [
          ...Object.keys(extraParameters ?? {}).map((field) => ({
            field,
            rule: "is not known here: check its spelling"
          })),
          ...always,
          ...problems.filter(({ check }) => ServiceKind.holds(this.kind, check, undefined))
        ]
    return violations.length === 0
      ? Effect.void
      : refusal("BadRequest", Violation.format(violations, onTheWire))
  }

  /** Refuses a translation that names languages or memories which the service does not know. */
  readonly translation = (
    resource: Language.ResourceName,
    { sourceLang, targetLang, translationMemoryId }: Request
  ) =>
    Effect.zipRight(
      this.languages(resource, {
        sources: { source_lang: sourceLang },
        targets: { target_lang: targetLang }
      }),
      this.allowsUnknown || translationMemoryId === undefined
        ? Effect.void
        : Effect.filterOrElse(
            this.memories.find(translationMemoryId),
            ({ memory }) => memoryContent.isForPair(memory, { sourceLang, targetLang }),
            () => refusal("NotFound", "The translation memory has no segments of this pair of languages")
          )
    )

  /** The translations of texts that the memory of a request holds. */
  readonly matches = ({
    targetLang,
    translationMemoryId
  }: Request): Effect.Effect<ReadonlyMap<string, string>, never, TranslateApi.Caller> =>
    translationMemoryId === undefined
      ? Effect.succeed(new Map())
      : Effect.match(this.memories.find(translationMemoryId), {
          onFailure: () => new Map(),
          onSuccess: (stored) => memoryContent.matches(stored, targetLang)
        })

  /** Refuses a writing style or a tone that there is not. */
  readonly style = (field: keyof typeof named, value: string | undefined) =>
    this.allowsUnknown || value === undefined || isNamed(field, value)
      ? Effect.void
      : refusal(
          "BadRequest",
          `${field} "${value}" is not known: take one of ${named[field].join(", ")}, or one of these with prefer_`
        )
}
