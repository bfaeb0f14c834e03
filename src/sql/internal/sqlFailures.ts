import type { SqlError } from "@effect/sql/SqlError"
import * as StoreError from "../../store/StoreError.js"
import * as SqlErrorCode from "../SqlErrorCode.js"

/** SQLite by the names of its results, PostgreSQL by SQLSTATE. */
const full = /^SQLITE_FULL|^53100$/
const readOnly = /^SQLITE_(READONLY|PERM)|^(25006|42501)$/
/**
 * SQLite refuses statements of its own layout (ERROR, CONSTRAINT) only if tables or rows are not those that were written. The driver has
 * no name for SQLITE_CORRUPT_INDEX, which is 779.
 */
const damaged =
  /^UNKNOWN_SQLITE_ERROR_779$|^SQLITE_(CORRUPT|NOTADB|FORMAT|ERROR|CONSTRAINT|MISMATCH|IOERR_SHORT_READ|IOERR_CORRUPTFS)|^XX00[12]$/

/** The error of a file whose content is not as it was written. */
export const corrupt = SqlErrorCode.withCode("SQLITE_CORRUPT", "what is stored is not what was written")

/** True if the same may succeed a little later. */
export const isPassing = (error: StoreError.StoreError): error is StoreError.StoreUnavailable =>
  error._tag === "StoreUnavailable" && SqlErrorCode.isPassing(error.code)

/** The store's error for a failure of the database. */
export const storeError =
  (store: string) =>
  (error: SqlError): StoreError.StoreError => {
    const code = SqlErrorCode.orDisconnected(error)
    if (full.test(code)) return new StoreError.StoreFull({ store })
    if (readOnly.test(code)) return new StoreError.StoreReadOnly({ store })
    if (damaged.test(code)) return new StoreError.StoreDamaged({ store })
    return new StoreError.StoreUnavailable({ store, code })
  }
