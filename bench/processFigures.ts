/** What the system tells of processes. It is read from `/proc`, so on Linux only. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs"

const readOr = <A>(read: () => A, none: A): A => {
  try {
    return read()
  } catch {
    // It has ended.
    return none
  }
}

export interface ProcessFigures {
  readonly parent: number
  /** Seconds of the processor that it has used. */
  readonly cpuSeconds: number
  /** Those of processes that it has started and that have ended. */
  readonly endedSeconds: number
  /** The most memory that it has had, in MiB. */
  readonly peakMiB: number
}

/** `undefined` if it has ended. */
export const figuresOf = (pid: number): ProcessFigures | undefined =>
  readOr(() => {
    const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ").map(Number)
    return {
      parent: fields[1]!,
      cpuSeconds: (fields[11]! + fields[12]!) / 100,
      endedSeconds: (fields[13]! + fields[14]!) / 100,
      peakMiB: Number(peak?.[1] ?? 0) / 1024
    }
  }, undefined)

const all = (): ReadonlyArray<ProcessFigures & { readonly pid: number }> =>
  readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0)
    .flatMap((pid) => {
      const figures = figuresOf(pid)
      return figures === undefined ? [] : [{ pid, ...figures }]
    })

/** Seconds of the processor that a server of processes has used: itself, those that it has started, and those that have ended. */
export const cpuOfServer = (pid: number): number =>
  all()
    .filter((each) => each.pid === pid || each.parent === pid)
    .reduce((sum, { cpuSeconds, endedSeconds }) => sum + cpuSeconds + endedSeconds, 0)

/** The processes that a process has started, and those that these have started. */
export const descendantsOf = (pid: number): ReadonlyArray<number> => {
  const processes = all()
  const below = (parent: number): ReadonlyArray<number> =>
    processes.filter((each) => each.parent === parent).flatMap((each) => [each.pid, ...below(each.pid)])
  return below(pid)
}

/** The words that a process was started with; none if it has ended. */
export const commandOf = (pid: number): ReadonlyArray<string> =>
  readOr(() => readFileSync(`/proc/${pid}/cmdline`, "utf8"), "").split("\0")

/** How many connections a process has to a port of this machine. */
export const connectionsTo = (pid: number, port: number): number => {
  const descriptors = readOr(() => readdirSync(`/proc/${pid}/fd`), [])
  const sockets = new Set(
    descriptors.map((each) => readOr(() => readlinkSync(`/proc/${pid}/fd/${each}`), ""))
  )
  const remote = `:${port.toString(16).toUpperCase().padStart(4, "0")}`
  return readOr(() => readFileSync(`/proc/${pid}/net/tcp`, "utf8"), "")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(
      (fields) => fields[2]?.endsWith(remote) && fields[3] === "01" && sockets.has(`socket:[${fields[9]}]`)
    ).length
}
