import { chmodSync, mkdirSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { ServiceKind } from "effect-translate"
import * as failure from "../../src/cli/failure.js"
import * as Output from "../../src/cli/output.js"
import { variables } from "../../src/cli/settings/declarations.js"
import { find } from "../../src/cli/settings/findSettings.js"
import { service } from "../../src/cli/settings/serviceDeclarations.js"
import { folderOf } from "./process.js"

const name = "effect-translate.config.json"

const json = (value: object) => ({ [name]: JSON.stringify(value, null, 2) })

interface Given {
  readonly folder: string
  readonly env?: Readonly<Record<string, string>>
  readonly config?: string
  readonly profile?: string
  readonly proxy?: string
  readonly readsStandardInput?: boolean
}

/** The settings as a command gets them, and the notes that it prints. */
const settings = ({ config, env = {}, folder, profile, proxy, readsStandardInput = false }: Given) => {
  const notes: Array<string> = []
  const output = {
    ...Output.make({ json: false, quiet: true, verbose: false }),
    note: (line: string) => Effect.sync(() => void notes.push(line))
  }
  return find({ config, profile, proxy }, { env, folder, readsStandardInput }).pipe(
    Effect.provide(Layer.merge(NodeContext.layer, Layer.succeed(Output.Output, output))),
    Effect.map((found) => ({
      ...found,
      notes,
      /** A variable as the library reads it; "nothing" if it is not set. */
      value: (name: string) =>
        Effect.orElseSucceed(found.provider.load(Config.string(name)), () => "nothing"),
      origin: (name: string) => found.origins.find((origin) => origin.name === name)
    }))
  )
}

/** The line that a command prints of its settings, where they are wrong. */
const complaint = (given: Given, asked?: string) =>
  settings(given).pipe(
    Effect.flatMap(({ provider }) =>
      asked === undefined ? Effect.void : Effect.asVoid(provider.load(Config.redacted(asked)))
    ),
    Effect.sandbox,
    Effect.flip,
    Effect.map((cause) => failure.ofCause(cause)!)
  )

describe("the file of settings", () => {
  it.scoped("is found in the folder or above, and its paths are relative to it", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf({
        ...json({
          url: "https://host",
          translate: {
            files: ["src/*.md", "-"],
            targets: ["de"],
            out: "out/{lang}.md",
            glossary: "terms.csv",
            store: "none"
          }
        })
      })
      mkdirSync(`${folder}/a/b`, { recursive: true })
      const found = yield* settings({ folder: `${folder}/a/b` })
      expect(found.file).toBe(`${folder}/${name}`)
      expect(yield* found.value("LANGUAGE_SERVICE_URL")).toBe("https://host")
      expect(found.translate).toEqual({
        files: ["../../src/*.md", "-"],
        targets: ["de"],
        out: "../../out/{lang}.md",
        glossary: "../../terms.csv",
        store: "none"
      })
      expect(found.origin("EFFECT_TRANSLATE_TO")?.from).toBe(`../../${name} (translate.targets)`)
      const named = yield* settings({ folder, config: name })
      expect(named.translate.out).toBe("out/{lang}.md")
    })
  )

  it.scoped("may be a module, and not both", () =>
    Effect.gen(function* () {
      const module = { "effect-translate.config.mjs": 'export default { url: "https://" + "host" }' }
      const folder = yield* folderOf(module)
      expect(yield* (yield* settings({ folder })).value("LANGUAGE_SERVICE_URL")).toBe("https://host")
      const both = yield* folderOf({ ...module, ...json({}) })
      expect(yield* complaint({ folder: both })).toMatchObject({
        code: 2,
        message: expect.stringContaining("keep one of them")
      })
    })
  )

  it.scoped("is told with its line and key where it is wrong, and never with the value", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [file: string, text: string, message: string | RegExp]> = [
        [name, '{\n  "url": "https://host"\n  "tier": "free"\n}', `${name}:3:3: a comma is expected.`],
        [name, "", `${name}:1:1: a value is expected.`],
        [name, "[]", `${name}:1:1: the settings must be an object.`],
        [name, '{\n  "translat": {}\n}', `${name}:2:3: "translat" is no setting. Did you mean "translate"?`],
        [
          name,
          '{\n  "translate": { "form": "en" }\n}',
          `${name}:2:18: "translate.form" is no setting. Did you mean "format"?`
        ],
        [
          name,
          '{ "profiles": { "eu": { "url": "s3cret" } } }',
          /^effect-translate.config.json:1:25: "profiles.eu.url" must be the base address/
        ],
        [
          name,
          '{ "translate": { "targets": "s3cret" } }',
          `${name}:1:18: "translate.targets" must be a list of language codes such as de or pt-BR.`
        ],
        [
          name,
          '{ "translate": { "targets": ["de", "s3cret"] } }',
          /"translate.targets" must be a list of language codes such as de or pt-BR\.$/
        ],
        [
          name,
          '{ "translate": { "targets": [{ "lang": "de", "options": { "formality": "s3cret" } }] } }',
          /"translate.targets" .*formality must be/
        ],
        [
          name,
          '{ "translate": { "options": { "sourceLang": "german" } } }',
          /"translate.options" sourceLang is no language code: write "de"/
        ],
        [name, '{ "translate": 5 }', `${name}:1:3: "translate" must be an object.`],
        [name, '{ "translate": { "budget": -5 } }', /"translate.budget" must be a whole number above 0\.$/],
        [
          name,
          '{ "worker": { "concurrency": 2000 } }',
          /"worker.concurrency" must be a whole number from 1 to 1000\.$/
        ],
        [name, '{\n "key": "s3cret" }', /:2:2: "key": keys are never in this file\. Write it to a file/],
        [name, '{ "keyVariable": "s3cret-key" }', /"keyVariable" must be the name of a variable/],
        [
          name,
          '{ "stateFolder": "s3cret\\u0000" }',
          `${name}:1:3: "stateFolder" holds a control character: leave it out.`
        ],
        [
          name,
          '{ "translate": { "files": ["a.json", "s3cret\\u0007"] } }',
          `${name}:1:18: "translate.files" holds a control character: leave it out.`
        ],
        ["c.mjs", 'export default { tier: "s3cret" }', 'c.mjs: "tier" must be one of paid, free.'],
        ["c.mjs", "export const url = 5", /^c\.mjs has no default export/],
        ["c.mjs", 'throw new Error("no\\nluck")', "c.mjs can't be run: no"],
        ["c.yaml", "", "c.yaml: the file of settings must end in .json or .mjs."]
      ]
      for (const [file, text, message] of cases) {
        const folder = yield* folderOf({ [file]: text })
        const told = yield* complaint({ folder, config: file })
        expect(told, text).toMatchObject({ code: 2, tag: "Usage" })
        expect(told.message, text).toMatch(message)
        expect(told.message).not.toMatch(/s3cret|\n/)
      }
      const folder = yield* folderOf()
      expect((yield* complaint({ folder, config: "no.json" })).message).toBe(
        "The file of settings no.json does not exist."
      )
    })
  )

  it.scoped("may hold comments and trailing commas", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf({
        [name]: '\uFEFF{\n  // the test service\n  "url": "https://host",\n}'
      })
      expect(yield* (yield* settings({ folder })).value("LANGUAGE_SERVICE_URL")).toBe("https://host")
    })
  )
})

