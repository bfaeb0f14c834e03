/** Causes of failures by their codes: of Node and its system, of certificates, and of databases. One table for all messages about them. */

import { codeOf, connectionCauses, memory, type SystemCause } from "./connectionCauses.js"

export { codeOf } from "./connectionCauses.js"

const right: SystemCause = { says: "you have no right to" }

const credentials: SystemCause = {
  says: "it does not accept the user or the password",
  advice: "correct them in the address"
}

const causes: Readonly<Record<string, SystemCause>> = {
  ENOENT: { says: "it is not there" },
  ENOTDIR: { says: "a part of its path is no folder" },
  EISDIR: { says: "it is a folder" },
  EEXIST: { says: "it is there already" },
  ELOOP: { says: "its links lead in a circle" },
  ENAMETOOLONG: { says: "its name is too long" },
  EBADF: { says: "it is not open for that" },
  ERR_INVALID_ARG_VALUE: { says: "no file can have its name" },
  EIO: { says: "its device fails" },
  EACCES: right,
  EPERM: right,
  EROFS: { tag: "FileSystemReadOnly", says: "its file system can only be read" },
  ENOSPC: { tag: "DiskFull", says: "its disk is full" },
  EDQUOT: { tag: "DiskFull", says: "your share of its disk is full" },
  EFBIG: { tag: "DiskFull", says: "it is larger than its disk takes" },
  ...connectionCauses,
  SQLITE_NOMEM: memory,
  SQLITE_CANTOPEN: {
    says: "it can't be opened",
    advice: "make its folder, and make both readable and writable"
  },
  "28000": credentials,
  "28P01": credentials,
  "3D000": {
    says: "there is no such database",
    advice: "create it, or correct its name in the address"
  },
  "3F000": { says: "there is no such schema", advice: "create it, or correct its name" },
  "42501": { says: "its user has no right to that", advice: "grant it, or name another user in the address" }
}

/** The words, advice and tag of a code. */
export const find = (code: string | undefined): SystemCause | undefined =>
  code !== undefined && Object.hasOwn(causes, code) ? causes[code] : undefined

const withCode = (code: string, { advice, says }: SystemCause): string =>
  `${says} (${code})${advice === undefined ? "" : `: ${advice}`}`

/** A sentence for an error in which the machine refuses the whole program; `undefined` of any other error. */
export const ofProgram = (
  error: unknown
): (Pick<Required<SystemCause>, "tag"> & { readonly message: string }) | undefined => {
  const code = codeOf(error)
  const cause = find(code)
  if (cause?.tag === undefined) return undefined
  const clause = withCode(code!, cause)
  return { tag: cause.tag, message: `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.` }
}

/** The clause of a cause that has its own advice. */
export const advised = (code: string | undefined): string | undefined => {
  const cause = find(code)
  return cause?.advice === undefined ? undefined : withCode(code!, cause)
}

/** The rest of a sentence: the cause and the advice, which is the one given here where the cause has none. */
export const because = (code: string, advice: string): string => {
  const known = advised(code)
  return known === undefined ? ` (${code}): ${advice}` : `: ${known}`
}

/**
 * Codes of errors of connections and databases that may pass by themselves: locks, deadlocks, a server that starts,
 * stops, or has no connection left, and all errors of connections (Node's codes begin with an E), but for addresses and
 * certificates that are wrong.
 */
const passing =
  /^SQLITE_(BUSY|LOCKED|PROTOCOL|IOERR|INTERRUPT|NOMEM)|^(08...|40...|53[234]00|25P03|55P03|57014|57P0[1-5])$|^E(?!RR_(INVALID|SSL|TLS)_)[A-Z_]+$|^DISCONNECTED$/

/** True if the same may succeed a little later, by the code of its error. */
export const isPassing = (code: string): boolean => passing.test(code)

/** Why a file can't be used, in a few words. */
export const reasonOf = (error: unknown): string => {
  const code = codeOf(error)
  const cause = find(code)
  if (cause === undefined) return code ?? "for an unknown reason"
  return cause.advice === undefined ? cause.says : withCode(code!, cause)
}

/** The same with the code, for the readers of a program's error; the error's own message, if it has no known code. */
export const reasonWithCode = (error: { readonly message: string }): string => {
  const code = codeOf(error)
  if (find(code) === undefined) return error.message
  const reason = reasonOf(error)
  return reason.includes(code!) ? reason : `${code}: ${reason}`
}
