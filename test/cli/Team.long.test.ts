/** The situations of a team: git and the command line, over and over, in one repository. */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { emulator, folderOf, processTimeout, run } from "./process.js"

type Texts = Readonly<Record<string, string>>

/** A format, and how a source of texts is written in it. */
interface Kind {
  readonly name: string
  readonly source: string
  readonly output: string
  readonly render: (texts: Texts) => string
  /** A unit's key is its text in the source. */
  readonly isKeyedByText?: boolean
}

const lines = (texts: Texts, line: (key: string, text: string) => string) =>
  Object.entries(texts)
    .map(([key, text]) => line(key, text))
    .join("")

const json: Kind = {
  name: "JSON",
  source: "en.json",
  output: "de.json",
  render: (texts) => `${JSON.stringify(texts, null, 2)}\n`
}

const yaml: Kind = {
  name: "YAML",
  source: "en.yml",
  output: "de.yml",
  render: (texts) => lines(texts, (key, text) => `${key}: ${text}\n`)
}

const xliff: Kind = {
  name: "XLIFF",
  source: "app.xlf",
  output: "app.de.xlf",
  render: (texts) =>
    `<?xml version="1.0"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n<file original="app" source-language="en" datatype="plaintext"><body>\n${lines(
      texts,
      (key, text) => `<trans-unit id="${key}">\n<source>${text}</source>\n</trans-unit>\n`
    )}</body></file>\n</xliff>\n`
}

const po: Kind = {
  name: "PO",
  source: "app.po",
  output: "app.de.po",
  render: (texts) =>
    `msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n${lines(
      texts,
      (_, text) => `msgid "${text}"\nmsgstr ""\n\n`
    )}`,
  isKeyedByText: true
}

const markdown: Kind = {
  name: "Markdown",
  source: "a.md",
  output: "a.de.md",
  render: (texts) => lines(texts, (_, text) => `${text}\n\n`),
  isKeyedByText: true
}

const kinds: ReadonlyArray<Kind> = [json, yaml, xliff, po, markdown]

/** Texts that are told apart by their numbers, also in their translations. */
const twelve = Object.fromEntries(
  Array.from({ length: 12 }, (_, index) => [`k${index + 10}`, `Text number ${index + 10}`])
)

const people = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@example.org", GIT_COMMITTER_NAME: "a" }

/** A repository with a file, which is translated into German, and what its people do. */
const team = (kind: Kind, files: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const { billed, env } = yield* emulator()
    const folder = yield* folderOf(files)
    const git = (...args: ReadonlyArray<string>) =>
      spawnSync("git", args, {
        cwd: folder,
        encoding: "utf8",
        env: {
          ...process.env,
          ...people,
          GIT_COMMITTER_EMAIL: "a@example.org",
          GIT_CONFIG_GLOBAL: "/dev/null"
        }
      })
    const read = (path: string) => readFileSync(`${folder}/${path}`, "utf8")
    const write = (path: string, text: string) => writeFileSync(`${folder}/${path}`, text)
    const languages = ["--from", "en", "--to", "de"]
    const command = (...args: ReadonlyArray<string>) => run(args, { folder, env })
    /** What a command prints, its end, and what it has cost. */
    const paid = (...args: ReadonlyArray<string>) =>
      Effect.gen(function* () {
        const before = yield* billed
        const { code, stderr, stdout } = yield* command(...args)
        return { code, said: `${stdout}${stderr}`, characters: (yield* billed) - before }
      })
    return {
      folder,
      env,
      git,
      read,
      write,
      command,
      paid,
      translate: (...more: ReadonlyArray<string>) => paid("translate", kind.source, ...languages, ...more),
      check: (...more: ReadonlyArray<string>) => paid("check", kind.source, ...languages, ...more),
      commit: (message: string) => {
        git("add", "-A")
        const { status, stdout } = git("commit", "-qm", message)
        if (status !== 0) throw new Error(stdout)
      },
      source: (texts: Texts) => write(kind.source, kind.render(texts)),
      /** A person's text in place of the translation with a number. */
      correct: (number: number, text: string, output = kind.output) => {
        const before = read(output)
        const after = before.replace(new RegExp(`\\\\?\\[de\\\\?\\][^"<\\n]*\\b${number}\\b[^"<\\n]*`), text)
        if (before === after) throw new Error(`no translation has ${number}`)
        write(output, after)
      },
      conflicts: () =>
        git("diff", "--name-only", "--diff-filter=U").stdout.trim().split("\n").filter(Boolean).sort(),
      withoutStore: () => {
        for (const name of readdirSync(`${folder}/.effect-translate`))
          if (name.startsWith("store.")) rmSync(`${folder}/.effect-translate/${name}`)
      }
    }
  })

