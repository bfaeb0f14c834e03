import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folderOf, processTimeout, run, start } from "./process.js"

const request = (url: string, key: string, options: Http.RequestOptions = {}, sent?: object) =>
  Effect.async<{ status: number; body: string }, Error>((resume) => {
    const headers = { authorization: `Service-Auth-Key ${key}`, "content-type": "application/json" }
    Http.request(url, { headers, ...options }, (response) => {
      let body = ""
      response.setEncoding("utf8")
      response.on("data", (part: string) => {
        body += part
      })
      response.on("end", () => resume(Effect.succeed({ status: response.statusCode!, body })))
    })
      .on("error", (error) => resume(Effect.fail(error)))
      .end(sent === undefined ? undefined : JSON.stringify(sent))
  })

const usageOf = (url: string, key: string) =>
  Effect.map(request(`${url}/v2/usage`, key), ({ body, status }) => ({
    status,
    ...(status === 200 ? JSON.parse(body) : {})
  }))

/** An emulator, once it has said where it is. */
const started = (folder: string, ...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const emulator = yield* start(["emulator", ...args], { folder })
    yield* Effect.async<void>((resume) => {
      emulator.child.stdout!.on("data", () => {
        if (emulator.stdout().endsWith("\n\n")) resume(Effect.void)
      })
    })
    const lines = emulator.stdout().split("\n")
    return { ...emulator, lines, url: lines[0]!.split(" ").at(-1)! }
  })

/** A port that a server of this process holds. */
const taken = Effect.acquireRelease(
  Effect.async<Http.Server>((resume) => {
    const server = Http.createServer()
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  }),
  (server) => Effect.sync(() => server.close())
).pipe(Effect.map((server) => (server.address() as AddressInfo).port))

const test = <E>(
  name: string,
  body: (folder: string) => Effect.Effect<void, E, Effect.Effect.Context<typeof taken>>
) => it.scopedLive(name, () => Effect.flatMap(folderOf(), body), processTimeout)

