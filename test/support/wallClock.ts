/** The wall clock of a process, which a test can set while it runs: by libfaketime, as the drivers of databases ask the clock by themselves. */
import { writeFileSync } from "node:fs"
import { globSync } from "tinyglobby"

/** `.ci/install` installs it. */
const library = (): string => {
  const [path] = globSync("/usr/lib/*/faketime/libfaketime.so.1")
  if (path === undefined) throw new Error("This needs the package libfaketime: .ci/install installs it.")
  return path
}

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
      LD_PRELOAD: library(),
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: "1",
      DONT_FAKE_MONOTONIC: "1"
    },
    set
  }
}
