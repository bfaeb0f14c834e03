/** What is printed: at the beginning what is to be done, at the end what was done, what it has cost, and what to do next. */
import { Console, Effect, Number as Num, Option } from "effect"
import { TranslateClient } from "effect-translate"
import { Emulator } from "effect-translate/emulator"
import type { JobReport } from "effect-translate/files"

const count = (value: number) => value.toLocaleString("en")

const plural = (value: number, noun: string) => `${count(value)} ${noun}${value === 1 ? "" : "s"}`

const emulator = Effect.serviceOption(Emulator.Emulator)

export const begin = (file: string, texts: number, languages: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { identity } = yield* TranslateClient.TranslateClient
    const service = Option.isSome(yield* emulator)
      ? "an emulator on this machine, which only marks the texts: set LANGUAGE_SERVICE_URL and LANGUAGE_SERVICE_KEY for a real one"
      : identity.service
    yield* Console.log(`Translating ${file} into ${languages.join(", ")}: ${plural(texts, "text")}.`)
    yield* Console.log(`The service is ${service}.`)
  })

type Target = JobReport.Target

const columns: ReadonlyArray<readonly [above: string, heading: string, of: (target: Target) => number]> = [
  ["", "texts", (target) => target.in],
  ["", "new", ({ translated }) => translated],
  ["from", "store", ({ cached }) => cached],
  ["", "kept", ({ skipped }) => skipped],
  ["", "failed", ({ failed }) => failed],
  ["", "requests", ({ requests }) => requests],
  ["", "retries", ({ retries }) => retries],
  ["characters", "billed", ({ characters }) => characters.least]
]

const row = (name: string, targets: ReadonlyArray<Target>) => [
  name,
  ...columns.map(([, , of]) => count(Num.sumAll(targets.map(of)))),
  (Math.max(...targets.map(({ took }) => took)) / 1000).toFixed(2)
]

const table = (targets: ReadonlyArray<Target>): string => {
  const rows = [
    ["", ...columns.map(([above]) => above), ""],
    ["to", ...columns.map(([, heading]) => heading), "seconds"],
    ...targets.map((target) => row(target.targetLang, [target])),
    row("all", targets)
  ]
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((cells) => cells[column]!.length)))
  const line = (cells: ReadonlyArray<string>) =>
    cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
  return rows.map((cells) => line(cells).join("  ").trimEnd()).join("\n")
}

/** Nothing is printed of a job that was refused: its error says all. */
export const end = (report: JobReport.JobReport | undefined) =>
  Effect.gen(function* () {
    if (report === undefined) return
    const { end, inDoubt, outputs, targets } = report
    const texts = Num.sumAll(targets.map((target) => target.in))
    if (end.state === "failed" && texts === 0) return
    yield* Console.log(`\n${table(targets)}\n`)
    const running = yield* emulator
    if (Option.isSome(running)) {
      const meter = yield* running.value.meter
      yield* Console.log(
        `The emulator's own meter: ${plural(meter.texts, "text")}, ${plural(meter.characters, "character")} billed.`
      )
    }
    for (const { error, output, source, state, targetLang } of outputs) {
      yield* Console.log(`${output ?? `${source} into ${targetLang}`}: ${error?.message ?? state}`)
    }
    const known = Num.sumAll(targets.map(({ cached }) => cached))
    yield* Console.log(`\nFrom the store: ${count(known)} of ${plural(texts, "text")}.`)
    for (const { characters, requests, why } of inDoubt?.everything ?? []) {
      yield* Console.log(
        `What may be paid twice: ${plural(characters, "character")} of ${plural(requests, "request")}, as ${why}.`
      )
    }
    yield* Console.log(end.next)
  })
