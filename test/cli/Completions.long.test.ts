import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as pty from "@lydell/node-pty"
import * as Effect from "effect/Effect"
import * as completions from "../../src/cli/commandLine/completions.js"
import { shells } from "../../src/cli/commandLine/parse.js"
import { tree as program } from "../../src/cli/program.js"
import { folderOf, processTimeout, run } from "./process.js"
import { tree } from "./sampleCommands.js"

/** What is typed, and the command line that it becomes. */
const lines: ReadonlyArray<readonly [typed: string, line: string]> = [
  ["tra\t--to de --exi\tov\t--wat\tno\t", "translate --to de --existing overwrite --watch notes.txt"],
  ["glo\tli\t--js\t", "glossary list --json"],
  ["glossary show --prof\tnew -q no\t", "glossary show --profile new -q notes.txt"],
  ["wri\tcor\t--config no\t", "write correct --config notes.txt"],
  ["--vers\t", "--version"]
]

/** Types lines into an interactive shell, where the program only prints what it is given. */
const typed = (shell: string, args: ReadonlyArray<string>, setUp: string, folder: string) =>
  Effect.promise(
    () =>
      new Promise<string>((resolve) => {
        let output = ""
        const terminal = pty.spawn(shell, [...args], {
          cols: 200,
          cwd: folder,
          env: { HOME: folder, PATH: process.env.PATH ?? "", TERM: "dumb", INPUTRC: "/dev/null" }
        })
        terminal.onData((data) => {
          output += data
        })
        terminal.onExit(() => resolve(output))
        terminal.write(`${setUp}\r`)
        terminal.write('effect-translate() { echo "ran:$*"; }\r')
        for (const [keys] of lines) terminal.write(`effect-translate ${keys}\r`)
        terminal.write("exit\r")
      })
  ).pipe(Effect.map((output) => Array.from(output.matchAll(/^ran:(.*?)\s*$/gm), ([, line]) => line)))

describe("completions", () => {
  for (const shell of ["bash", "zsh"] as const) {
    it.scopedLive(
      `complete commands, options, their values and files in ${shell}`,
      () =>
        Effect.gen(function* () {
          const folder = yield* folderOf({ "notes.txt": "" })
          mkdirSync(`${folder}/functions`)
          writeFileSync(`${folder}/functions/_effect-translate`, yield* completions.script(tree, shell))
          const output =
            shell === "bash"
              ? yield* typed(shell, ["--norc", "--noprofile", "-i"], ". functions/_effect-translate", folder)
              : yield* typed(
                  shell,
                  ["-f", "-i"],
                  "fpath=(functions $fpath); autoload -Uz compinit; compinit -u",
                  folder
                )
          expect(output).toEqual(lines.map(([, line]) => line))
        }),
      processTimeout
    )
  }

  it.scopedLive(
    "complete commands, options, their values and files in fish",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf({ "notes.txt": "" })
        writeFileSync(`${folder}/script.fish`, yield* completions.script(tree, "fish"))
        const offered = (...asked: ReadonlyArray<string>) => {
          const calls = asked.map(
            (line) => `complete -C ${JSON.stringify(`effect-translate ${line}`)}; echo ---`
          )
          const { stderr, stdout } = spawnSync(
            "fish",
            ["--no-config", "-c", `. script.fish; ${calls.join("; ")}`],
            {
              cwd: folder,
              env: { HOME: folder, PATH: process.env.PATH ?? "" },
              encoding: "utf8"
            }
          )
          expect(stderr).toBe("")
          return stdout.split("---\n").map((block) =>
            block
              .trim()
              .split("\n")
              .map((line) => line.split("\t")[0])
          )
        }
        expect(
          offered(
            "",
            "glo",
            "glossary ",
            "glossary list --js",
            "translate --existing ",
            "translate no",
            "write c",
            "translate --config no",
            "--ver"
          )
        ).toEqual([
          ["glossary", "translate", "write"],
          ["glossary"],
          ["list", "show"],
          ["--json"],
          ["keep", "overwrite"],
          ["notes.txt"],
          ["correct"],
          ["notes.txt"],
          ["--version"],
          [""]
        ])
      }),
    processTimeout
  )

  it.scopedLive(
    "are printed by the program, without an error in any shell",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf()
        for (const shell of shells) {
          writeFileSync(`${folder}/script`, yield* completions.script(program, shell))
          expect(spawnSync(shell, ["-n", `${folder}/script`], { encoding: "utf8" })).toMatchObject({
            status: 0,
            stderr: ""
          })
        }
        expect(yield* run(["--completions", "bash"], { folder })).toEqual({
          code: 0,
          stdout: `${yield* completions.script(program, "bash")}\n`,
          stderr: ""
        })
        expect(yield* run(["--completions", "fsh"], { folder })).toMatchObject({
          code: 2,
          stdout: "",
          stderr: '--completions needs bash, fish, zsh. Did you mean "fish"?\n'
        })
      }),
    processTimeout
  )
})
