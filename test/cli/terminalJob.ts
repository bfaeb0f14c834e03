/** A job that is run in a terminal, what it says of its bill, and what it leaves. */
import { readdirSync, statSync } from "node:fs"
import { join, relative } from "node:path"
import * as Effect from "effect/Effect"
import { emulator, folderOf, run } from "./process.js"
import { open, type Session, type TerminalSettings } from "./terminal.js"

export const targets = ["de", "fr", "ja"]

const textsOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `Sentence ${index} of the file ${name}, which is translated.`)

const number = (figure = "0") => Number(figure.replaceAll(",", ""))

const hasBill = (printed: string) => /(was|were) billed/.test(printed)

/** What a job prints of its bill; nothing if it has not begun. */
const billOf = (printed: string) => {
  if (!hasBill(printed)) return { least: 0, most: 0 }
  const [, least, more] =
    /([\d,]+) characters? (?:was|were) billed(?:, and up to ([\d,]+) more)?/.exec(printed) ?? []
  return { least: number(least), most: number(least) + number(more) }
}

/** What it says may be paid twice, in all runs so far. A run that has sent nothing does not say it again. */
const doubtOf = (printed: string) =>
  Array.from(printed.matchAll(/May be paid twice: ([\d,]+)/g), ([, figure]) => number(figure)).reduce(
    (sum, characters) => sum + characters,
    0
  )

const kept =
  /^((one|two)\.(de\.|fr\.|ja\.)?jsonl|\.effect-translate\/(records\/(de|fr|ja)\/[^/]+\.jsonl\.jsonl|cache\/(de|fr|ja)\/[^/]+\.jsonl\.json|store\.db(-shm|-wal)?|\.gitignore|records\/\.gitattributes|cache\/\.gitignore))$/

/** Two files of so many texts each, and a service for them. */
export const make = (count: number, ...options: Parameters<typeof emulator>) =>
  Effect.gen(function* () {
    const { billed, env } = yield* emulator(...options)
    const texts = ["one", "two"].map((name) => ({ name: `${name}.jsonl`, texts: textsOf(name, count) }))
    const folder = yield* folderOf(
      Object.fromEntries(
        texts.map(({ name, texts }) => [name, texts.map((text) => `${JSON.stringify({ text })}\n`).join("")])
      )
    )
    const args = [
      "translate",
      "one.jsonl",
      "two.jsonl",
      "--field",
      "text",
      "--from",
      "en",
      "--to",
      targets.join()
    ]
    /** What it costs to translate everything once. */
    const price = texts.flatMap(({ texts }) => texts).join("").length * targets.length
    return {
      price,
      billed,
      start: (settings: Partial<TerminalSettings> = {}) =>
        open(args, { folder, ...settings, env: { ...env, ...settings.env } }),
      /** What a session has said that was billed. */
      bill: (session: Session) => billOf(session.bytes()),
      /** What a session has said that may be paid twice. */
      doubt: (session: Session) => doubtOf(session.bytes()),
      /** Whether it has said what was billed. */
      hasBill: (session: Session) => hasBill(session.bytes()),
      /** Files that are no sources, outputs, records or stores. A store that was closed has an empty log. */
      leftovers: () =>
        readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ name, parentPath }) => relative(folder, join(parentPath, name)))
          .filter(
            (path) => !kept.test(path) || (path.endsWith("-wal") && statSync(join(folder, path)).size > 0)
          ),
      /** The same once more, without a terminal. */
      again: Effect.map(run(args, { folder, env }), ({ code, stderr, stdout }) => ({
        code,
        stderr,
        doubt: doubtOf(stdout),
        ...billOf(stdout)
      }))
    }
  })
