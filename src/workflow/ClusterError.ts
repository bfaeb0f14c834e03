/**
 * Every way in which a worker fails to join the others, and how it loses their database.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as systemCauses from "../internal/systemCauses.js"
import { is, TaggedError } from "../internal/taggedError.js"
import * as SqlErrorCode from "../sql/SqlErrorCode.js"

/**
 * An address is not `host:port`.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidAddress extends TaggedError<InvalidAddress>()(
  "InvalidAddress",
  { address: Schema.String },
  ({ address }) =>
    `The address ${JSON.stringify(address)} can't be read: give a host and a port, such as 10.0.0.5:8800, or a host alone for a free port.`,
  { isFatal: true }
) {}

/**
 * Another program listens at the address.
 *
 * @since 0.1.0
 * @category errors
 */
export class AddressInUse extends TaggedError<AddressInUse>()(
  "AddressInUse",
  { address: Schema.String },
  ({ address }) =>
    `Another program listens at ${address}: end it, choose another port, or give none, and a free one is taken.`,
  { isFatal: true }
) {}

/**
 * Nothing can listen at the address.
 *
 * @since 0.1.0
 * @category errors
 */
export class AddressUnavailable extends TaggedError<AddressUnavailable>()(
  "AddressUnavailable",
  {
    address: Schema.String,
    /** The code of the system: `EADDRNOTAVAIL` (not of this machine), `ENOTFOUND` (unknown host), `EACCES` (not allowed). */
    code: Schema.String
  },
  ({ address, code }) =>
    `Nothing can listen at ${address} (${code}): where others reach this machine by a name or an address that is not its own, give an address of its own to listen at, such as 0.0.0.0:8800.`,
  { isFatal: true }
) {}

/**
 * The database can't be used.
 *
 * @since 0.1.0
 * @category errors
 */
export class DatabaseUnavailable extends TaggedError<DatabaseUnavailable>()(
  "DatabaseUnavailable",
  {
    /** The code of the driver, such as `ECONNREFUSED`, `28P01` (wrong password), `SQLITE_NOTADB`. */
    code: Schema.String
  },
  ({ code }) =>
    SqlErrorCode.isPassing(code)
      ? `The database of the workers can't be reached${systemCauses.because(code, "start it, or correct its address, and try again")}.`
      : `The database of the workers can't be used${systemCauses.because(code, "correct its address, its user's rights, or the file that it names")}.`,
  { isRetryable: ({ code }) => SqlErrorCode.isPassing(code), isFatal: true }
) {}

/**
 * The secret of the workers could be guessed.
 *
 * @since 0.1.0
 * @category errors
 */
export class SecretTooShort extends TaggedError<SecretTooShort>()(
  "SecretTooShort",
  {},
  () =>
    'The secret of the workers has less than 16 characters: take a random one, such as that of "openssl rand -hex 32".',
  { isFatal: true }
) {}

/**
 * Another worker of the database runs with another secret, or only one of the two has one.
 *
 * @since 0.1.0
 * @category errors
 */
export class SecretRefused extends TaggedError<SecretRefused>()(
  "SecretRefused",
  {
    /** Where the other worker is. */
    address: Schema.String,
    /** True if this worker has a secret. */
    isGiven: Schema.Boolean
  },
  ({ address, isGiven }) =>
    `The worker at ${address} ${isGiven ? "does not know the secret of this one" : "has a secret, and this one has none"}: give all workers of the database the same. To change it, end all of them first.`,
  { isFatal: true }
) {}

/**
 * The folder of the database's file is missing, or can't be written.
 *
 * @since 0.1.0
 * @category errors
 */
export class FolderUnavailable extends TaggedError<FolderUnavailable>()(
  "FolderUnavailable",
  { file: Schema.String },
  ({ file }) =>
    `The file ${JSON.stringify(file)} can't be opened or made: make its folder, or allow this user to write there.`,
  { isFatal: true }
) {}

/**
 * Another worker uses the file.
 *
 * @since 0.1.0
 * @category errors
 */
export class ClusterInUse extends TaggedError<ClusterInUse>()(
  "ClusterInUse",
  { file: Schema.String },
  ({ file }) =>
    `Another worker uses ${JSON.stringify(file)}: a file serves one worker. End that one, or use PostgreSQL, which serves many.`,
  { isFatal: true }
) {}

/**
 * The worker was not ready in time: its database, or another service that it needs, has not answered.
 *
 * @since 0.1.0
 * @category errors
 */
export class StartTimedOut extends TaggedError<StartTimedOut>()(
  "StartTimedOut",
  {
    /** The time that it was waited for, in seconds. */
    seconds: Schema.Number
  },
  ({ seconds }) =>
    `The worker was not ready within ${seconds} seconds: see whether its database answers, and start it again, as a supervisor does.`,
  { isRetryable: true, isFatal: true }
) {}

/**
 * The database was lost while the worker ran: an operation has failed again and again, or had no answer within 10 seconds. The engine does
 * not recover by itself from every such loss, so the process has to end and to be started again. It loses nothing that is recorded.
 *
 * @since 0.1.0
 * @category errors
 */
export class StorageLost extends TaggedError<StorageLost>()(
  "StorageLost",
  {
    /** The code of the driver, such as `ECONNREFUSED`, or `ETIMEDOUT` if there was no answer. */
    code: Schema.String
  },
  ({ code }) =>
    `The database of the workers was lost (${code}): this worker ends, and has to be started again, as it is under a supervisor.`,
  { isRetryable: true, isFatal: true }
) {}

/**
 * Every way in which a worker fails to join the others.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ClusterError = Schema.Union(
  InvalidAddress,
  AddressInUse,
  AddressUnavailable,
  DatabaseUnavailable,
  FolderUnavailable,
  ClusterInUse,
  SecretTooShort,
  SecretRefused,
  StartTimedOut
)

/**
 * Every way in which a worker fails to join the others.
 *
 * @since 0.1.0
 * @category errors
 */
export type ClusterError = typeof ClusterError.Type

/**
 * Returns `true` for one of these errors, or `StorageLost`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isClusterError = is(ClusterError, StorageLost)

/**
 * The exit code of a process that has to be started again because the database was away: `EX_TEMPFAIL` of `sysexits.h`.
 *
 * @internal
 */
export const exitCodeOfLoss = 75

/**
 * The exit code of a worker that has to be started in another version of this library, as the tables of the jobs are not its own:
 * `EX_PROTOCOL` of `sysexits.h`. No new start of the same version cures that.
 *
 * @internal
 */
export const exitCodeOfVersion = 76

/**
 * The exit code of a process that ends with one of these errors: 75 (`EX_TEMPFAIL` of `sysexits.h`) if the same may succeed once it is started again,
 * and 2 if something has to be corrected first.
 *
 * @since 0.1.0
 * @category accessors
 */
export const exitCode = (error: ClusterError | StorageLost): number =>
  error.isRetryable ? exitCodeOfLoss : 2
