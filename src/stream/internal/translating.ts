import * as Limits from "../../api/Limits.js"
import * as Text from "../../api/Text.js"
import type * as Violation from "../../api/Violation.js"
import type * as Budget from "../Budget.js"
import * as Dedupe from "../Dedupe.js"
import * as Placeholder from "../Placeholder.js"
import type * as Progress from "../Progress.js"
import * as stage from "./stage.js"

export interface Options extends Omit<Text.TranslateOptions, "showBilledCharacters"> {
  /** Most requests in flight; the `ConcurrencyLimit` may allow fewer. @default 8 */
  readonly concurrency?: number | undefined
  /** Emits outcomes as they come instead of in the order of the elements. @default false */
  readonly unordered?: boolean | undefined
  /**
   * What becomes of a text that fits into no request: it is cut into segments (see `Segmenter`), or it is `Failed` with
   * its size. @default "segment"
   */
  readonly oversized?: "segment" | "fail" | undefined
  /**
   * How many characters around a segment go with it as its context; each segment is a request of its own then.
   * @default 0
   */
  readonly segmentContext?: number | undefined
  /** Sends equal texts once: the first is paid for, the others are `Cached`. @default false */
  readonly dedupe?: boolean | Dedupe.Options | undefined
  /** Keeps placeholders out of the translation, and checks that all of them came back. @default none */
  readonly placeholders?: Placeholders | undefined
  /** What may be spent, in characters; `BudgetExceeded` ends the stream before it is. @default no limit */
  readonly budget?: Budget.Service | undefined
  /** Is told of all that happens. @default none */
  readonly progress?: Progress.Progress | undefined
}

export interface Placeholders extends Placeholder.Options {
  /** `Failed` with `PlaceholderLost`, or sent once more without protection. @default "fail" */
  readonly onLost?: "fail" | "unprotected" | undefined
}

const segmentsOf = ({ context, oversized, segmentContext = 0, sourceLang }: Options) =>
  oversized === "fail" ? undefined : { locale: sourceLang, context, contextCharacters: segmentContext }

const duplicatesOf = ({ dedupe = false }: Options) => {
  if (dedupe === false) return undefined
  const { bytes = Dedupe.defaults.bytes, texts = Dedupe.defaults.texts } = dedupe === true ? {} : dedupe
  return { texts, bytes }
}

const placeholdersOf = ({ ignoreTags, placeholders }: Options) =>
  placeholders && { options: placeholders, unprotected: { tagHandling: undefined, ignoreTags } }

const refused = (options: Options): ReadonlyArray<Violation.Violation> => {
  const { placeholders, segmentContext = 0, tagHandling } = options
  const { bytes = 1, texts = 1 } = duplicatesOf(options) ?? {}
  return [
    ...(placeholders === undefined || tagHandling === undefined
      ? []
      : [{ field: "placeholders", rule: "can't be combined with tagHandling: drop one of them" }]),
    ...stage.wholeNumber("segmentContext", segmentContext, 0),
    ...stage.wholeNumber("dedupe.texts", texts, 1),
    ...stage.wholeNumber("dedupe.bytes", bytes, 1)
  ]
}

/** What a stage sends that translates with these options. */
export const sent = (
  options: Options
): stage.Sent<Text.TranslateOptions, typeof Text.TranslateOptions.Encoded> => {
  const {
    budget,
    concurrency,
    dedupe,
    oversized,
    placeholders,
    progress,
    segmentContext,
    unordered,
    ...request
  } = options
  return {
    endpoint: Text.translateText,
    schema: Text.TranslateOptions,
    options: {
      ...request,
      ...(placeholders === undefined ? {} : Placeholder.requestOptions),
      showBilledCharacters: true
    },
    growing: "context",
    maxBytes: Limits.translateBodyBytes,
    maxTexts: Limits.translateTexts,
    refused: refused(options),
    segments: segmentsOf(options),
    placeholders: placeholdersOf(options),
    retryUnprotected: placeholders?.onLost === "unprotected",
    duplicates: duplicatesOf(options),
    budget,
    progress,
    concurrency,
    unordered
  }
}
