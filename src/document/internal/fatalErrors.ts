import * as Document from "../../api/Document.js"
import * as Errors from "../../client/Errors.js"
import * as TranslateError from "../../client/TranslateError.js"
import { isStoreError } from "../../store/StoreError.js"
import * as DocumentError from "../DocumentError.js"
import * as DocumentJournal from "../DocumentJournal.js"
import type { DocumentTranslationError } from "./translationModels.js"

/** Errors that end uploads only: downloads cost nothing, and need no store. */
const ofUploads: ReadonlySet<string> = new Set(["Unauthorized", "QuotaExceeded", "BudgetExceeded"])

/** The work of other documents that an error ends: uploads only, or all. */
export const ends = (error: DocumentTranslationError): "uploads" | "all" | undefined => {
  if (!Errors.isFatal(error)) return undefined
  return isStoreError(error) || ofUploads.has(error._tag) ? "uploads" : "all"
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