describe("emulator", () => {
  test("serves on its port, and prints lines that a person pastes to use it", (folder) =>
    Effect.gen(function* () {
      const port = yield* Effect.scoped(taken)
      const { lines, url } = yield* started(folder, "--port", `${port}`)
      expect(url).toBe(`http://127.0.0.1:${port}`)
      expect(lines.slice(0, 4)).toEqual([
        `The emulator listens on ${url}`,
        "Keys: emulator-key",
        "Admin keys: emulator-admin-key",
        `Its endpoints: ${url}/docs`
      ])
      const pasted = lines.flatMap((line) => {
        const [, name, value] = /^export (\w+)=(\S+)$/.exec(line) ?? []
        return name === undefined || value === undefined ? [] : [[name, value] as const]
      })
      const env = Object.fromEntries(pasted)
      expect(Object.keys(env)).toEqual([
        "LANGUAGE_SERVICE_URL",
        "LANGUAGE_SERVICE_KEY",
        "LANGUAGE_SERVICE_ADMIN_KEY"
      ])
      expect((yield* run(["usage"], { folder, env })).code).toBe(0)
      expect((yield* request(`${url}/docs`, "")).body).toContain("POST /v2/translate")
      expect(JSON.parse((yield* request(`${url}/openapi.json`, "")).body).openapi).toBe("3.1.0")
    }))

  test("accepts the keys that it is given, and no others", (folder) =>
    Effect.gen(function* () {
      const args = ["--key", "mine", "--key", "your's", "--admin-key", "boss", "--character-limit", "7"]
      const { lines, url } = yield* started(folder, "--port", "0", ...args)
      expect(lines.slice(1, 3)).toEqual(["Keys: mine, your's", "Admin keys: boss"])
      for (const key of ["mine", "your's"]) {
        expect(yield* usageOf(url, key)).toMatchObject({ status: 200, character_limit: 7 })
      }
      expect(yield* usageOf(url, "emulator-key")).toEqual({ status: 403 })
      const keys = yield* request(`${url}/v2/admin/developer-keys`, "boss")
      expect(keys.status).toBe(200)
      expect(keys.body).toContain("mine")
      expect((yield* request(`${url}/v2/admin/developer-keys`, "mine")).status).toBe(403)
    }))

  test("keeps the keys of the file beside an admin key of its flags, which administers their account", (folder) =>
    Effect.gen(function* () {
      const rules = yield* folderOf({
        "rules.json": JSON.stringify({
          keys: [
            { key: "mine", characterLimit: 9 },
            { key: "old-boss", admin: true }
          ]
        })
      })
      const ofFile = ["--port", "0", "--faults", `${rules}/rules.json`]
      const { lines, url } = yield* started(folder, ...ofFile, "--admin-key", "boss")
      expect(lines.slice(1, 3)).toEqual(["Keys: mine", "Admin keys: boss"])
      expect(yield* usageOf(url, "mine")).toMatchObject({ status: 200, api_key_character_limit: 9 })
      expect((yield* request(`${url}/v2/admin/developer-keys`, "boss")).body).toContain("mine")
      const other = yield* started(folder, ...ofFile, "--key", "other")
      expect(other.lines.slice(1, 3)).toEqual(["Keys: other", "Admin keys: old-boss"])
    }))

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    test(`ends with exit code 0 on ${signal}, idle connections or not`, (folder) =>
      Effect.gen(function* () {
        const { ended, kill, url } = yield* started(folder, "--port", "0")
        const agent = new Http.Agent({ keepAlive: true })
        yield* request(`${url}/v2/usage`, "emulator-key", { agent })
        yield* kill(signal)
        expect(yield* ended).toMatchObject({ code: 0, stderr: "" })
        agent.destroy()
        expect((yield* Effect.either(request(`${url}/v2/usage`, "emulator-key")))._tag).toBe("Left")
      }))
  }

  test("serves faults and limits of its flags and of a file", (folder) =>
    Effect.gen(function* () {
      const rules = yield* folderOf({
        "rules.json": JSON.stringify({
          keys: ["mine"],
          characterLimit: 5,
          faults: [{ fault: "status", status: 500, path: "/v2/usage", after: 1 }]
        })
      })
      const args = ["--faults", `${rules}/rules.json`, "--character-limit", "7", "--poison", "bad"]
      const ofFile = yield* started(folder, "--port", "0", ...args, "--fault", "garbage=0")
      expect(ofFile.lines[1]).toBe("Keys: mine")
      expect(yield* usageOf(ofFile.url, "mine")).toMatchObject({ status: 200, character_limit: 7 })
      expect(yield* usageOf(ofFile.url, "mine")).toEqual({ status: 500 })
      expect((yield* usageOf(ofFile.url, "mine")).status).toBe(200)
      const poisoned = { text: ["a bad word"], target_lang: "de" }
      const translate = request(`${ofFile.url}/v2/translate`, "mine", { method: "POST" }, poisoned)
      expect((yield* translate).status).toBe(400)
      const ofFlags = yield* started(folder, "--port", "0", "--fault", "503=1")
      expect(yield* usageOf(ofFlags.url, "emulator-key")).toEqual({ status: 503 })
    }))

  test("keeps its accounts in a file when it is started again, however it was ended", (folder) =>
    Effect.gen(function* () {
      const args = ["--port", "0", "--admin-key", "boss", "--state", `${folder}/state.json`]
      const first = yield* started(folder, ...args)
      const asBoss = { method: "POST" }
      const keys = `${first.url}/v2/admin/developer-keys`
      const key = yield* request(keys, "boss", asBoss, { label: "Shop" })
      expect(key.status).toBe(200)
      yield* first.kill("SIGKILL")
      yield* first.ended
      const second = yield* started(folder, ...args)
      const created = JSON.parse(key.body).key_id as string
      const texts = { text: ["Hello"], target_lang: "de" }
      const translated = request(`${second.url}/v2/translate`, created, { method: "POST" }, texts)
      expect((yield* translated).status).toBe(200)
      yield* second.kill("SIGTERM")
      yield* second.ended
      const third = yield* started(folder, ...args)
      expect((yield* usageOf(third.url, created)).api_key_character_count).toBe(5)
    }))

  test("says in one line that its port is taken", (folder) =>
    Effect.gen(function* () {
      const port = yield* taken
      expect(yield* run(["emulator", "--port", `${port}`], { folder })).toEqual({
        code: 2,
        stdout: "",
        stderr: `Port ${port} is taken: choose another with --port, or 0 for a free one.\n`
      })
    }))

  for (const [args, message] of [
    [["--port", "65536"], "--port must be a whole number from 0 to 65535.\n"],
    [["--fault", "cut=2"], /^--fault must be a fault and its share/],
    [["--faults", "/no/rules.json"], "/no/rules.json: can't be read\n"],
    [["--state", "/no/state.json"], /^\/no\/state\.json can't be written: [^\n]*\n$/],
    [["--colour"], /^[^\n]*--colour[^\n]*\n$/]
  ] as const) {
    test(`refuses ${args.join(" ")} with one clear message`, (folder) =>
      Effect.gen(function* () {
        const { code, stderr, stdout } = yield* run(["emulator", ...args], { folder })
        expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
        expect(stderr).toMatch(message)
      }))
  }
})
