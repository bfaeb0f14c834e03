/** Documents in words: what became of them, and what a person does then. */
import type * as DocumentBatch from "../../document/DocumentBatch.js"
import type * as DocumentTranslation from "../../document/DocumentTranslation.js"
import type { Described } from "../failure.js"
import { inFlags } from "../violations.js"

const flags = {
  "file.name": "its name",
  targetLang: "--to",
  sourceLang: "--from",
  formality: "--formality",
  glossaryId: "--glossary",
  styleId: "--style",
  outputFormat: "--output-format"
}

const withoutPeriod = (text: string): string => text.replace(/[.\s]+$/, "")

const messageOf = (error: DocumentTranslation.DocumentTranslationError): string => {
  switch (error._tag) {
    case "DocumentNotReady":
      return `The translation is not ready: it is "${error.lastStatus}". Ask again later.`
    case "BatchHalted":
      return error.documentId === undefined
        ? "It was not begun."
        : "It is uploaded, and waits for its download."
    case "AlreadyDownloaded":
    case "DownloadLost":
      return `${withoutPeriod(error.message)}: document translate with --resubmit lost does that.`
    default:
      return error.message
  }
}

/** An error in words of the command line. */
export const inWords = (error: DocumentTranslation.DocumentTranslationError): Described => {
  const { _tag, message } = inFlags(flags)(error)
  if (_tag === "Usage") return { _tag: error._tag, message }
  return {
    _tag,
    message: messageOf(error)
      .replaceAll(/resubmit: \["(\w+)"\]/g, "--resubmit $1")
      .replaceAll(
        "choose another output, or say overwrite",
        "choose another with --out, or say --existing overwrite"
      )
      .replaceAll("wait again with the same handle, or raise the deadline", "run the same again")
      .replaceAll("download it again with the same handle", "run the same again")
  }
}

/** What became of a document, in a word or two. */
export const stateOf = (outcome: DocumentBatch.Outcome): string => {
  switch (outcome._tag) {
    case "Translated":
      return "translated"
    case "Skipped":
      return outcome.reason === "done" ? "was done before" : "copied"
    case "Ambiguous":
      return "unknown"
    case "Lost":
      return "lost"
    case "Failed":
      return outcome.error._tag === "BatchHalted"
        ? outcome.error.documentId === undefined
          ? "not begun"
          : "uploaded"
        : "failed"
  }
}
