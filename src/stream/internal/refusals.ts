import type * as TranslateError from "../../client/TranslateError.js"

/**
 * What a refused batch leads to: its halves are sent, its texts fail, or the job ends, since all that is left of it
 * would fail in the same way.
 */
export type Verdict = "halve" | "fail" | "stop"

/** So many requests of a job are refused at most while none has succeeded: then the options are at fault. */
const mostRefused = 12

/** Judges the refusals of a job. */
export interface Judge {
  /** A request has succeeded, so the service takes the options. */
  readonly accept: () => void
  /** Until then one request at a time is sent. */
  readonly isAccepted: () => boolean
  readonly judge: (error: TranslateError.TranslateError, texts: number) => Verdict
}

export const make = (): Judge => {
  let isAccepted = false
  let refused = 0
  return {
    accept: () => {
      isAccepted = true
    },
    isAccepted: () => isAccepted,
    judge: (error, texts) => {
      switch (error._tag) {
        case "Unauthorized":
        case "QuotaExceeded":
        case "NotFound":
        case "UnsupportedMediaType":
        case "UriTooLong":
        case "InvalidRequest":
          return "stop"
        case "PayloadTooLarge":
          return texts > 1 ? "halve" : "fail"
        case "BadRequest":
        case "UnexpectedStatus":
          if (!isAccepted && ++refused >= mostRefused) return "stop"
          return texts > 1 && error._tag === "BadRequest" ? "halve" : "fail"
        default:
          return "fail"
      }
    }
  }
}