/** Two branches of twelve translated texts, each with its own edit. */
const branches = (kind: Kind, [x, y]: readonly [Texts, Texts]) =>
  Effect.gen(function* () {
    const all = yield* team(kind)
    all.git("init", "-q", "-b", "main")
    all.source(twelve)
    yield* all.translate()
    all.commit("all")
    for (const [name, texts] of [
      ["x", x],
      ["y", y]
    ] as const) {
      all.git("checkout", "-q", "-b", name, "main")
      all.source(texts)
      yield* all.translate("--removed", "drop")
      all.commit(name)
    }
    return all
  })

const without = (key: string): Texts =>
  Object.fromEntries(Object.entries(twelve).filter(([one]) => one !== key))

const nothingDone = { code: 0, characters: 0, said: expect.not.stringMatching(/person|no record/) }
const nothingWrong = { code: 0, said: expect.stringContaining("nothing is wrong") }

describe.each(kinds)("a team with $name", (kind) => {
  it.scopedLive(
    "merges two edits apart without a conflict, and pays nothing after it",
    () =>
      Effect.gen(function* () {
        const all = yield* branches(kind, [
          { ...twelve, k11: "Words of 11" },
          { ...twelve, k19: "Words of 19" }
        ])
        expect(all.git("merge", "-q", "--no-edit", "x")).toMatchObject({ status: 0 })
        expect(all.conflicts()).toEqual([])
        all.withoutStore()
        expect(yield* all.check()).toMatchObject(nothingWrong)
        expect(yield* all.translate()).toMatchObject(nothingDone)
      }),
    processTimeout
  )

  it.scopedLive(
    "moves a folder and edits a text: only that is paid for, and a correction stays a person's",
    () =>
      Effect.gen(function* () {
        const all = yield* team(kind, { "locales/readme.txt": "" })
        all.git("init", "-q", "-b", "main")
        const [source, output] = [`locales/${kind.source}`, `locales/${kind.output}`]
        const to = ["--from", "en", "--to", "de"]
        all.write(source, kind.render(twelve))
        yield* all.paid("translate", source, ...to)
        all.correct(13, "Mein Text 13", output)
        yield* all.paid("translate", source, ...to)
        all.commit("all")
        mkdirSync(`${all.folder}/src`)
        expect(all.git("mv", "locales", "src/locales")).toMatchObject({ status: 0 })
        all.write(`src/${source}`, kind.render({ ...twelve, k20: "Words of 20" }))
        all.withoutStore()
        const moved = yield* all.paid("translate", `src/${source}`, ...to)
        expect(moved).toMatchObject({
          code: 0,
          characters: "Words of 20".length,
          said: expect.stringContaining("1 translation of a person kept")
        })
        expect(moved.said).not.toContain("no record")
        expect(all.read(`src/${output}`)).toMatch(/Mein Text 13[\s\S]*Wörds/)
        expect(yield* all.paid("check", `src/${source}`, ...to)).toMatchObject(nothingWrong)
      }),
    processTimeout
  )
})

