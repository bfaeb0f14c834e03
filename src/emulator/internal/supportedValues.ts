import * as Effect from "effect/Effect"
import type * as Language from "../../api/Language.js"
import type * as ServiceError from "../../api/ServiceError.js"
import * as Text from "../../api/Text.js"
import type * as TranslateApi from "../../api/TranslateApi.js"
import * as Violation from "../../api/Violation.js"
import { onTheWire } from "./endpoint.js"
import * as languageTable from "./languageTable.js"
import * as memoryContent from "./memoryContent.js"
import type { MemoryState } from "./memoryState.js"

type BadRequest = typeof ServiceError.BadRequest.Type
type NotFound = typeof ServiceError.NotFound.Type

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
    private readonly memories: MemoryState
  ) {}

  /** Refuses languages that the listing of a resource lacks. */
  readonly languages = (
    resource: Language.ResourceName,
    asked: languageTable.Asked
  ): Effect.Effect<void, BadRequest> => {
    const message = this.allowsUnknown ? undefined : languageTable.unsupported(resource, asked)
    return message === undefined ? Effect.void : Effect.fail({ _tag: "BadRequest", message })
  }

  /** Refuses options that the service does not know, or not together. */
  readonly options = (options: Text.TranslateOptions): Effect.Effect<void, BadRequest> => {
    const violations = this.allowsUnknown
      ? []
      : [
          ...Object.keys(options.extraParameters ?? {}).map((field) => ({
            field,
            rule: "is not known here: check its spelling"
          })),
          ...Text.latencyProblems(options)
        ]
    return violations.length === 0
      ? Effect.void
      : Effect.fail({ _tag: "BadRequest", message: Violation.format(violations, onTheWire) })
  }

  /** Refuses what a translation names and the service does not know. */
  readonly translation = (
    resource: Language.ResourceName,
    { sourceLang, targetLang, translationMemoryId }: Request
  ): Effect.Effect<void, BadRequest | NotFound, TranslateApi.Caller> =>
    Effect.zipRight(
      this.languages(resource, {
        sources: { source_lang: sourceLang },
        targets: { target_lang: targetLang }
      }),
      this.allowsUnknown || translationMemoryId === undefined
        ? Effect.void
        : Effect.filterOrFail(
            this.memories.find(translationMemoryId),
            ({ memory }) => memoryContent.isForPair(memory, { sourceLang, targetLang }),
            (): NotFound => ({
              _tag: "NotFound",
              message: "The translation memory has no segments of this pair of languages"
            })
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
  readonly style = (field: keyof typeof named, value: string | undefined): Effect.Effect<void, BadRequest> =>
    this.allowsUnknown || value === undefined || isNamed(field, value)
      ? Effect.void
      : Effect.fail({
          _tag: "BadRequest",
          message: `${field} "${value}" is not known: take one of ${named[field].join(", ")}, or one of these with prefer_`
        })
}
