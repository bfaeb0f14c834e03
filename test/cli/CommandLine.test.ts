import { describe, expect, it } from "@effect/vitest"
import * as commandTree from "../../src/cli/commandLine/commandTree.js"
import * as help from "../../src/cli/commandLine/help.js"
import * as commandLine from "../../src/cli/commandLine/parse.js"
import { tree as program } from "../../src/cli/program.js"
import { commonNames } from "../../src/cli/settings/declarations.js"
import { tree } from "./sampleCommands.js"

const read = (line: string) => commandLine.read(tree, line === "" ? [] : line.split(" "))

/** The complaint about a line, without where to read more. */
const complaint = (line: string) => {
  const request = read(line)
  return request._tag === "Wrong"
    ? request.message.replace(/ See "effect-translate .*--help"\.$/, "")
    : request
}

describe("a command line", () => {
  it("that is wrong is reported with a suggestion", () => {
    const cases: ReadonlyArray<readonly [line: string, message: string | RegExp]> = [
      ["trnslate a.md", 'effect-translate has no command "trnslate". Did you mean "translate"?'],
      ["glossary lst", 'effect-translate glossary has no command "lst". Did you mean "list"?'],
      ["glossary zzz", 'effect-translate glossary has no command "zzz".'],
      [
        "--to de translate",
        /^effect-translate has no option --to\. Options of a command come after its name\.$/
      ],
      ["translate a.md --too de", 'effect-translate translate has no option --too. Did you mean "--to"?'],
      ["translate a.md --lim 5", 'effect-translate translate has no option --lim. Did you mean "--limit"?'],
      ["translate a.md --dri", "effect-translate translate has no option --dri."],
      ["translate a.md -x --to de", /has no option -x\./],
      ["translate --to de --to fr a.md", "--to is given twice: it takes one value."],
      ["translate a.md --to", "--to needs a value: --to <languages>."],
      ["translate --to --json a.md", "--to needs a value: --to <languages>."],
      ["translate a.md", "--to <languages> is missing. To which languages."],
      ["translate --to de", "<files> is missing. What to translate."],
      ["translate a.md --to de --json=yes", "--json takes no value."],
      [
        "translate a.md --to de --existing kept",
        '--existing must be keep or overwrite, not "kept". Did you mean "keep"?'
      ],
      ["translate a.md --to de --fail-on stale,missed", '--fail-on must be missing or stale, not "missed".'],
      ["translate a.md --to de --limit 1.5", '--limit must be a whole number, not "1.5".'],
      ["translate a.md --to de --price free", '--price must be a number, not "free".'],
      ["write rephras", '<kind> must be rephrase or correct, not "rephras". Did you mean "rephrase"?'],
      ["glossary list all", 'effect-translate glossary list takes no argument: "all".'],
      ["glossary show 1 2 3", 'effect-translate glossary show takes no further argument: "3".']
    ]
    for (const [line, message] of cases) expect(complaint(line), line).toMatch(message)
    expect(read("glossary lst")).toMatchObject({
      message: expect.stringMatching(/See "effect-translate glossary --help"\.$/)
    })
  })

  it("that is right reaches its command, with options after files and before the command", () => {
    const parsed = (words: ReadonlyArray<string>) => {
      const request = commandLine.read(tree, words)
      return request._tag === "Run" ? request.input : request
    }
    expect(parsed(["--json", "translate", "a.md", "-wq", "--to=de", "--", "-b.md", "--to"])).toMatchObject({
      to: "de",
      json: true,
      watch: true,
      quiet: true,
      limit: 5,
      field: [],
      files: ["a.md", "-b.md", "--to"]
    })
    expect(
      parsed([
        "translate",
        "--field",
        "a",
        "-",
        "--price",
        "-1.5",
        "-f",
        "true",
        "--to",
        "-x",
        "--watch",
        "on"
      ])
    ).toMatchObject({ to: "-x", price: -1.5, field: ["a", "true"], watch: true, files: ["-", "on"] })
    expect(
      parsed([
        "translate",
        "a.md",
        "--to",
        "de",
        "--field",
        "a,b",
        "--fail-on",
        "stale, missing",
        "--fail-on",
        "stale"
      ])
    ).toMatchObject({ field: ["a,b"], failOn: ["stale", "missing", "stale"] })
    expect(parsed(["glossary", "show", "list", "show"])).toMatchObject({ id: "list", file: "show" })
    expect(parsed(["write", "correct"])).toMatchObject({ kind: "correct" })
  })

  it("asks for help of the command that it names", () => {
    const asked = (line: string) => {
      const request = read(line)
      return request._tag === "Help" ? `${commandTree.lineOf(request.node)} ${request.isAsked}` : request._tag
    }
    expect(asked("")).toBe("effect-translate false")
    expect(asked("glossary")).toBe("effect-translate glossary false")
    expect(asked("--help")).toBe("effect-translate true")
    expect(asked("--help translate")).toBe("effect-translate translate true")
    expect(asked("help glossary show")).toBe("effect-translate glossary show true")
    expect(asked("translate --tp --help")).toBe("Wrong")
    expect(asked("translate a.md --to -h")).toBe("Wrong")
    expect(asked("glossary show -h")).toBe("effect-translate glossary show true")
    expect(asked("--version")).toBe("Version")
  })
})

