import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import * as Equal from "effect/Equal"
import * as Schema from "effect/Schema"
import * as Errors from "../../src/client/Errors.js"
import * as TranslateError from "../../src/client/TranslateError.js"
import * as DocumentError from "../../src/document/DocumentError.js"
import * as FileSourceError from "../../src/job/FileSourceError.js"
import { StoreUnavailable } from "../../src/store/StoreError.js"
import { TableUnusable } from "../../src/table/TableError.js"
import { DatabaseUnavailable } from "../../src/workflow/ClusterError.js"
import { JobServerError, JobsUnavailable } from "../../src/workflow/JobControlError.js"
import * as errorClasses from "../support/errorClasses.js"

it("an error is equal to itself after JSON, and has no field that is undefined", () => {
  const error = new TranslateError.RateLimited({
    method: "POST",
    path: "/v2/translate",
    status: 429,
    retryAfter: undefined,
    attempts: 1,
    ambiguousAttempts: 0,
    delivery: "rejected"
  })
  expect(Object.keys(error)).not.toContain("retryAfter")
  const codec = Schema.parseJson(TranslateError.RateLimited)
  const decoded = Schema.decodeSync(codec)(Schema.encodeSync(codec)(error))
  expect(Equal.equals(decoded, error)).toBe(true)
})

/** What each says of itself; `depends` on its fields. The others are neither. */
const expected: Readonly<
  Record<string, readonly [isRetryable: boolean | "depends", isFatal: boolean | "depends"]>
> = {
  Unauthorized: ["depends", true],
  QuotaExceeded: [false, true],
  RateLimited: [true, false],
  ServerError: [true, false],
  UnexpectedStatus: ["depends", false],
  ProxyRefused: ["depends", "depends"],
  BadRequest: ["depends", false],
  NotFound: ["depends", false],
  PayloadTooLarge: ["depends", false],
  UriTooLong: ["depends", false],
  UnsupportedMediaType: ["depends", false],
  TransportError: [true, false],
  TimedOut: ["depends", false],
  UndecodableResponse: ["depends", false],
  MismatchedResponse: ["depends", false],
  Outage: [true, true],
  MemoryJobFailed: [true, false],
  MemoryJobOverdue: [true, false],
  MemoryTransferRefused: [true, false],
  MemoryBusy: [true, false],
  SegmentsMissing: [true, false],
  BudgetExceeded: [false, true],
  DetectorMissing: [false, true],
  ImplausibleAnswers: [false, true],
  StorageUnavailable: [true, false],
  StoreUnavailable: [true, true],
  StoreFull: [false, true],
  StoreReadOnly: [false, true],
  StoreDamaged: [false, true],
  StoreReplaced: [false, true],
  StoreVersionUnknown: [false, true],
  SourcesNotKept: [false, true],
  DocumentOverdue: [true, false],
  DocumentNotReady: [true, false],
  DownloadLost: [false, "depends"],
  DiskFull: [false, true],
  BatchHalted: [false, true],
  DocumentJournalError: [false, true],
  InvalidJob: [false, true],
  TooManyFailed: [false, true],
  JobHalted: [false, true],
  JobStopped: [false, true],
  InvalidAddress: [false, true],
  AddressInUse: [false, true],
  AddressUnavailable: [false, true],
  FolderUnavailable: [false, true],
  ClusterInUse: [false, true],
  DatabaseUnavailable: [false, true],
  StartTimedOut: [true, true],
  StorageLost: [true, true],
  JobsUnavailable: [false, true],
  JobsVersionUnknown: [false, true],
  SecretRefused: [false, true],
  SecretTooShort: [false, true],
  JobServerError: ["depends", "depends"]
}

const summary = (values: ReadonlyArray<boolean>) =>
  values.every((value) => value === values[0]) ? values[0] : "depends"

const call = { method: "POST", path: "/v2/translate", attempts: 1, ambiguousAttempts: 0 } as const
const answered = { ...call, delivery: "rejected" } as const

