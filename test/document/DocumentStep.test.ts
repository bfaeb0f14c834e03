/** The table from what the journal knows of a document to the next step. */
import { describe, expect, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { DocumentJournal, DocumentTranslation } from "effect-translate/documents"
import { mayUpload, nextStep } from "../../src/document/internal/documentStep.js"

const handle = {
  documentId: "D1",
  documentKey: Redacted.make("K1"),
  name: "a.txt",
  translatedName: "a.txt",
  targetLang: "de"
}
const document = { file: "/a.txt", targetLang: "de" }
const received = { _tag: "Received", documentId: "D1", temporary: "/.x.part", output: "/a.de.txt" } as const
const done = { _tag: "Done", documentId: "D1", output: "/a.de.txt" } as const

const upload = { _tag: "Upload" }
const ambiguous = { _tag: "Fail", error: { _tag: "AmbiguousUpload", file: "/a.txt", targetLang: "de" } }
const failed = {
  _tag: "Fail",
  error: { _tag: "DocumentFailed", documentId: "D1", serviceMessage: "No text" }
}
const download = (uploadIfGone: boolean, more = {}) => ({ _tag: "Download", handle, uploadIfGone, ...more })

/** What is known, the next step, what `resubmit` may name, and the next step then. */
type Row = [
  entry: DocumentJournal.Entry | undefined,
  step: object,
  allowed?: DocumentTranslation.Resubmit,
  stepIfAllowed?: object
]

const table: ReadonlyArray<Row> = [
  [undefined, upload],
  [{ _tag: "Refused", reason: "400" }, upload],
  [{ _tag: "Sent" }, ambiguous, "ambiguous", upload],
  [{ _tag: "Ambiguous", reason: "cut" }, ambiguous, "ambiguous", upload],
  [{ _tag: "Failed", documentId: "D1", serviceMessage: "No text" }, failed, "failed", upload],
  [{ _tag: "Uploaded", handle }, download(false)],
  [
    { _tag: "Downloading", handle, temporary: "/.x.part" },
    download(false, { leftover: "/.x.part" }),
    "lost",
    download(true, { leftover: "/.x.part" })
  ],
  [{ _tag: "Lost", handle, reason: "cut" }, download(false), "lost", download(true)],
  [
    received,
    { _tag: "Finish", received, uploadIfGone: false },
    "lost",
    { _tag: "Finish", received, uploadIfGone: true }
  ],
  [done, { _tag: "Report", done }]
]

const all: ReadonlyArray<DocumentTranslation.Resubmit> = ["ambiguous", "lost", "failed"]

describe("the next step", () => {
  for (const [entry, step, allowed, stepIfAllowed = step] of table) {
    const next = (resubmit: ReadonlyArray<DocumentTranslation.Resubmit>) =>
      nextStep(document, Option.fromNullable(entry), { resubmit })

    it(`after ${entry?._tag ?? "nothing"}`, () => {
      expect(next([])).toMatchObject(step)
      expect(next(all.filter((each) => each !== allowed))).toMatchObject(step)
      expect(next(all)).toMatchObject(stepIfAllowed)
      expect(mayUpload(next([]))).toBe(step === upload)
      expect(mayUpload(next(all))).toBe(step === upload || allowed !== undefined)
    })
  }

  it("with a handle that the journal does not know is its download; otherwise the journal goes first", () => {
    const next = (entry: DocumentJournal.Entry | undefined, documentId = "D1") =>
      nextStep(document, Option.fromNullable(entry), { handle: { ...handle, documentId }, resubmit: all })
    expect(next(undefined)).toEqual(download(false, { isNew: true }))
    expect(next(done, "D2")).toMatchObject({ _tag: "Download", handle: { documentId: "D2" }, isNew: true })
    expect(next(done)).toEqual({ _tag: "Report", done })
    expect(next({ _tag: "Lost", handle, reason: "cut" })).toEqual(download(true))
  })
})
