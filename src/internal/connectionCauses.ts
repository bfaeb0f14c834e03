/** Causes of failures that a connection may meet, by their codes: limits of the process and the machine, and certificates. */

export interface SystemCause {
  /** A clause. */
  readonly says: string
  /** Advice, where only the cause can give it. */
  readonly advice?: string
  /** Its words where the whole program fails by it, and no file, request or store does. */
  readonly tag?: "DiskFull" | "FileSystemReadOnly" | "OpenFilesExhausted" | "OutOfMemory"
}

const openFiles = (whose: string, how: string): SystemCause => ({
  tag: "OpenFilesExhausted",
  says: `${whose} as many files and connections open as it may`,
  advice: `raise that limit, as by ${how}`
})

export const memory: SystemCause = {
  tag: "OutOfMemory",
  says: "there is not enough memory",
  advice: "give the process more: raise ulimit -v or the limit of its container, or end other programs"
}

/** Of certificates that Node does not accept, as no trusted authority has signed them. */
const distrusted = (says: string): SystemCause => ({
  says: `the certificate is ${says}`,
  advice:
    "if it is one of your own, or of a proxy that reads TLS, set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of who has signed it"
})

export const connectionCauses: Readonly<Record<string, SystemCause>> = {
  EMFILE: openFiles("this process has", "ulimit -n 4096"),
  ENFILE: openFiles("this machine has", "sysctl fs.file-max"),
  ENOMEM: memory,
  DEPTH_ZERO_SELF_SIGNED_CERT: distrusted("self-signed"),
  SELF_SIGNED_CERT_IN_CHAIN: distrusted("signed by a self-signed one, which is not trusted"),
  UNABLE_TO_GET_ISSUER_CERT: distrusted("signed by somebody unknown"),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: distrusted("signed by somebody unknown"),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: distrusted("signed by somebody unknown")
}

/** A system has no code for memory that V8 or WebAssembly can't reserve. */
const ofMemory = /out of memory|could not allocate|allocation failed/i

/** The code of an error, such as `ENOENT`, or else of its cause. */
export const codeOf = (error: unknown): string | undefined => {
  if (typeof error !== "object" || error === null) return undefined
  if ("code" in error && typeof error.code === "string") return error.code
  if (error instanceof RangeError && ofMemory.test(error.message)) return "ENOMEM"
  return "cause" in error ? codeOf(error.cause) : undefined
}

/** The words, advice and tag of a code that a connection may meet. */
export const find = (code: string | undefined): SystemCause | undefined =>
  code !== undefined && Object.hasOwn(connectionCauses, code) ? connectionCauses[code] : undefined
