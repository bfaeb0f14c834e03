/** The wall clock of a process, which a test can set while it runs: by libfaketime, as the drivers of databases ask the clock by themselves. */
import { existsSync, readdirSync, writeFileSync } from "node:fs"

const namesIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const library = ["/usr/lib", "/usr/lib64", "/usr/local/lib"]
  .flatMap((folder) => [folder, ...namesIn(folder).map((name) => `${folder}/${name}`)])
  .map((folder) => `${folder}/faketime/libfaketime.so.1`)
  .find((path) => existsSync(path))

/** Why there is none here, for names of tests that are skipped. */
export const why =
  library === undefined ? " (skipped: no libfaketime here, as in the package of that name)" : ""

export const isThere = library !== undefined

export interface WallClock {
  /** With these variables a process has this clock. Its monotonic clock goes on as it is, as it does when somebody sets the other. */
  readonly env: Readonly<Record<string, string>>
  /** Sets it to so many hours after the true time, or before it. */
  readonly set: (hours: number) => void
}

export const make = (file: string, hours = 0): WallClock => {
  const set = (hours: number) => writeFileSync(file, `${hours < 0 ? "" : "+"}${hours * 3600}`)
  set(hours)
  return {
    env: {
      LD_PRELOAD: library ?? "",
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: "1",
      DONT_FAKE_MONOTONIC: "1"
    },
    set
  }
}
