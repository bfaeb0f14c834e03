/** The line for a person about a failure, and the exit code for a script. */
import * as Cause from "effect/Cause"
import * as ConfigError from "effect/ConfigError"
import * as Data from "effect/Data"
import * as Predicate from "effect/Predicate"
import * as TranslateError from "../client/TranslateError.js"
import * as systemCauses from "../internal/systemCauses.js"
import type { Failure } from "./lastWord.js"

/** The exit codes of the program. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  quota: 3,
  unauthorized: 4,
  unreachable: 5,
  found: 6,
  lost: 75,
  outdated: 76,
  interrupted: 130,
  closed: 141
} as const

/** The meanings of exit codes for help and documents. */
export const meanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: "All is done.",
  failed: "Some texts, documents or files failed or are broken; the rest is done.",
  usage:
    "The command line, the settings or a file that they name is wrong, or this machine lacks a resource: open files, memory, a folder that can be written.",
  quota: "A quota or a budget is used up.",
  unauthorized: "The service does not accept the key.",
  unreachable:
    "The service, the proxy before it, a store of objects, or the database of the store or of the jobs, can't be reached or does not recover.",
  found: "check, or translate with --fail-on, has found something that is wrong with translations.",
  lost: "A worker has lost its database: start it again, as --supervised, systemd and Kubernetes do.",
  outdated:
    "The tables of the jobs are those of another version of effect-translate: start that one. A worker that runs finishes requests in flight first.",
  interrupted: "Interrupted (Ctrl-C), or the job was cancelled.",
  closed: "The reader of standard output has closed it, as head does."
}

/** The command line, the settings or a file that they name are wrong. */
export class Usage extends Data.TaggedError("Usage")<{ readonly message: string }> {}

/** Something is wrong with the command line, the settings or a file that they name. */
export const usage = (message: string): Usage => new Usage({ message })

/** The command has come to its end, but not all was done: texts or documents have failed. */
export class Incomplete extends Data.TaggedError("Incomplete")<{ readonly message: string }> {}

/** Something is wrong with translations that were checked. */
export class ProblemsFound extends Data.TaggedError("ProblemsFound")<{ readonly message: string }> {}

/** An error of handlers: every error of the library is one. */
export interface Described {
  readonly _tag: string
  readonly message: string
  /** The characters that were billed before, where a job has ended. */
  readonly billed?: { readonly least: number; readonly most: number } | undefined
}

/** The same error, with the bill of the work before it. */
export const withBill = (error: Described, billed: Described["billed"]): Described =>
  Object.assign(Object.create(error) as Described, { billed })

/** Exit codes for an error that may pass, and for one that does not. */
interface ByTime {
  readonly later: number
  readonly never: number
}

const unreachable: ByTime = { later: exitCodes.unreachable, never: exitCodes.usage }

const codes: Readonly<Record<string, number | ByTime>> = {
  Usage: exitCodes.usage,
  ProblemsFound: exitCodes.found,
  JobHalted: exitCodes.interrupted,
  BatchHalted: exitCodes.interrupted,
  DocumentJournalError: exitCodes.usage,
  FailedUnitsError: exitCodes.usage,
  InvalidRequest: exitCodes.usage,
  InvalidJob: exitCodes.usage,
  DetectorMissing: exitCodes.usage,
  SourceUnreadable: exitCodes.usage,
  OutputTaken: exitCodes.usage,
  OutputIsSource: exitCodes.usage,
  OutputAltered: exitCodes.usage,
  DuplicateKeys: exitCodes.usage,
  UnknownFormat: exitCodes.usage,
  FormatError: exitCodes.usage,
  GlossaryFileError: exitCodes.usage,
  InvalidGlossary: exitCodes.usage,
  AmbiguousGlossary: exitCodes.usage,
  AmbiguousMemory: exitCodes.usage,
  OtherSourceLanguage: exitCodes.usage,
  MemoryJournalError: exitCodes.usage,
  NotFound: exitCodes.usage,
  StoreDamaged: exitCodes.usage,
  StoreReplaced: exitCodes.usage,
  StateUnusable: exitCodes.usage,
  StoreReadOnly: exitCodes.usage,
  StoreVersionUnknown: exitCodes.usage,
  SourcesNotKept: exitCodes.usage,
  JobNotFound: exitCodes.usage,
  JobConflict: exitCodes.usage,
  JobStateError: exitCodes.usage,
  JobsVersionUnknown: exitCodes.outdated,
  InvalidReference: exitCodes.usage,
  RowUnusable: exitCodes.usage,
  KeyTooShort: exitCodes.usage,
  InvalidAddress: exitCodes.usage,
  AddressInUse: exitCodes.usage,
  AddressUnavailable: exitCodes.usage,
  FolderUnavailable: exitCodes.usage,
  ClusterInUse: exitCodes.usage,
  SecretTooShort: exitCodes.usage,
  SecretRefused: exitCodes.usage,
  StorageLost: exitCodes.lost,
  StartTimedOut: exitCodes.lost,
  QuotaExceeded: exitCodes.quota,
  BudgetExceeded: exitCodes.quota,
  Unauthorized: exitCodes.unauthorized,
  Outage: exitCodes.unreachable,
  TransportError: exitCodes.unreachable,
  ProxyRefused: exitCodes.unreachable,
  TimedOut: exitCodes.unreachable,
  ServerError: exitCodes.unreachable,
  MemoryTransferRefused: exitCodes.unreachable,
  MemoryJobOverdue: exitCodes.unreachable,
  MemoryBusy: exitCodes.unreachable,
  SegmentsMissing: exitCodes.unreachable,
  RateLimited: exitCodes.unreachable,
  StorageUnavailable: exitCodes.unreachable,
  StoreUnavailable: unreachable,
  TableUnusable: unreachable,
  DatabaseUnavailable: { later: exitCodes.lost, never: exitCodes.usage },
  DatabaseLocked: exitCodes.unreachable,
  JobsUnavailable: unreachable,
  JobCancelled: exitCodes.interrupted,
  WorkerStopped: exitCodes.interrupted,
  FileSystemReadOnly: exitCodes.usage,
  OpenFilesExhausted: exitCodes.usage,
  OutOfMemory: exitCodes.usage
}