describe("settings", () => {
  const profiles = {
    url: "https://top",
    account: "top",
    tier: "free",
    profile: "eu",
    profiles: {
      eu: { url: "https://eu", keyVariable: "EU_KEY" },
      us: { url: "https://us" }
    }
  }

  it.scoped("are those of a named profile, then of the environment, then of the file", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf(json(profiles))
      const EU_KEY = "eu-key"
      const env = { EU_KEY, LANGUAGE_SERVICE_URL: "https://env", LANGUAGE_SERVICE_KEY: "env-key" }
      const url = (given: Omit<Given, "folder">) =>
        Effect.flatMap(settings({ folder, ...given }), ({ value }) =>
          Effect.all([value("LANGUAGE_SERVICE_URL"), value("LANGUAGE_SERVICE_KEY")])
        )
      expect(yield* url({ env: { EU_KEY } })).toEqual(["https://eu", "eu-key"])
      expect(yield* url({ env })).toEqual(["https://env", "env-key"])
      expect(yield* url({ env, profile: "eu" })).toEqual(["https://eu", "eu-key"])
      expect(yield* url({ env, profile: "us" })).toEqual(["https://us", "env-key"])
      expect(yield* url({ env: { EU_KEY, EFFECT_TRANSLATE_PROFILE: "us" } })).toEqual([
        "https://us",
        "nothing"
      ])
      const eu = yield* settings({ folder, env, profile: "eu" })
      // The account of another key is not its own.
      expect(yield* eu.value("LANGUAGE_SERVICE_ACCOUNT")).toBe("nothing")
      expect(yield* eu.value("LANGUAGE_SERVICE_TIER")).toBe("free")
      expect(eu.origin("LANGUAGE_SERVICE_KEY")).toEqual({
        name: "LANGUAGE_SERVICE_KEY",
        value: "set",
        from: `${name} (profiles.eu.keyVariable)`
      })
      expect((yield* complaint({ folder, profile: "uk" })).message).toMatch(
        /^effect-translate.config.json has/
      )
      expect((yield* complaint({ folder: "/", profile: "uk" })).message).toContain("no file of settings")
    })
  )

  it.scoped("of the proxy are an option, then as those of a service, and show no password", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf(
        json({ proxy: "http://top:8080", profiles: { eu: { url: "https://eu", proxy: "none" } } })
      )
      const variable = "LANGUAGE_SERVICE_PROXY"
      const env = { [variable]: "http://me:s3cret@env:8080" }
      const proxy = (given: Omit<Given, "folder">) =>
        Effect.flatMap(settings({ folder, ...given }), ({ origin, value }) =>
          Effect.map(value(variable), (value) => [value, origin(variable)?.value, origin(variable)?.from])
        )
      expect(yield* proxy({})).toEqual(["http://top:8080", "http://top:8080", `${name} (proxy)`])
      expect(yield* proxy({ env })).toEqual([env[variable], "http://…@env:8080", variable])
      expect(yield* proxy({ env, profile: "eu" })).toEqual(["none", "none", `${name} (profiles.eu.proxy)`])
      expect(yield* proxy({ env, profile: "eu", proxy: "me:s3/cr@et@flag:8080" })).toEqual([
        "me:s3/cr@et@flag:8080",
        "…@flag:8080",
        "--proxy"
      ])
      const wrong = yield* complaint({ folder: yield* folderOf(json({ proxy: "socks5://me:s3cret@host" })) })
      expect(wrong.message).toMatch(
        /"proxy" must be the address of an HTTP proxy, such as http:\/\/host:8080, or none\.$/
      )
      expect(wrong.message).not.toContain("s3cret")
    })
  )

  it.scoped("of translate are in the environment by one rule", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf(json({ translate: { targets: ["fr"], options: { sourceLang: "en" } } }))
      const { origin, translate } = yield* settings({
        folder,
        env: {
          EFFECT_TRANSLATE_TO: "de, ja",
          EFFECT_TRANSLATE_FILES: "a.{md,txt},b.md",
          EFFECT_TRANSLATE_BUDGET: "5000",
          EFFECT_TRANSLATE_STORE: "",
          EFFECT_TRANSLATE_EXISTING: "overwrite"
        }
      })
      expect(translate).toEqual({
        options: { sourceLang: "en" },
        targets: ["de", "ja"],
        files: ["a.{md,txt}", "b.md"],
        budget: 5000,
        existing: "overwrite"
      })
      expect(origin("EFFECT_TRANSLATE_TO")).toMatchObject({ value: "de,ja", from: "EFFECT_TRANSLATE_TO" })
      expect(variables).toContain("EFFECT_TRANSLATE_STORE")
      const wrong = yield* complaint({ folder, env: { EFFECT_TRANSLATE_BUDGET: "much" } })
      expect(wrong.message).toBe("EFFECT_TRANSLATE_BUDGET must be a whole number above 0.")
    })
  )
})

