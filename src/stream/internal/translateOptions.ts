import type * as Duration from "effect/Duration"
import type * as Text from "../../api/Text.js"
import type * as TranslationStore from "../../store/TranslationStore.js"
import type * as GlossaryTerms from "../../text/GlossaryTerms.js"
import type * as MessageFormat from "../../text/MessageFormat.js"
import type * as Placeholder from "../../text/Placeholder.js"
import type * as Syntax from "../../text/Syntax.js"
import type * as Budget from "../Budget.js"
import type * as Progress from "../Progress.js"
import type { observe } from "../ProgressObserver.js"
import type * as ServiceLimits from "../ServiceLimits.js"
import type * as Verification from "../Verification.js"

/**
 * The options of a translation, and how it runs. `showBilledCharacters` is always on: outcomes carry the cost.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends Omit<Text.TranslateOptions, "showBilledCharacters"> {
  /**
   * The entries of the glossary, source to target, where they are known. The check `glossary` of `verify` looks for them, and the
   * translation of a text in a store depends on those that it holds alone: a changed term sends no other text again. @default unknown:
   * all translations depend on the whole glossary
   */
  readonly glossaryTerms?: GlossaryTerms.Terms | undefined
  /** Most requests in flight; the `ConcurrencyLimit` may allow fewer. @default 8 */
  readonly concurrency?: number | undefined
  /** Emits outcomes as they come instead of in the order of the elements. @default false */
  readonly unordered?: boolean | undefined
  /** Most texts of a request. @default 50, the most that the service takes */
  readonly maxTexts?: number | undefined
  /** Most bytes of a body; a text that takes more by itself is sent alone. @default 131072, the most that the service takes */
  readonly maxBytes?: number | undefined
  /**
   * The time for which texts wait for more of a slow source until their request is full: from the first of them on. The
   * last texts of the source are sent at once. @default until the source has nothing more to give and no request is in
   * flight
   */
  readonly linger?: Duration.DurationInput | undefined
  /** How to treat a text that exceeds a request: split it into segments, or fail it with its size. @default "segment" */
  readonly oversized?: "segment" | "fail" | undefined
  /**
   * The number of characters around a segment that go with it as its context; each segment is a request of its own then.
   * @default 0
   */
  readonly segmentContext?: number | undefined
  /**
   * Sends equal texts once, apart from whitespace around them: the first is paid for, the others are `Cached`. With a `store` they always
   * are. @default false
   */
  readonly dedupe?: boolean | DedupeOptions | undefined
  /**
   * Keeps placeholders out of the translation, and checks that all of them came back. A text that has lost one is `Failed` with
   * `TranslationRefused`, unless `verify` has another policy for `placeholders`. @default none
   */
  readonly placeholders?: Placeholders | undefined
  /**
   * The syntax of texts beside `placeholders`: further syntax that is protected, and the treatment of texts with syntax that is not
   * understood. It changes no translation in a store. @default nothing
   */
  readonly syntax?: SyntaxOptions | undefined
  /** Checks translations, and how to treat those with findings. @default nothing is checked */
  readonly verify?: Verification.Options | undefined
  /**
   * The most characters that this stream may spend, or all streams with the same `Budget` together; before they spend
   * more, the stream ends with `BudgetExceeded`. @default no limit
   */
  readonly budget?: Budget.Service | number | undefined
  /** Receives the progress of this stream. @default none */
  readonly progress?: Pick<Progress.Progress, typeof observe> | undefined
  /**
   * The store of paid translations, of this stream and of others: a text that it knows is `Cached`, and each translation
   * is stored before its outcome leaves. A text is sent by one stream at a time. A store that fails ends the stream.
   * @default none
   */
  readonly store?: TranslationStore.Service | undefined
  /**
   * Findings about the service that are known already, and shared with other streams of the same account. @default
   * nothing: each stream begins with one request at a time, until the service has accepted its options
   */
  readonly serviceLimits?: ServiceLimits.ServiceLimits | undefined
}

/**
 * Placeholders that are not translated.
 *
 * @since 0.1.0
 * @category models
 */
export interface Placeholders extends Omit<Placeholder.Options, "tagHandling"> {
  /**
   * The format of texts that are messages with arguments and branches: `IcuMessage.format` of `effect-translate/icu`. Each
   * branch is translated as a whole sentence, and the message counts as one text. A text that is no such message is
   * protected as any other. @default none: texts are no messages
   */
  readonly messageFormat?: MessageFormat.MessageFormat | undefined
  /**
   * Texts in which one is found are sent protected, in requests of their own; all others are sent as if there was no option `placeholders`,
   * and the translations of both are stored as without it. @default false: all texts are protected alike
   */
  readonly apart?: boolean | undefined
}

/**
 * The treatment of the syntax that texts hold: see `Syntax`.
 *
 * @since 0.1.0
 * @category models
 */
export interface SyntaxOptions {
  /** The origin of the texts, which tells syntax from prose. @default unknown: nothing but placeholders is looked for */
  readonly place?: Syntax.Place | undefined
  /** Further syntax that is protected, by name or pattern, where there are `placeholders`. @default nothing */
  readonly protect?: ReadonlyArray<Syntax.Name | RegExp> | undefined
  /**
   * Where `placeholders` are `apart`: texts with an element of HTML that closes or stands alone are sent as HTML, in requests of their own,
   * and come back with the tags and attributes of their source. @default false; true in jobs
   */
  readonly html?: boolean | undefined
  /**
   * The treatment of a text that holds syntax which is not understood: it is not sent and fails with `Syntax.NotUnderstood`, it is sent and
   * flagged, or it is sent. @default "flag" in rows, "fail" elsewhere
   */
  readonly notUnderstood?: "fail" | "flag" | "ignore" | undefined
  /** Texts that were looked at by a person, and are sent. @default nothing */
  readonly accepted?: Pick<ReadonlySet<string>, "has"> | undefined
}

/**
 * The size of a stream's memory of its translations, by which equal texts are sent once. The least recently used goes
 * first.
 *
 * @since 0.1.0
 * @category models
 */
export interface DedupeOptions {
  /** Most texts. @default 1000 */
  readonly texts?: number | undefined
  /** Most bytes of texts and translations in memory. @default 8388608, which is 8 MiB */
  readonly bytes?: number | undefined
}
