/** `worker` as a process, and jobs for it. */
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { type Settings, start } from "./process.js"

export type Event = Record<string, unknown> & { readonly type: string }

/** The objects of `--json`, as far as their lines are whole. */
export const objects = (stdout: string): ReadonlyArray<Event> =>
  stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line))

/** A worker, and what waits for its events. */
export const worker = (args: ReadonlyArray<string>, settings: Settings) =>
  Effect.map(start(["worker", "--json", ...args], settings), (process) => ({
    ...process,
    events: () => objects(process.stdout()),
    /** The nth event of a type. */
    told: (type: string, nth = 1) =>
      Effect.raceFirst(
        Effect.async<Event>((resume) => {
          const look = () => {
            const found = objects(process.stdout()).filter((event) => event.type === type)[nth - 1]
            if (found !== undefined) resume(Effect.succeed(found))
          }
          process.child.stdout!.on("data", look)
          look()
        }),
        Effect.flatMap(process.ended, ({ code, stderr, stdout }) =>
          Effect.dieMessage(`The worker has ended with ${code}: ${stderr}${stdout}`)
        )
      )
  }))

export const products = (count: number) =>
  ["id,title", ...Array.from({ length: count }, (_, n) => `${n},product number ${n}`)].join("\n")

export const submit = [
  "job",
  "submit",
  "products.csv",
  "--to",
  "de,fr",
  "--column",
  "title",
  "--id",
  "products"
]

export const outputs = (folder: string, of = "products") =>
  ["de", "fr"].map((lang) => readFileSync(`${folder}/${of}.${lang}.csv`, "utf8"))
