import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as failure from "../../src/cli/failure.js"
import { FailedUnitsError } from "../../src/job/FailedUnits.js"

describe("exit codes", () => {
  it("tell a file that --failed-units names and that is no such list as wrong usage", () => {
    const error = new FailedUnitsError({
      file: "a.json",
      line: 1,
      message: "a.json, line 1 is no failed unit"
    })
    expect(failure.ofCause(Cause.fail(error))).toMatchObject({ code: 2, message: error.message })
  })
})