describe("help", () => {
  it("shows a command in 80 columns", () => {
    expect(help.of(tree.commands[0]!, commonNames, String)).toMatchInlineSnapshot(`
      "Usage: effect-translate translate --to <languages> [options] <files>...

      Translates files.

      Arguments:
        <files>  What to translate.

      Options:
        --to <languages>     To which languages. Required.
        --existing <choice>  What becomes of output files that were there before, of
                             which there may be many. One of keep, overwrite.
        --limit <integer>    How many. Default: 5.
        --price <float>
        --field, -f <text>   May be repeated.
        --fail-on <choice>   One of missing, stale. May be repeated, or take several
                             at once: a,b.
        --watch, -w

      Options of every command:
        --json                   Print one JSON object a line, for programs: events,
                                 and a result.
        --quiet, -q              Print results and errors only.
        --verbose                Also print decisions, with their reasons.
        --config <file>          The file of settings. Without it:
                                 effect-translate.config.json or .mjs, here or in a
                                 folder above.
        --state-folder <folder>  Where outputs, translations, jobs and documents are
                                 remembered. Without it: .effect-translate beside the
                                 file of settings, or else the nearest one here or in
                                 a folder above, up to the root of git.
        --profile <name>         The profile of the file of settings: which service,
                                 and whose key.
        --proxy <url>            The HTTP proxy to the service, such as
                                 http://host:8080, or none. Without it: that of
                                 HTTPS_PROXY, HTTP_PROXY or ALL_PROXY. NO_PROXY lists
                                 hosts that need none.

      Examples:
        effect-translate translate docs --to de"
    `)
  })

  it("of every command of the program fits into 80 columns, and its examples are right", () => {
    for (const node of commandTree.all(program)) {
      const text = help.of(node, commonNames, String)
      const lines = text
        .slice(0, text.indexOf("Examples:"))
        .split("\n")
        .filter((line) => !line.startsWith("Usage:"))
      expect(
        lines.filter((line) => line.length > 80),
        commandTree.lineOf(node)
      ).toEqual([])
      expect(node.description, commandTree.lineOf(node)).toMatch(/\.$/)
      for (const { description, names } of node.flags)
        expect(description, `${node.path} ${names}`).toMatch(/[.)]$/)
      for (const line of node.examples) {
        for (const call of line
          .split(/ && | \| | > /)
          .filter((call) => call.startsWith("effect-translate "))) {
          const words = Array.from(call.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, plain]) => quoted ?? plain!)
          expect(commandLine.read(program, words.slice(1)), line).toMatchObject({ _tag: "Run" })
        }
      }
    }
  })
})
