import { describe, expect, it } from "@effect/vitest"
import * as SqlErrorCode from "../../src/sql/SqlErrorCode.js"

describe("an error of a database", () => {
  it.each(["SQLITE_BUSY", "40001", "57P03", "53300", "ECONNREFUSED", "ERR_STREAM_DESTROYED", "DISCONNECTED"])(
    "may pass by itself: %s",
    (code) => expect(SqlErrorCode.isPassing(code)).toBe(true)
  )

  it.each([
    "SQLITE_FULL",
    "SQLITE_NOTADB",
    "28P01",
    "42501",
    "ERR_INVALID_URL",
    "ERR_TLS_CERT_ALTNAME_INVALID"
  ])("does not pass by itself: %s", (code) => expect(SqlErrorCode.isPassing(code)).toBe(false))
})
