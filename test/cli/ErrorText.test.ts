import { SystemError } from "@effect/platform/Error"
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { describe as told } from "../../src/cli/translate/errorText.js"
import { invalidRequest } from "../../src/client/TranslateError.js"
import * as Formats from "../../src/format/Formats.js"
import * as files from "../../src/internal/files.js"
import { OutputUnusable } from "../../src/job/FileSourceError.js"
import { InvalidJob } from "../../src/job/JobError.js"

const sourceOf = (path: string) => ({ path, folder: "." })
const say = told({ sources: ["a.md", "b.md"].map(sourceOf) })

const unknown = (path: string) => Either.getOrThrow(Either.flip(Formats.detect({ path, head: "" })))

describe("an error that ends a job", () => {
  it("names files and flags", () => {
    const violations = [
      { field: "sources[1]", rule: 'reads "c", which "a.md" does too: give it its own `output`' }
    ]
    expect(say(new InvalidJob({ violations })).message).toBe(
      'b.md reads "c", which "a.md" does too: give it its own --out'
    )
    const request = { method: "POST", path: "/v2/translate" }
    const refused = invalidRequest(request, [{ field: "glossaryId", rule: "needs `sourceLang`: set it" }])
    expect(say(refused).message).toBe("Nothing was sent: --glossary needs --from: set it")
  })

  it("names the formats that a file could be, or all", () => {
    expect(say(unknown("a.bin")).message).toMatch(
      /^a\.bin: no format has its ending: choose with --format, one of .*markdown.*\.$/
    )
    const [first, second] = Formats.all
    const either = new Formats.UnknownFormat({
      file: "a.x",
      candidates: [first!.name, second!.name],
      known: [],
      message: ""
    })
    expect(say(either).message).toBe(
      `a.x: it may be ${first!.name} or ${second!.name}: choose with --format.`
    )
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
})
