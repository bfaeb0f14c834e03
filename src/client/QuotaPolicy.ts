/**
 * The treatment of a quota that is used up (456): wait, or go on with another key; the last also while the service is down.
 * Without a policy a call fails with `QuotaExceeded`, which ends a stream or a batch.
 *
 * @since 0.1.0
 */
import type * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Usage from "../api/Usage.js"
import * as anotherAccount from "./internal/calling/anotherAccount.js"
import { get } from "./internal/calling/get.js"
import type { Account, Apply } from "./internal/pacing/billedCalls.js"
import * as failOver_ from "./internal/pacing/failOver.js"
import * as waitForQuota from "./internal/pacing/waitForQuota.js"
import type * as TranslateError from "./TranslateError.js"

/**
 * Another account for {@link failOver}.
 *
 * @since 0.1.0
 * @category models
 */
export type { Account } from "./internal/pacing/billedCalls.js"

/**
 * How a client goes on once the quota is used up (456): the option `quota` of its layer. Without it, calls fail with `QuotaExceeded`. A policy holds
 * for what is billed: `translateText`, `write.rephrase`, `write.correct` and `documents.upload`, alone or in streams and batches.
 *
 * @since 0.1.0
 * @category models
 */
export interface QuotaPolicy {
  readonly _tag: "QuotaPolicy"
  /** @internal */
  readonly apply: Apply
}

const make = (apply: Apply): QuotaPolicy => ({ _tag: "QuotaPolicy", apply })

/**
 * Options of {@link wait}.
 *
 * @since 0.1.0
 * @category models
 */
export interface WaitOptions {
  /**
   * When to try again; its input is the refusal. Once it ends, `QuotaExceeded` is the answer.
   * @default every 15 minutes, without end
   */
  readonly schedule?: Schedule.Schedule<unknown, TranslateError.QuotaExceeded> | undefined
  /**
   * Asks `GET /v2/usage` when the period ends: the first try is then, if that is to come, and not when the schedule says. It is a
   * hint: without an answer, and after that try, the schedule holds. @default false
   */
  readonly untilPeriodEnds?: boolean | undefined
}

/**
 * Waits, and sends the refused request again. All other billed calls of the client hold meanwhile: one of them at a time
 * tries, and once it gets through all go on. A refusal bills nothing. Documents that are uploaded are awaited and downloaded
 * meanwhile; the journal says `Refused` of one that waits for its upload.
 *
 * A job that ends elsewhere, or is interrupted, ends its waits at once. The upload of a stream that can be read once
 * (`DocumentSource.fromStream`) is not repeated.
 *
 * @since 0.1.0
 * @category constructors
 */
export const wait = (options: WaitOptions = {}): QuotaPolicy =>
  make(({ client, connection }) =>
    waitForQuota.make(client, {
      schedule: options.schedule ?? Schedule.spaced("15 minutes"),
      usage: options.untilPeriodEnds === true ? get(connection)(Usage.usage)({}) : undefined
    })
  )

/**
 * Goes on with other accounts, each with a key of its own: the next client sends a refused request at once, and later calls
 * begin there. A call tries each account once. `QuotaExceeded` is the answer when all are used up. Each has a client with a limit and
 * a circuit of its own, at the address of the first one unless it has another.
 *
 * The same holds while a client's service is down: requests of streams and batches of documents go to the next client as
 * soon as the circuit is open (see `CircuitBreaker`). A request that may have been billed is sent by another client only if
 * `ambiguousBudget` and the stream's budget allow another attempt. If no client is left, a call waits for the first one that
 * was down, as the circuit's schedule says, and then fails with `Outage`.
 *
 * A document is known to the account that it was uploaded to: it is awaited and downloaded by the client that has uploaded
 * it. After a restart each client is asked for it, the first one first, which costs nothing. Everything that is not billed
 * is done by the first client. Ids of glossaries, style rules and translation memories belong to an account.
 *
 * @since 0.1.0
 * @category constructors
 */
export const failOver = (accounts: Arr.NonEmptyReadonlyArray<Account>): QuotaPolicy =>
  make(({ client, connection, over }) => {
    const connect = anotherAccount.connect(connection)
    const others = Effect.forEach(accounts, (account) => Effect.flatMap(connect(account), over))
    return Effect.map(others, (others) => failOver_.make([client, ...others]))
  })
