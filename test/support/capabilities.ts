/** What some kernels and users lack, and nothing can install. `.ci/run` names at its end what was not run for that. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"

const run = (command: string, ...words: ReadonlyArray<string>) =>
  execFileSync(command, words, { stdio: "pipe" })

interface Probe {
  readonly lacks: string
  /** Throws where it is missing. */
  readonly probe: () => unknown
}

const probes = {
  mounts: {
    lacks: "no file system can be mounted",
    probe: () => {
      const path = mkdtempSync(`${tmpdir()}/mount-`)
      try {
        run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", path)
        run("umount", path)
      } finally {
        rmSync(path, { recursive: true })
      }
    }
  },
  networks: {
    lacks: "no network namespace can be made",
    probe: () => {
      const name = `probe-${process.pid}`
      run("ip", "netns", "add", name)
      try {
        run(
          "ip",
          "link",
          "add",
          `p${process.pid}a`,
          "type",
          "veth",
          "peer",
          `p${process.pid}b`,
          "netns",
          name
        )
      } finally {
        run("ip", "netns", "del", name)
      }
    }
  },
  procfs: {
    lacks: "there is no /proc",
    probe: () => {
      if (!existsSync("/proc/self/task")) throw new Error("there is none")
    }
  },
  systemd: { lacks: "there is no systemd", probe: () => run("systemd-analyze", "--version") }
} satisfies Readonly<Record<string, Probe>>

export interface Capability {
  readonly isMissing: boolean
  /** The reason, for the names of tests that are not run; empty where it is there. */
  readonly why: string
}

const known = new Map<string, Capability>()

/** Whether this machine has it: `describe.skipIf(isMissing)`. */
export const capability = (name: keyof typeof probes): Capability => {
  const { lacks, probe } = probes[name]
  let found = known.get(name)
  if (found === undefined) {
    try {
      probe()
      found = { isMissing: false, why: "" }
    } catch {
      found = { isMissing: true, why: ` (not run: ${lacks} here)` }
    }
    known.set(name, found)
  }
  return found
}
