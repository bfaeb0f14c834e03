import * as Document from "../../api/Document.js"
import * as TranslateError from "../../client/TranslateError.js"
import { isStoreError } from "../../store/StoreError.js"
import * as DocumentError from "../DocumentError.js"
import * as DocumentJournal from "../DocumentJournal.js"
import type { DocumentTranslationError } from "../DocumentTranslation.js"

/** What an error means for the other documents: they can't be uploaded, or not downloaded either. */
export const ends = (error: DocumentTranslationError): "uploads" | "all" | undefined => {
  if (isStoreError(error)) return "uploads"
  switch (error._tag) {
    case "Unauthorized":
    case "QuotaExceeded":
    case "BudgetExceeded":
      return "uploads"
    case "Outage":
    case "DiskFull":
    case "DocumentJournalError":
    case "BatchHalted":
      return "all"
    case "DownloadLost":
      return error.reason === "unwritten" ? "all" : undefined
    default:
      return undefined
  }
}

/** The same error, of an upload that was not sent for it. */
const notSent = <E extends TranslateError.TranslateError>(error: E): E =>
  new (error.constructor as new (fields: E) => E)({
    ...error,
    method: Document.upload.method,
    path: Document.upload.path,
    delivery: "not-sent",
    attempts: 0,
    ambiguousAttempts: 0
  })

/** The error of an output that was not begun, since the error of another document ended the run. */
export const ofOther =
  (error: DocumentTranslationError) =>
  (output: string): DocumentTranslationError => {
    switch (error._tag) {
      case "DocumentJournalError":
        return new DocumentJournal.DocumentJournalError({ message: error.problem ?? error.message })
      case "DiskFull":
        return new DocumentError.DiskFull({ output, reason: error.reason })
      case "DownloadLost":
        return new DocumentError.DiskFull({ output, reason: error.detail ?? error.reason })
      default:
        return TranslateError.isTranslateError(error) ? notSent(error) : error
    }
  }
