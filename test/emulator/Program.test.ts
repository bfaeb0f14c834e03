/** The emulator as a program, in a process of its own. */
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { bundle, bundled, processTimeout, type Result, root, start } from "../examples/process.js"
import { sharedLayer } from "../support/sharedLayer.js"

/** The program, bundled. */
class Main extends Context.Tag("test/EmulatorMain")<
  Main,
  { readonly file: string; readonly folder: string }
>() {}

const layerMain = Layer.scoped(
  Main,
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* fs.makeTempDirectoryScoped()
    yield* bundle(`${root}/src/emulator/main.ts`, `${folder}/main.mjs`)
    return { file: `${folder}/main.mjs`, folder }
  })
)

const services = Layer.provideMerge(layerMain, NodeContext.layer)

const spawn = (...args: ReadonlyArray<string>) =>
  Effect.flatMap(Main, ({ file, folder }) => start(bundled(file, ...args), { folder }))

type Child = Effect.Effect.Success<ReturnType<typeof spawn>>

const text = <E>(stream: Stream.Stream<Uint8Array, E>) => Stream.mkString(Stream.decodeText(stream))

/** What the program says before it serves, and where it does. */
const announced = (child: Child) =>
  Effect.gen(function* () {
    const lines = yield* child.stdout.pipe(
      Stream.decodeText(),
      Stream.splitLines,
      Stream.takeUntil((line) => line.includes("/docs")),
      Stream.runCollect,
      Effect.map((lines) => Array.from(lines))
    )
    return { lines, url: lines[0]!.split(" ").at(-1)! }
  })

/** The program until it ends by itself. */
const run = (
  ...args: ReadonlyArray<string>
): Effect.Effect<Result, unknown, CommandExecutor.CommandExecutor | Main | Scope.Scope> =>
  Effect.flatMap(spawn(...args), (child) =>
    Effect.all(
      { code: child.exitCode, stdout: text(child.stdout), stderr: text(child.stderr) },
      { concurrency: "unbounded" }
    )
  )

const request = (url: string, key: string | undefined, options: Http.RequestOptions, sent?: string) =>
  Effect.async<{ status: number; body: string }, Error>((resume) => {
    const headers = {
      ...(key === undefined ? {} : { authorization: `Service-Auth-Key ${key}` }),
      ...(sent === undefined ? {} : { "content-type": "application/json" })
    }
    Http.request(url, { headers, ...options }, (response) => {
      let body = ""
      response.setEncoding("utf8")
      response.on("data", (part: string) => {
        body += part
      })
      response.on("end", () => resume(Effect.succeed({ status: response.statusCode!, body })))
    })
      .on("error", (error) => resume(Effect.fail(error)))
      .end(sent)
  })

const get = (url: string, key?: string, agent?: Http.Agent) =>
  request(url, key, agent === undefined ? {} : { agent })

const post = (url: string, key: string, body: object) =>
  request(url, key, { method: "POST" }, JSON.stringify(body))

/** A port that a server of this process holds. */
const taken = Effect.acquireRelease(
  Effect.async<Http.Server>((resume) => {
    const server = Http.createServer()
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  }),
  (server) => Effect.sync(() => server.close())
).pipe(Effect.map((server) => (server.address() as AddressInfo).port))

const test = sharedLayer(services, processTimeout)

