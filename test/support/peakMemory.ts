import { readFileSync } from "node:fs"

/**
 * The peak of this process's resident memory, in MiB. `resourceUsage` tells no less than what the parent had when it started this process,
 * such as a worker of the tests.
 */
export const peakMiB = (): number => {
  try {
    return Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))![1]) / 1024
  } catch {
    return process.resourceUsage().maxRSS / 1024
  }
}
