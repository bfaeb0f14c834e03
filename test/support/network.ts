/**
 * Networks of their own for processes, which can be cut: what is sent gets lost then, in both directions, and nobody is told. That needs
 * Linux, its program `ip`, and root.
 */
import { execFileSync } from "node:child_process"
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { fast, launch, type Postgres } from "./postgres.js"

const ip = (...words: ReadonlyArray<string>) => execFileSync("ip", words, { stdio: "pipe" })

/** A cable between a network and this machine. */
export interface Link {
  /** The address of this machine. */
  readonly here: string
  /** The address within the network. */
  readonly there: string
  readonly cut: () => void
  readonly heal: () => void
}

export interface Network {
  /** Words before the command of a process that is to run in it. */
  readonly within: ReadonlyArray<string>
  readonly link: () => Link
  readonly remove: () => void
}

let networks = 0

let links = 0

/** Nobody has it. */
const nowhere = "02:00:00:00:00:01"

export const make = (): Network => {
  const name = `cut-${process.pid}-${++networks}`
  ip("netns", "add", name)
  ip("-n", name, "link", "set", "lo", "up")
  const link = (): Link => {
    const number = ++links
    const [device, peer] = [`c${process.pid}h${number}`, `c${process.pid}n${number}`]
    const [here, there] = [1, 2].map((last) => `10.231.${process.pid % 256}.${number * 4 + last}`) as [
      string,
      string
    ]
    ip("link", "add", device, "type", "veth", "peer", "name", peer, "netns", name)
    ip("addr", "add", `${here}/30`, "dev", device)
    ip("link", "set", device, "up")
    ip("-n", name, "addr", "add", `${there}/30`, "dev", peer)
    ip("-n", name, "link", "set", peer, "up")
    return {
      here,
      there,
      cut: () => {
        ip("neigh", "replace", there, "lladdr", nowhere, "dev", device, "nud", "permanent")
        ip("-n", name, "neigh", "replace", here, "lladdr", nowhere, "dev", peer, "nud", "permanent")
      },
      heal: () => {
        ip("neigh", "del", there, "dev", device)
        ip("-n", name, "neigh", "del", here, "dev", peer)
      }
    }
  }
  return { within: ["ip", "netns", "exec", name], link, remove: () => ip("netns", "del", name) }
}

/** A PostgreSQL server on this machine that is reached over some links too, until this process ends. */
export const postgresAt = async (...links: ReadonlyArray<Link>): Promise<Postgres> => {
  const folder = mkdtempSync(`${tmpdir()}/hba-`)
  chmodSync(folder, 0o755)
  const access = `${folder}/pg_hba.conf`
  writeFileSync(access, "host all all 127.0.0.1/32 password\nhost all all 10.231.0.0/16 password\n")
  const addresses = ["127.0.0.1", ...links.map(({ here }) => here)].join()
  return launch([...fast, "-c", `listen_addresses=${addresses}`, "-c", `hba_file=${access}`])
}

/** The address of a new database, as it is reached over a link. */
export const databaseOver = async ({ database }: Postgres, { here }: Link): Promise<string> =>
  Redacted.value(await Effect.runPromise(database)).replace("127.0.0.1", here)