/** A catalogue, a file of both languages, and one that is written anew. */
describe.each([json, po, markdown])("a team with $name", (kind) => {
  it.scopedLive(
    "resolves two edits of one text to either side of source and output, and pays only where they differ",
    () =>
      Effect.gen(function* () {
        const all = yield* branches(kind, [
          { ...twelve, k15: "Words of 15" },
          { ...twelve, k15: "Phrase of 15" }
        ])
        for (const source of ["ours", "theirs"]) {
          for (const output of ["ours", "theirs"]) {
            all.git("checkout", "-q", "-f", "y")
            all.git("clean", "-qfd")
            all.git("merge", "-q", "--no-edit", "x")
            expect(all.conflicts()).toEqual([kind.output, kind.source])
            all.git("checkout", `--${source}`, kind.source)
            all.git("checkout", `--${output}`, kind.output)
            all.withoutStore()
            const { characters, ...ended } = yield* all.translate()
            const text = source === "ours" ? "Phrase of 15" : "Words of 15"
            expect([source, output, characters]).toEqual([
              source,
              output,
              source === output ? 0 : text.length
            ])
            expect(ended).toMatchObject({ code: 0, said: expect.not.stringMatching(/person|no record/) })
            expect(all.read(kind.output)).toContain(source === "ours" ? "Phråsé" : "Wörds")
            all.git("merge", "--abort")
          }
        }
      }),
    processTimeout
  )

  it.scopedLive(
    "merges a text that one has deleted and another has edited, in all four orders, and nothing is a person's",
    () =>
      Effect.gen(function* () {
        const all = yield* branches(kind, [without("k15"), { ...twelve, k15: "Words of 15" }])
        for (const [into, from] of [
          ["x", "y"],
          ["y", "x"]
        ] as const) {
          for (const side of ["ours", "theirs"]) {
            all.git("checkout", "-q", "-f", into)
            all.git("clean", "-qfd")
            all.git("merge", "-q", "--no-edit", from)
            expect(all.conflicts().filter((path) => path.includes(".effect-translate"))).toEqual([])
            all.git("checkout", `--${side}`, kind.source, kind.output)
            all.withoutStore()
            expect([into, side, yield* all.translate()]).toMatchObject([into, side, nothingDone])
            const isEdited = (into === "y") === (side === "ours")
            expect(all.read(kind.output).includes("Wörds")).toBe(isEdited)
            if (side === "ours") expect(yield* all.check()).toMatchObject(nothingWrong)
            all.git("merge", "--abort")
          }
        }
      }),
    processTimeout
  )

  it.scopedLive(
    "takes its own output after a merge, and the machine's texts are translated again, and are nobody else's",
    () =>
      Effect.gen(function* () {
        const all = yield* branches(kind, [
          { ...twelve, k11: "Words of 11" },
          { ...twelve, k19: "Words of 19" }
        ])
        all.git("merge", "-q", "--no-commit", "--no-ff", "x")
        all.git("checkout", "y", "--", kind.output)
        all.withoutStore()
        expect(yield* all.check()).toMatchObject({
          code: 6,
          said: expect.stringMatching(/1 (stale|missing)/)
        })
        const done = yield* all.translate()
        expect(done).toMatchObject({ ...nothingDone, characters: "Words of 11".length })
        expect(yield* all.check()).toMatchObject(nothingWrong)
      }),
    processTimeout
  )

  it.scopedLive(
    "adds a language, which alone is paid for",
    () =>
      Effect.gen(function* () {
        const all = yield* team(kind)
        all.source({ a: "Good morning" })
        yield* all.translate()
        const both = yield* all.paid("translate", kind.source, "--from", "en", "--to", "de,fr")
        expect(both).toMatchObject({ ...nothingDone, characters: "Good morning".length })
      }),
    processTimeout
  )

  it.scopedLive(
    "is told of texts without a record by each command, until they are accepted",
    () =>
      Effect.gen(function* () {
        const all = yield* team(kind)
        all.source({ a: "Text number 11", b: "Text number 12" })
        yield* all.translate()
        all.correct(11, "Mein Text 11")
        rmSync(`${all.folder}/.effect-translate`, { recursive: true })
        const before = all.read(kind.output)
        for (const more of [["--dry-run"], []]) {
          const told = yield* all.translate(...more)
          expect(told).toMatchObject({
            code: 0,
            characters: 0,
            said: expect.stringMatching(/2 texts .*record/)
          })
        }
        const checked = yield* all.check()
        expect(checked).toMatchObject({ code: 6, said: expect.stringContaining("2 unknown") })
        expect(checked.said).toContain(`effect-translate accept ${kind.output}`)
        expect(yield* all.paid("accept", kind.output)).toMatchObject({
          code: 0,
          said: expect.stringContaining("2 texts accepted")
        })
        expect(yield* all.check()).toMatchObject(nothingWrong)
        const quiet = yield* all.translate()
        expect(quiet).toMatchObject({ code: 0, characters: 0, said: expect.not.stringContaining("record") })
        expect(all.read(kind.output)).toBe(before)
      }),
    processTimeout
  )

  it.scopedLive(
    "sees the same numbers in forecast, check and run, and pays the forecast",
    () =>
      Effect.gen(function* () {
        const all = yield* team(kind)
        all.source(twelve)
        yield* all.translate()
        all.correct(12, "Mein Text 12")
        yield* all.translate()
        all.source({ ...twelve, k16: "Words of 16", k30: "New words of 30" })
        const resultOf = ({ said }: { said: string }) =>
          said
            .split("\n")
            .filter((line) => line.startsWith(`{"type":"result"`))
            .map((line) => JSON.parse(line))[0]
        const forecast = resultOf(yield* all.translate("--dry-run", "--json"))
        const { problems } = resultOf(yield* all.check("--json"))
        const done = yield* all.translate("--json")
        const ran = resultOf(done)
        expect((problems.stale ?? 0) + (problems.missing ?? 0)).toBe(2)
        expect(forecast.targets[0]).toMatchObject({ translated: 2, skipped: 11, unknown: 0, characters: 26 })
        expect(ran.targets[0]).toMatchObject({ translated: 2, skipped: 11 })
        expect([done.characters, forecast.characters]).toEqual([26, 26])
      }),
    processTimeout
  )
})

