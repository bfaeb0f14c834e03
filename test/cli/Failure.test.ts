import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as ConfigError from "effect/ConfigError"
import * as Duration from "effect/Duration"
import * as failure from "../../src/cli/failure.js"
import { TimedOut, TransportError } from "../../src/client/TranslateError.js"
import { FailedUnitsError } from "../../src/job/FailedUnits.js"

describe("errors of calls", () => {
  it("are told without the endpoint, and with the setting that says where the service is", () => {
    const call = { method: "GET", path: "/v2/usage", attempts: 1, ambiguousAttempts: 0 } as const
    const told = failure.ofCause(
      Cause.fail(new TransportError({ ...call, reason: "ECONNREFUSED", delivery: "not-sent" }))
    )
    expect(told).toMatchObject({
      code: 5,
      message: expect.stringMatching(/ECONNREFUSED.*LANGUAGE_SERVICE_URL/)
    })
    const late = failure.ofCause(
      Cause.fail(new TimedOut({ ...call, after: Duration.seconds(1), delivery: "ambiguous" }))
    )
    expect(late.message).toMatch(/^No answer in/)
  })
})

describe("errors of the settings", () => {
  it("name all that is missing", () => {
    const error = ConfigError.And(
      ConfigError.MissingData(["LANGUAGE_SERVICE_URL"], "No address."),
      ConfigError.MissingData(["LANGUAGE_SERVICE_KEY"], "No key.")
    )
    expect(failure.ofCause(Cause.fail(error))).toMatchObject({ code: 2, message: "No address. No key." })
  })
})

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
