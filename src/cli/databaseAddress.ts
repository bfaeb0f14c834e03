/** Addresses of databases on a command line: of PostgreSQL, and else of files. */

/** True if a store, or the place of jobs, is a database of PostgreSQL. */
export const isPostgres = (address: string): boolean => /^postgres(ql)?:\/\//i.test(address)

/** True if it is an address, and no path: a single letter before the colon is a drive. */
export const hasScheme = (address: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(address)

const namesHost = (address: string): boolean =>
  URL.canParse(address) && (new URL(address).hostname !== "" || new URL(address).searchParams.has("host"))

/** The problem with an address that an option takes; the address is not shown, as it may hold a password. `known` names what the option takes. */
export const problemOf = (option: string, address: string, known: string): string | undefined => {
  if (address.trim() === "") return `${option} is empty: give ${known}.`
  if (!hasScheme(address)) return undefined
  if (!isPostgres(address)) {
    return `${option} is no address that is known: give ${known}. A file whose name holds a colon is ./name.`
  }
  return namesHost(address)
    ? undefined
    : `${option} is no address of a database: give ${known}, with %40 and the like for other characters of a password than letters and digits.`
}
