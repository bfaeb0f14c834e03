/** What the service of these tests tells of the requests that it was sent. */

/** How the service behaves. */
export interface ServiceOptions {
  /** Where it listens. @default 127.0.0.1 */
  readonly host?: string
  /** Milliseconds that a request takes. */
  readonly latency?: number
  /** The most characters of a period. */
  readonly characterLimit?: number
  /** How long after its quota is used up a billing period ends. @default it lasts a month */
  readonly periodMillis?: number
  readonly requestsPerSecond?: number
  /** Answers without the emulator, at next to no cost. @default false */
  readonly bare?: boolean
  /** Whether the log tells which texts a request had. @default false */
  readonly isNumbered?: boolean
}

/** A request for translations. Times are in milliseconds. */
export interface Entry {
  readonly arrived: number
  readonly ended: number
  readonly status: number
  readonly texts: number
  /** Code points: what is billed if the status is 200. */
  readonly characters: number
  /** The process that sent it. */
  readonly worker: number
  /** The number in its first text: it names the batch. */
  readonly first: number
  /** The numbers in its texts, if the log tells them. */
  readonly numbers?: ReadonlyArray<number>
  readonly lang: string
  /** Whether its sender was gone when it was answered. */
  readonly isLost: boolean
}

export interface Meter {
  readonly now: number
  /** Requests that came, those under way and those that were refused included. */
  readonly requests: number
  readonly served: number
  /** Texts and characters that were billed. */
  readonly texts: number
  readonly characters: number
  /** Requests under way. */
  readonly open: ReadonlyArray<Omit<Entry, "ended" | "status" | "isLost">>
}