describe.each([json, yaml, xliff])("a renamed key of $name", (kind) => {
  it.scopedLive(
    "keeps its correction, also where texts that the source lacks are dropped",
    () =>
      Effect.gen(function* () {
        for (const more of [[], ["--removed", "drop"]]) {
          const all = yield* team(kind)
          all.source({ old: "Text number 11", other: "Text number 12" })
          yield* all.translate()
          all.correct(11, "Mein Text 11")
          yield* all.translate()
          all.source({ renamed: "Text number 11", other: "Text number 12" })
          expect(yield* all.translate(...more)).toMatchObject({
            code: 0,
            characters: 0,
            said: expect.stringContaining("1 translation of a person kept")
          })
          const isOldLeft = more.length === 0
          expect(all.read(kind.output).includes("old")).toBe(isOldLeft)
          expect(all.read(kind.output)).toMatch(/renamed[\s\S]*Mein Text 11/)
        }
      }),
    processTimeout
  )
})

describe.each([json, yaml])("a catalogue of $name", (kind) => {
  it.scopedLive(
    "with copies of its source that no record tells of is translated, but for names",
    () =>
      Effect.gen(function* () {
        const all = yield* team(kind)
        const texts = { a: "Good morning to all who are here", b: "Status" }
        all.source(texts)
        all.write(kind.output, kind.render(texts))
        const done = yield* all.translate()
        expect(done).toMatchObject({ code: 0, characters: texts.a.length })
        expect(all.read(kind.output)).toMatch(/Gööd[\s\S]*Status/)
        expect(done.said).toContain("1 text of")
      }),
    processTimeout
  )

  it.scopedLive(
    "with keys that its source lacks is named by check, with the flag that drops them",
    () =>
      Effect.gen(function* () {
        const all = yield* team(kind)
        all.source({ a: "Good morning", b: "Good night" })
        yield* all.translate()
        all.source({ a: "Good morning" })
        const orphaned = yield* all.check()
        expect(orphaned).toMatchObject({ code: 6, said: expect.stringContaining("1 orphaned") })
        expect(orphaned.said).toMatch(/ b: .*--removed drop/)
        yield* all.translate("--removed", "drop")
        expect(yield* all.check()).toMatchObject(nothingWrong)
        expect(all.read(kind.output)).not.toContain("ñíght")
      }),
    processTimeout
  )
})

