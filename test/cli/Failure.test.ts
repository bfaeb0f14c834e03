import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as ConfigError from "effect/ConfigError"
import * as Duration from "effect/Duration"
import * as failure from "../../src/cli/failure.js"
import { TimedOut, TransportError } from "../../src/client/TranslateError.js"
import { StoreUnavailable } from "../../src/store/StoreError.js"
import { FailedUnitsError } from "../../src/stream/FailedUnits.js"
import { JobsUnavailable } from "../../src/workflow/JobControlError.js"

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

describe("an error that ends a job", () => {
  it("has the bill of the work before it in the object of --json", () => {
    const error = new TransportError({
      method: "GET",
      path: "/v2/usage",
      attempts: 1,
      ambiguousAttempts: 0,
      reason: "ECONNREFUSED",
      delivery: "not-sent"
    })
    const billed = { least: 7, most: 9 }
    expect(failure.ofCause(Cause.fail(failure.withBill(error, billed)))).toEqual({
      ...failure.ofCause(Cause.fail(error)),
      billed
    })
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

describe("the cause of a failure", () => {
  const codeOf = (error: unknown) => failure.ofCause(Cause.fail(error)).code
  const store = (code: string) => new StoreUnavailable({ store: "host/shop", code })

  it("is a mistake where a database does not exist or refuses the user, and an outage where it is away", () => {
    expect(["3D000", "28P01", "SQLITE_CANTOPEN"].map((code) => codeOf(store(code)))).toEqual([2, 2, 2])
    expect(["ECONNREFUSED", "57P03", "SQLITE_BUSY"].map((code) => codeOf(store(code)))).toEqual([5, 5, 5])
    expect(codeOf(new JobsUnavailable({ code: "3D000" }))).toBe(2)
    expect(store("3D000").message).toBe(
      "The store host/shop can't be used: there is no such database (3D000): create it, or correct its name in the address."
    )
  })

  it("is named where the machine gives no open files and no memory, also where nobody has expected it", () => {
    const defect = (error: unknown) => failure.ofCause(Cause.die(error))
    expect(defect(Object.assign(new Error("open"), { code: "EMFILE" }))).toMatchObject({
      code: 2,
      tag: "OpenFilesExhausted",
      message: expect.stringContaining("ulimit -n")
    })
    expect(defect(new RangeError("Array buffer allocation failed"))).toMatchObject({
      code: 2,
      tag: "OutOfMemory"
    })
    expect(defect(Object.assign(new Error("write"), { code: "ENOSPC" }))).toMatchObject({
      code: 1,
      tag: "DiskFull"
    })
    expect(defect(new RangeError("Invalid array length"))).toMatchObject({ code: 1, tag: "Defect" })
    const call = { method: "GET", path: "/v2/usage", attempts: 1, ambiguousAttempts: 0 } as const
    const transport = new TransportError({ ...call, reason: "EMFILE", delivery: "not-sent" })
    expect(failure.ofCause(Cause.fail(transport))).toMatchObject({
      code: 2,
      message: expect.stringContaining("ulimit -n")
    })
  })
})
