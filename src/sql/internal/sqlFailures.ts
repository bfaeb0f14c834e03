import type { SqlError } from "@effect/sql/SqlError"
import * as StoreError from "../../store/StoreError.js"
import * as SqlErrorCode from "../SqlErrorCode.js"

/** SQLite by the names of its results, PostgreSQL by SQLSTATE. */
const full = /^SQLITE_FULL|^53100$/
const readOnly = /^SQLITE_(READONLY|PERM)|^(25006|42501)$/
const damaged = /^SQLITE_(CORRUPT|NOTADB|FORMAT|IOERR_SHORT_READ|IOERR_CORRUPTFS)|^XX00[12]$/

/** Whether the same may succeed a little later. */
export const isPassing = (error: StoreError.StoreError): error is StoreError.StoreUnavailable =>
  error._tag === "StoreUnavailable" && SqlErrorCode.isPassing(error.code)

/** What a failure of the database means for a store. */
export const storeError =
  (store: string) =>
  (error: SqlError): StoreError.StoreError => {
    const code = SqlErrorCode.orDisconnected(error)
    if (full.test(code)) return new StoreError.StoreFull({ store })
    if (readOnly.test(code)) return new StoreError.StoreReadOnly({ store })
    if (damaged.test(code)) return new StoreError.StoreDamaged({ store })
    return new StoreError.StoreUnavailable({ store, code })
  }