describe("a team", () => {
  it.scopedLive(
    "works in a package: the record and the store of the root of git are found, and nothing is paid again",
    () =>
      Effect.gen(function* () {
        const all = yield* team(json, { "packages/a/en.json": json.render(twelve) })
        all.git("init", "-q", "-b", "main")
        const to = ["--from", "en", "--to", "de"]
        yield* all.paid("translate", "packages/a/en.json", ...to)
        const below = { folder: `${all.folder}/packages/a`, env: all.env }
        const { stderr, stdout } = yield* run(["translate", "en.json", ...to], below)
        expect(stdout).toContain("Nothing was billed")
        expect(`${stdout}${stderr}`).not.toContain("record")
        expect(existsSync(`${below.folder}/.effect-translate`)).toBe(false)
        rmSync(`${below.folder}/de.json`)
        expect((yield* run(["translate", "en.json", ...to], below)).stdout).toContain("Nothing was billed")
      }),
    processTimeout
  )

  it.scopedLive(
    "runs with a wrong format once, and nothing of it counts as a person's",
    () =>
      Effect.gen(function* () {
        const all = yield* team(json)
        const plural = "{count, plural, one {# item} other {# items}} in your cart"
        all.write("en.json", JSON.stringify({ Cart: { items: plural } }))
        yield* all.translate("--format", "formatjs")
        for (const _ of [1, 2]) {
          const done = yield* all.translate()
          expect(done).toMatchObject({ code: 0, said: expect.not.stringMatching(/of a person|no record/) })
        }
        expect(yield* all.check()).toMatchObject(nothingWrong)
      }),
    processTimeout
  )

  it.scopedLive(
    "corrects a paragraph, which then moves and changes in its source: it stays, and is told as stale",
    () =>
      Effect.gen(function* () {
        const all = yield* team(markdown)
        all.write("a.md", "# Tea\n\nParagraph number 1 is here.\n\nParagraph number 2 is here.\n")
        yield* all.translate()
        all.correct(2, "Der zweite Absatz 2.")
        yield* all.translate()
        all.write(
          "a.md",
          "# Tea\n\nA new one.\n\nParagraph number 1 is here.\n\nParagraph number 2 is right here.\n"
        )
        const done = yield* all.translate()
        expect(done).toMatchObject({ code: 0, characters: "A new one.".length })
        expect(done.said).toContain("1 translation was written by a person before its source changed")
        expect(all.read("a.de.md").trimEnd()).toMatch(/1[\s\S]*\n\nDer zweite Absatz 2\.$/)
        expect(yield* all.check()).toMatchObject({ code: 6, said: expect.stringContaining("1 stale") })
      }),
    processTimeout
  )

  it.scopedLive(
    "accepts one text by its key, and the others stay unknown",
    () =>
      Effect.gen(function* () {
        const all = yield* team(json)
        all.source({ a: "Good morning", b: "Good night" })
        all.write("de.json", json.render({ a: "Guten Morgen", b: "Gute Nacht" }))
        expect(yield* all.paid("accept", "de.json", "--key", "a")).toMatchObject({ code: 2 })
        yield* all.translate()
        expect(yield* all.paid("accept", "de.json", "--key", "a")).toMatchObject({
          code: 0,
          said: expect.stringContaining("1 text accepted")
        })
        expect(yield* all.check()).toMatchObject({ code: 6, said: expect.stringContaining("1 unknown.") })
        expect(yield* all.translate()).toMatchObject({ said: expect.stringContaining("1 text of de.json") })
      }),
    processTimeout
  )

  it.scopedLive(
    "is told of a correction that is older than its source with advice, and accept settles it",
    () =>
      Effect.gen(function* () {
        const all = yield* team(json)
        all.source({ a: "Text number 11" })
        yield* all.translate()
        all.correct(11, "Mein Text 11")
        yield* all.translate()
        all.source({ a: "The text number 11" })
        const told = yield* all.translate()
        expect(told.said).toContain("effect-translate accept FILE --key KEY")
        expect(told.said).not.toContain("--existing overwrite")
        expect(told.said).toContain("de.json: a")
        expect(yield* all.check()).toMatchObject({ code: 6, said: expect.stringContaining("1 stale.") })
        yield* all.paid("accept", "de.json", "--key", "a")
        expect(yield* all.check()).toMatchObject(nothingWrong)
        const quiet = yield* all.translate()
        expect(quiet).toMatchObject({
          code: 0,
          characters: 0,
          said: expect.not.stringContaining("before its source")
        })
        expect(all.read("de.json")).toContain("Mein Text 11")
      }),
    processTimeout
  )

  it.scopedLive(
    "forgets --from, and is told before anything is paid which outputs were made with it",
    () =>
      Effect.gen(function* () {
        const all = yield* team(json)
        all.source(twelve)
        yield* all.translate()
        const forgotten = ["translate", "en.json", "--to", "de"]
        const dry = yield* all.paid(...forgotten, "--dry-run")
        expect(dry).toMatchObject({
          code: 0,
          characters: 0,
          said: expect.stringContaining("12 texts made with --from en; now none")
        })
        const told = yield* all.paid(...forgotten, "--dry-run", "--json")
        expect(told.said).toContain('"otherChoices":[{"texts":12,"options":{"sourceLang":{"before":"en"}}}]')
        const done = yield* run([...forgotten, "--json"], { folder: all.folder, env: all.env })
        const [estimate] = done.stdout.split("\n").filter((line) => line.startsWith('{"type":"estimate"'))
        expect(estimate).toContain('"otherChoices":[{"texts":12')
      }),
    processTimeout
  )

  it.scopedLive(
    "deletes a source, and check names its output and the record until both are deleted",
    () =>
      Effect.gen(function* () {
        const all = yield* team(markdown, { "docs/a.md": "One.\n", "docs/x/b.md": "Two.\n" })
        const to = ["--from", "en", "--to", "de"]
        yield* all.paid("translate", "docs", ...to)
        rmSync(`${all.folder}/docs/x/b.md`)
        const record = ".effect-translate/records/de/docs/x/b.de.md.jsonl"
        const told = yield* all.paid("check", "docs", ...to)
        expect(told).toMatchObject({ code: 6, said: expect.stringContaining("1 output: 1 orphaned.") })
        expect(told.said).toContain(`delete docs/x/b.de.md and its record ${record}`)
        const program = yield* all.command("check", "docs", ...to, "--json")
        expect(program.stdout).toContain(
          `{"type":"problem","kind":"orphaned","source":"docs/x/b.md","output":"docs/x/b.de.md","targetLang":"de","record":"${record}"}`
        )
        for (const narrower of [["docs/a.md"], ["docs", "!docs/x"], ["docs/*.md"]]) {
          expect(yield* all.paid("check", ...narrower, ...to)).toMatchObject(nothingWrong)
        }
        rmSync(`${all.folder}/docs/x/b.de.md`)
        rmSync(`${all.folder}/${record}`)
        expect(yield* all.paid("check", "docs", ...to)).toMatchObject(nothingWrong)
      }),
    processTimeout
  )
})