describe("the emulator as a program", () => {
  test("serves what it says, with the keys it was given", () =>
    Effect.gen(function* () {
      const child = yield* spawn("--port", "0", "--key", "mine", "--key", "yours", "--character-limit", "7")
      const { lines, url } = yield* announced(child)
      expect(lines).toEqual([
        `The emulator listens on ${url}`,
        "Keys: mine, yours",
        `Its endpoints: ${url}/docs`
      ])
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
      for (const key of ["mine", "yours"]) {
        const { body, status } = yield* get(`${url}/v2/usage`, key)
        expect({ status, limit: JSON.parse(body).character_limit }).toEqual({ status: 200, limit: 7 })
      }
      expect((yield* get(`${url}/v2/usage`, "emulator-key")).status).toBe(403)
      expect((yield* get(`${url}/docs`)).body).toContain("swagger")
      expect(JSON.parse((yield* get(`${url}/openapi.json`)).body).openapi).toBe("3.1.0")
    }))

  test("serves on the port it was given, with the emulator's own key", () =>
    Effect.gen(function* () {
      const port = yield* Effect.scoped(taken)
      const { lines, url } = yield* announced(yield* spawn("--port", `${port}`))
      expect(url).toBe(`http://127.0.0.1:${port}`)
      expect(lines[1]).toBe("Keys: emulator-key")
      expect((yield* get(`${url}/v2/usage`, "emulator-key")).status).toBe(200)
    }))

  test("lets an admin key see the keys beside it", () =>
    Effect.gen(function* () {
      const child = yield* spawn("--port", "0", "--key", "mine", "--admin-key", "boss")
      const { lines, url } = yield* announced(child)
      expect(lines[2]).toBe("Admin keys: boss")
      const { body, status } = yield* get(`${url}/v2/admin/developer-keys`, "boss")
      expect(status).toBe(200)
      expect(body).toContain("mine")
      expect((yield* get(`${url}/v2/admin/developer-keys`, "mine")).status).toBe(403)
    }))

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    test(`ends with exit code 0 on ${signal}, idle connections or not`, () =>
      Effect.gen(function* () {
        const child = yield* spawn("--port", "0")
        const { url } = yield* announced(child)
        const agent = new Http.Agent({ keepAlive: true })
        yield* get(`${url}/v2/usage`, "emulator-key", agent)
        // `child.kill` waits for the end and takes every signal for a failure.
        process.kill(Number(child.pid), signal)
        expect(Number(yield* child.exitCode)).toBe(0)
        expect(yield* text(child.stderr)).toBe("")
        agent.destroy()
        expect(Option.isNone(yield* Effect.option(get(`${url}/v2/usage`)))).toBe(true)
      }))
  }

  test("serves faults and limits of its flags and of a file of rules", () =>
    Effect.gen(function* () {
      const { folder } = yield* Main
      const fs = yield* FileSystem.FileSystem
      const rules = `${folder}/rules.json`
      yield* fs.writeFileString(
        rules,
        JSON.stringify({
          keys: ["mine"],
          characterLimit: 5,
          faults: [{ fault: "status", status: 500, path: "/v2/usage", after: 1 }]
        })
      )
      const args = ["--rules", rules, "--character-limit", "7", "--poison", "bad", "--fault", "garbage=0"]
      const { lines, url } = yield* announced(yield* spawn("--port", "0", ...args))
      expect(lines[1]).toBe("Keys: mine")
      expect(JSON.parse((yield* get(`${url}/v2/usage`, "mine")).body).character_limit).toBe(7)
      expect((yield* get(`${url}/v2/usage`, "mine")).status).toBe(500)
      expect((yield* get(`${url}/v2/usage`, "mine")).status).toBe(200)
      expect((yield* get(`${url}/v2/usage`, "emulator-key")).status).toBe(403)
    }))

  test("serves a fault for a share of the requests", () =>
    Effect.gen(function* () {
      const { url } = yield* announced(yield* spawn("--port", "0", "--fault", "503=1"))
      expect((yield* get(`${url}/v2/usage`, "emulator-key")).status).toBe(503)
    }))

  test("keeps its accounts in a file when it is started again, however it was ended", () =>
    Effect.gen(function* () {
      const { folder } = yield* Main
      const args = ["--port", "0", "--admin-key", "boss", "--state", `${folder}/state.json`]
      const first = yield* spawn(...args)
      const { url } = yield* announced(first)
      const key = yield* post(`${url}/v2/admin/developer-keys`, "boss", { label: "Shop" })
      expect(key.status).toBe(200)
      process.kill(Number(first.pid), "SIGKILL")
      yield* Effect.ignore(first.exitCode)
      const second = yield* spawn(...args)
      const again = yield* announced(second)
      const created = JSON.parse(key.body).key_id as string
      const translated = yield* post(`${again.url}/v2/translate`, created, {
        text: ["Hello"],
        target_lang: "de"
      })
      expect(translated.status).toBe(200)
      process.kill(Number(second.pid), "SIGTERM")
      yield* second.exitCode
      const third = yield* announced(yield* spawn(...args))
      expect(JSON.parse((yield* get(`${third.url}/v2/usage`, created)).body).api_key_character_count).toBe(5)
    }))

  test("says in one line that its port is taken", () =>
    Effect.gen(function* () {
      const port = yield* taken
      expect(yield* run("--port", `${port}`)).toEqual({
        code: 1,
        stdout: "",
        stderr: `Port ${port} is taken: choose another with --port, or 0 for a free one.\n`
      })
    }))

  for (const [args, message] of [
    [["--port", "65536"], "--port must be a whole number from 0 to 65535\n"],
    [["--port", "http"], "--port must be a whole number from 0 to 65535\n"],
    [["--latency", "-1s"], /^[^\n]*--latency[^\n]*\n/],
    [["--latency=1s"], "--latency must be a whole number from 0\n"],
    [["--fault", "503"], /^--fault must be a fault and its share[^\n]*cut-after[^\n]*\n$/],
    [["--fault", "cut=2"], /^--fault must be a fault and its share/],
    [["--instruction-answer", "both"], "--instruction-answer must be list or instruction\n"],
    [["--rules", "/no/rules.json"], "/no/rules.json: can't be read\n"],
    [["--state", "/no/state.json"], /^\/no\/state\.json can't be written: [^\n]*\n$/],
    [["--colour"], /^Unknown option '--colour'[^\n]*\n"--help" says what there is\.\n$/]
  ] as const) {
    test(`refuses ${args.join(" ")} with one clear message`, () =>
      Effect.gen(function* () {
        const { code, stderr, stdout } = yield* run(...args)
        expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
        expect(stderr).toMatch(message)
        expect(stderr).not.toContain("    at ")
      }))
  }

  test("tells by --help all that it takes", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* run("--help")
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      const flags = Array.from(stdout.matchAll(/^ {2}(--[\w-]+)/gm), ([, flag]) => flag)
      expect(flags).toEqual([
        "--port",
        "--key",
        "--admin-key",
        "--scheme",
        "--state",
        "--character-limit",
        "--max-concurrent",
        "--max-body-bytes",
        "--max-document-bytes",
        "--max-waiting",
        "--latency",
        "--queue-time",
        "--translation-time",
        "--fault",
        "--poison",
        "--rules",
        "--allow-unknown",
        "--instruction-answer",
        "--help"
      ])
    }))
})