describe("the settings of durable jobs", () => {
  it.scoped("are in the file and in the environment, and no password is shown", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf(
        json({ jobs: "state/jobs.db", worker: { address: "10.0.0.5:7400", drain: 20 } })
      )
      mkdirSync(`${folder}/below`)
      const inFile = yield* settings({ folder: `${folder}/below` })
      expect(inFile).toMatchObject({
        jobs: "../state/jobs.db",
        worker: { address: "10.0.0.5:7400", drain: 20 }
      })
      const { jobs, origin, worker } = yield* settings({
        folder,
        env: {
          EFFECT_TRANSLATE_JOBS: "postgres://user:s3cret@host/jobs",
          EFFECT_TRANSLATE_WORKER_CONCURRENCY: "4"
        }
      })
      expect(jobs).toBe("postgres://user:s3cret@host/jobs")
      expect(origin("EFFECT_TRANSLATE_JOBS")?.value).toBe("postgres://…")
      expect(worker).toEqual({ address: "10.0.0.5:7400", drain: 20, concurrency: 4 })
      expect(variables).toContain("EFFECT_TRANSLATE_JOBS_KEY")
      const wrong = yield* complaint({ folder, env: { EFFECT_TRANSLATE_WORKER_CONCURRENCY: "many" } })
      expect(wrong.message).toBe("EFFECT_TRANSLATE_WORKER_CONCURRENCY must be a whole number from 1 to 1000.")
      const beyond = yield* complaint({
        folder,
        env: { EFFECT_TRANSLATE_TRANSLATION_MEMORY_THRESHOLD: "150" }
      })
      expect(beyond.message).toBe(
        "EFFECT_TRANSLATE_TRANSLATION_MEMORY_THRESHOLD must be a whole number from 0 to 100."
      )
      const misspelt = yield* folderOf(json({ worker: { adress: "10.0.0.5:7400" } }))
      expect((yield* complaint({ folder: misspelt })).message).toContain('Did you mean "address"?')
    })
  )
})