describe("errors of the library", async () => {
  const classes = await errorClasses.load()

  for (const [name, errors] of classes) {
    it(`${name} is equal to itself after JSON, and to no other`, () => {
      const codec = Schema.parseJson(errors)
      const found = errorClasses.samples(errors)
      // JSON has no NaN and no infinity.
      const decoded = found.map((error) => Schema.decodeEither(codec)(Schema.encodeSync(codec)(error)))
      const compared = decoded.flatMap((each, index) =>
        Either.isRight(each) ? [Equal.equals(each.right, found[index])] : []
      )
      expect(new Set(compared)).toEqual(new Set([true]))
      expect(Equal.equals(found[0], new StoreUnavailable({ store: "another", code: "1" }))).toBe(false)
    })
  }

  it("are all there", () => {
    expect(classes.size).toBeGreaterThanOrEqual(78)
    for (const name of Object.keys(expected)) expect([...classes.keys()]).toContain(name)
  })

  for (const [name, errors] of classes) {
    it(`${name} knows if it is worth another attempt, and if it ends a run`, () => {
      const found = errorClasses.samples(errors)
      expect([summary(found.map(Errors.isRetryable)), summary(found.map(Errors.isFatal))]).toEqual(
        expected[name] ?? [false, false]
      )
      for (const error of found) {
        expect(error.isRetryable).toBe(Errors.isRetryable(error))
        expect(error.message).not.toBe(undefined)
      }
    })
  }

  it("that depend on their fields", () => {
    const all = [
      [new TranslateError.Unauthorized({ ...answered, status: 401 }), false, true],
      [new TranslateError.QuotaExceeded({ ...answered, status: 456 }), false, true],
      [new TranslateError.QuotaExceeded({ ...answered, path: "/v3/glossaries", status: 456 }), true, false],
      [new TranslateError.UnexpectedStatus({ ...answered, status: 425 }), true, false],
      [new TranslateError.UnexpectedStatus({ ...answered, status: 418 }), false, false],
      [
        new TranslateError.TransportError({ ...call, delivery: "not-sent", reason: "ECONNREFUSED" }),
        true,
        false
      ],
      [
        new TranslateError.TransportError({ ...call, delivery: "not-sent", reason: "CERT_HAS_EXPIRED" }),
        false,
        false
      ],
      [
        new TranslateError.TimedOut({ ...call, delivery: "ambiguous", after: Duration.seconds(1) }),
        true,
        false
      ],
      [new TranslateError.UndecodableResponse({ ...call, delivery: "ambiguous", status: 200 }), true, false],
      [
        new TranslateError.UndecodableResponse({ ...call, delivery: "ambiguous", status: 200, limit: 9 }),
        false,
        false
      ],
      [new StoreUnavailable({ store: "a.db", code: "SQLITE_BUSY" }), true, true],
      [new DocumentError.DownloadLost({ documentId: "a", reason: "cut", received: 1 }), false, false],
      [new DocumentError.DownloadLost({ documentId: "a", reason: "unwritten", received: 1 }), false, true],
      [new FileSourceError.OutputUnusable({ output: "a", reason: "EACCES" }), false, false],
      [new DatabaseUnavailable({ code: "ECONNREFUSED" }), true, true],
      [new DatabaseUnavailable({ code: "28P01" }), false, true],
      [new JobsUnavailable({ code: "SQLITE_BUSY" }), true, true],
      [new TableUnusable({ table: "a", code: "57P01" }), true, false],
      [new TableUnusable({ table: "a", code: "42P01" }), false, false],
      [new JobServerError({ reason: "Unreachable", message: "No." }), true, true],
      [new JobServerError({ reason: "RequestRefused", message: "No." }), false, false]
    ] as const
    for (const [error, isRetryable, isFatal] of all) {
      expect([Errors.isRetryable(error), Errors.isFatal(error)], error.message).toEqual([
        isRetryable,
        isFatal
      ])
    }
  })

  it("are the only ones of which anything is said", () => {
    for (const error of [new Error("No."), { _tag: "Outage", isFatal: true, isRetryable: true }, undefined]) {
      expect(Errors.isRetryable(error)).toBe(false)
      expect(Errors.isFatal(error)).toBe(false)
    }
  })

  it("are told apart where they are refused, in doubt, or fatal", () => {
    const refused: unknown = new TranslateError.NotFound({ ...answered, status: 404 })
    const inDoubt: unknown = new TranslateError.TimedOut({
      ...call,
      delivery: "ambiguous",
      after: Duration.seconds(1)
    })
    const fatal: unknown = new TranslateError.Unauthorized({ ...answered, status: 401 })
    const groups = (error: unknown) => [
      Errors.isRefused(error) && error.delivery,
      Errors.isAmbiguous(error) && error.delivery,
      Errors.isFatal(error) && error.isFatal
    ]
    expect([refused, inDoubt, fatal, { delivery: "rejected" }].map(groups)).toEqual([
      ["rejected", false, false],
      [false, "ambiguous", false],
      ["rejected", false, true],
      [false, false, false]
    ])
  })
})
