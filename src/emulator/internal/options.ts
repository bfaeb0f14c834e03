import type * as Duration from "effect/Duration"
import type * as ServiceKind from "../../api/ServiceKind.js"
import type * as TranslationMemory from "../../api/TranslationMemory.js"
import type * as Fault from "../Fault.js"
import type { StateFile } from "../StateFile.js"
import type { KeyOptions } from "./account.js"
import type { TranslationMemoryJobOptions } from "./memoryState.js"

/**
 * The emulator's treatment of documents.
 *
 * @since 0.1.0
 * @category models
 */
export interface DocumentOptions {
  /** The time for which each document is `queued`. @default 0 */
  readonly queueTime?: Duration.DurationInput | undefined
  /** The time for which each document is `translating` after that. @default 0 */
  readonly translationTime?: Duration.DurationInput | undefined
  /** The value of `seconds_remaining`: the time that is left, or always 2147483647. @default "honest" */
  readonly secondsRemaining?: "honest" | "absurd" | undefined
  /** The most documents of a key that wait for their download; uploads get a 429 beyond. @default no limit */
  readonly maxWaiting?: number | undefined
  /** The most bytes of a file; 413 beyond, as soon as they have come. @default 500,000,000 */
  readonly maxBytes?: number | undefined
}

/**
 * Settings of an emulator.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The accepted keys. @default Emulator.defaultKey, and Emulator.defaultAdminKey in the same account */
  readonly keys?: ReadonlyArray<string | KeyOptions> | undefined
  /** The most characters for each account in a month; 0 blocks all use, `null` is no limit. @default null */
  readonly characterLimit?: number | null | undefined
  /**
   * The kind of service that it emulates: its relaxed rules, its languages and documents, its billing, and the fields of
   * its answers. @default "specification"
   */
  readonly kind?: ServiceKind.Name | ServiceKind.ServiceKind | undefined
  /** The scheme word of the `Authorization` header. @default the one of the kind: "Service-Auth-Key" of the specification */
  readonly scheme?: string | undefined
  /**
   * The answer to requests with the key in the query or the body (`auth_key`): 403, or in the "brownout" 403 for about
   * every second one of the paid tier, and for all of the free tier. @default "reject"
   */
  readonly deprecatedAuth?: "reject" | "brownout" | undefined
  /** The header that brings the custom tag of a request. @default the one of the kind: "X-Custom-Tag" of the specification */
  readonly customTagHeader?: string | undefined
  /** The duration of a request. It is worked on and billed at the end, so an interrupted request bills nothing. @default 0 */
  readonly latency?: Duration.DurationInput | undefined
  /** The most requests at once; 429 beyond. @default no limit */
  readonly maxConcurrent?: number | undefined
  /**
   * The most requests per second, of all keys together; 429 beyond. It is a token bucket: up to one second's worth may come at once
   * after a pause. A request that is refused takes nothing from it. @default no limit
   */
  readonly requestsPerSecond?: number | undefined
  /**
   * The `Retry-After` of a 429 by `maxConcurrent` and `requestsPerSecond`, in whole seconds; `null` leaves the header
   * out.
   * @default 1
   */
  readonly retryAfter?: number | null | undefined
  /** The most bytes of a body for which the service states no limit, uploads aside; 413 beyond. @default 100,000,000 */
  readonly maxBodyBytes?: number | undefined
  /** Faults from the start, as if scripted. @default none */
  readonly faults?: ReadonlyArray<Fault.Fault> | undefined
  /** The translation memories of every account, without segments; imports make others. @default none */
  readonly translationMemories?: ReadonlyArray<TranslationMemory.TranslationMemory> | undefined
  /** The treatment of imports and exports of translation memories. @default they are done at once */
  readonly translationMemoryJobs?: TranslationMemoryJobOptions | undefined
  /**
   * The answer to a new custom instruction: the list that it is in, as in the specification, or the instruction itself,
   * as from the public service. @default "list" for the kind "specification", else "instruction"
   */
  readonly instructionAnswer?: "list" | "instruction" | undefined
  /**
   * Takes languages, writing styles, tones, translation memories and parameters of texts that the service does not know, and
   * `latency_optimized` together with any of them, which it refuses otherwise. @default false
   */
  readonly allowUnknown?: boolean | undefined
  /**
   * Changes letters of texts wherever they are, also in placeholders and in tags, but for markup and ignored elements of requests with
   * `tag_handling`: as services do now and then. @default false: syntax of all kinds stays
   */
  readonly rough?: boolean | undefined
  /** A file that keeps the accounts, from `StateFile.open`. Its keys go on working beside those of `keys`. @default none */
  readonly state?: StateFile | undefined
  /** The treatment of documents. @default they are translated at once, without limits */
  readonly documents?: DocumentOptions | undefined
}