describe("a key", () => {
  it.scoped("may be in a file, whose last line break does not count", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf({ ...json({ keyFile: "key.txt" }), "key.txt": "s3cret\n" })
      chmodSync(`${folder}/key.txt`, 0o600)
      mkdirSync(`${folder}/below`)
      const safe = yield* settings({ folder: `${folder}/below` })
      const key = yield* safe.provider.load(Config.redacted("LANGUAGE_SERVICE_KEY"))
      expect(Redacted.value(key)).toBe("s3cret")
      expect(safe.notes).toEqual([])
      chmodSync(`${folder}/key.txt`, 0o644)
      const open = yield* settings({ folder, env: { LANGUAGE_SERVICE_KEY_FILE: "key.txt" } })
      yield* open.value("LANGUAGE_SERVICE_KEY")
      yield* open.value("LANGUAGE_SERVICE_KEY")
      expect(open.notes).toEqual([`Others can read the key in ${folder}/key.txt: "chmod 600" it.`])
      expect(open.origin("LANGUAGE_SERVICE_KEY")?.from).toBe("LANGUAGE_SERVICE_KEY_FILE")
    })
  )

  it.scoped("that is missing is told with the ways to set it", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf({ "empty.txt": " \n", "two.txt": "s3cret s3cret" })
      const told = (env: Given["env"], asked = "LANGUAGE_SERVICE_KEY", readsStandardInput = false) =>
        Effect.map(complaint({ folder, env: env ?? {}, readsStandardInput }, asked), ({ code, message }) => {
          expect(code).toBe(2)
          expect(message).not.toMatch(/s3cret|\n/)
          return message
        })
      const missing = yield* told({})
      for (const way of ["LANGUAGE_SERVICE_KEY,", "LANGUAGE_SERVICE_KEY_FILE", "keyFile", "init"]) {
        expect(missing).toContain(way)
      }
      expect(yield* told({ LANGUAGE_SERVICE_KEY: "" })).toMatch(/^LANGUAGE_SERVICE_KEY is empty\. No key/)
      expect(yield* told({}, "LANGUAGE_SERVICE_ADMIN_KEY")).toMatch(/^No admin key: /)
      expect(yield* told({}, "LANGUAGE_SERVICE_URL")).toMatch(/^No address of the service: /)
      const file = (name: string) => ({ LANGUAGE_SERVICE_KEY_FILE: name })
      expect(yield* told(file("s3cret"))).toContain("LANGUAGE_SERVICE_KEY_FILE names does not exist.")
      expect(yield* told(file("."))).toContain("names can't be read.")
      expect(yield* told(file("empty.txt"))).toContain("LANGUAGE_SERVICE_KEY_FILE: there is no key.")
      expect(yield* told(file("two.txt"))).toContain("the key holds a space.")
      expect(yield* told(file("-"), undefined, true)).toContain("standard input holds the text")
    })
  )
})

describe("the rules that a service has dropped", () => {
  it.effect("are named as the checks of requests are, all of them and no others", () =>
    Effect.sync(() => {
      const names = ServiceKind.rules
      const { description, setting } = service.relax
      for (const name of names) {
        expect(setting!.pattern!.test(name), name).toBe(true)
        expect(description).toContain(name)
      }
      expect(setting!.pattern!.test(names.join(","))).toBe(true)
      for (const other of ["latency", "latencyWith", "language", "", `${names[0]}x`]) {
        expect(setting!.pattern!.test(other), other).toBe(false)
      }
    })
  )
})