/** The exit codes of a job server's errors, by their reason. */
const serverCodes: Readonly<Record<string, number>> = {
  KeyRefused: exitCodes.unauthorized,
  RequestRefused: exitCodes.usage,
  UnknownAnswer: exitCodes.usage,
  Unreachable: exitCodes.unreachable
}

/** The exit code of an error, by its tag. Limits of the machine are told by the code of the system, wherever they are met. */
const codeOf = (error: Described): number => {
  const { code, isRetryable, reason } = error as Described & Readonly<Record<string, unknown>>
  if (error._tag === "JobServerError") return serverCodes[String(reason)] ?? exitCodes.failed
  const cause = systemCauses.find(String(code ?? reason))
  const known = codes[cause?.tag ?? error._tag] ?? codes[error._tag] ?? exitCodes.failed
  if (typeof known === "number") return known
  const isPassing = typeof code === "string" ? systemCauses.isPassing(code) : isRetryable === true
  return isPassing ? known.later : known.never
}

const isDescribed = (error: unknown): error is Described =>
  Predicate.hasProperty(error, "_tag") &&
  Predicate.isString(error._tag) &&
  Predicate.hasProperty(error, "message") &&
  Predicate.isString(error.message)

/** The message of an error of the settings: of a missing value as it is, of an invalid one with its name. */
const ofConfig = (error: ConfigError.ConfigError): string => {
  switch (error._op) {
    case "And":
      return `${ofConfig(error.left)} ${ofConfig(error.right)}`
    case "Or":
      return ofConfig(error.left)
    case "MissingData":
      return error.message
    default:
      return `${error.path.join("_")}: ${error.message}.`
  }
}

/** The message of an error. Where the service is, is a setting here, and its endpoints are nothing that a person types. */
export const messageOf = (error: Described): string => {
  if (!TranslateError.isTranslateError(error)) return error.message
  // A refused certificate, and a limit of the machine, have their own advice.
  return error._tag === "TransportError" &&
    error.delivery === "not-sent" &&
    systemCauses.find(error.reason)?.advice === undefined &&
    error.isRetryable
    ? `The service does not answer (${error.reason}): check the network, the proxy if there is one, and LANGUAGE_SERVICE_URL. effect-translate doctor prints the settings and the route.`
    : error.explanation
}

/** The failure that a cause is. */
export const ofCause = (cause: Cause.Cause<unknown>): Failure => {
  if (Cause.isInterruptedOnly(cause)) {
    return { code: exitCodes.interrupted, tag: "Interrupted", message: "Interrupted." }
  }
  const error = Cause.squash(cause)
  if (ConfigError.isConfigError(error)) {
    return { code: exitCodes.usage, tag: "ConfigError", message: ofConfig(error) }
  }
  if (isDescribed(error)) {
    const { billed } = error
    const bill = billed === undefined ? {} : { billed }
    return { code: codeOf(error), tag: error._tag, message: messageOf(error), ...bill }
  }
  const refused = systemCauses.ofProgram(error)
  if (refused !== undefined) return { code: codeOf({ _tag: refused.tag, message: "" }), ...refused }
  return {
    code: exitCodes.failed,
    tag: "Defect",
    message: "This is a bug of effect-translate: run the command again with --verbose, and report its output."
  }
}
