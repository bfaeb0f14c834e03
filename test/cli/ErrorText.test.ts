import { SystemError } from "@effect/platform/Error"
import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import { inWords } from "../../src/cli/document/documentText.js"
import { describe as told } from "../../src/cli/translate/errorText.js"
import { invalidRequest, Outage } from "../../src/client/TranslateError.js"
import { AmbiguousUpload } from "../../src/document/DocumentError.js"
import * as Formats from "../../src/format/Formats.js"
import * as Json from "../../src/format/Json.js"
import * as files from "../../src/internal/files.js"
import { OutputAltered, OutputIsSource, OutputUnusable } from "../../src/job/FileSourceError.js"
import { InvalidJob } from "../../src/job/JobError.js"
import { BudgetExceeded } from "../../src/stream/Budget.js"

const sourceOf = (path: string) => ({ path, folder: "." })
const say = told({ sources: ["a.md", "b.md"].map(sourceOf) })

const unknown = (path: string) => Either.getOrThrow(Either.flip(Formats.detect({ path, head: "" })))

describe("an error that ends a job", () => {
  it("names files and flags", () => {
    const violations = [
      { field: "sources[1]", rule: 'reads "c", which "a.md" does too: give it its own `output`' }
    ]
    expect(say(new InvalidJob({ violations })).message).toBe(
      'Nothing was sent: b.md reads "c", which "a.md" does too: give it its own --out.'
    )
    const request = { method: "POST", path: "/v2/translate" }
    const refused = invalidRequest(request, [{ field: "glossaryId", rule: "needs `sourceLang`: set it" }])
    expect(say(refused).message).toBe("Nothing was sent: --glossary needs --from: set it.")
  })

  it("names --to for a language of the list, and the command that lists the values of an option", () => {
    const language = { field: "targets[1]", rule: 'is "zh-TW", which is no target language: write "zh-Hant"' }
    expect(say(new InvalidJob({ violations: [language] })).message).toBe(
      'Nothing was sent: --to is "zh-TW", which is no target language: write "zh-Hant".'
    )
    const rule = "names nothing that this key and region know: take the id from the list"
    const gone = invalidRequest({ method: "POST", path: "" }, [{ field: "glossaryId", rule }])
    expect(say(gone).message).toBe(
      "Nothing was sent: --glossary names nothing that this key and region know: effect-translate glossary list shows those there are."
    )
  })

  it("names the formats that a file could be, or all", () => {
    expect(say(unknown("a.bin")).message).toMatch(
      /^a\.bin: no format has its ending: choose with --format, one of .*markdown.*\.$/
    )
    const either = Either.flip(
      Formats.detect({ path: "a.json", head: "{}" }, [Json.format, { ...Json.format, name: "other" }])
    )
    expect(say(Either.getOrThrow(either)).message).toMatch(
      /^a\.json: it may be json or other: choose with --format\.$/
    )
  })

  it("names the flag of an option, with the value that it is to have", () => {
    const altered = new OutputAltered({ output: "a.de.csv", meanwhile: false })
    expect(say(altered).message).toContain("or replace it with --existing overwrite. What a person")
    const same = new OutputIsSource({ output: "a.csv", targetLang: "de" })
    expect(say(same).message).toContain("give another --out, or leave that language out of --to.")
    expect(say(new BudgetExceeded({ cap: 10, used: 0, needed: 12 })).message).toContain(
      "Raise --budget to 12"
    )
    const unknown = new AmbiguousUpload({ file: "a.docx", targetLang: "de", reason: "cut" })
    expect(inWords(unknown).message).toContain("then say --resubmit ambiguous to upload it again.")
  })

  it("is wrong usage if an output can't be written, but not if its disk is full", () => {
    const error = (code: string) =>
      new SystemError({
        reason: "Unknown",
        module: "FileSystem",
        method: "open",
        cause: Object.assign(new Error(code), { code })
      })
    const tagOf = (code: string) =>
      say(new OutputUnusable({ output: "a", reason: code, isFull: files.isFull(error(code)) }))._tag
    expect([tagOf("ENOSPC"), tagOf("EACCES")]).toEqual(["OutputUnusable", "Usage"])
  })

  it("is no outage of the service where the machine opens no more connections", () => {
    const outage = (lastError: string) =>
      new Outage({
        method: "POST",
        path: "/v2/translate",
        delivery: "not-sent",
        attempts: 1,
        ambiguousAttempts: 0,
        lastError,
        failures: 5,
        lasted: Duration.seconds(10)
      })
    expect(say(outage("TransportError (EMFILE)"))).toMatchObject({
      _tag: "OpenFilesExhausted",
      message: expect.stringMatching(/ulimit -n/)
    })
    expect(say(outage("TransportError (ECONNREFUSED)"))._tag).toBe("Outage")
  })
})
