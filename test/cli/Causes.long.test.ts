/** Failures whose cause is the machine, an address or a network: each is named, with the exit code of the table. */
import { execFileSync, spawn } from "node:child_process"
import { readdirSync, rmSync } from "node:fs"
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { cliBundle } from "../../scripts/cliBundle.js"
import { capability } from "../support/capabilities.js"
import { emulator, folderOf, inherited, processTimeout, type Result, run } from "./process.js"

const sources = { "en.json": '{ "greeting": "Good morning" }' }

const translate = ["translate", "en.json", "--from", "en", "--to", "de"]

/** Runs the command line by a shell that changes what it is given: limits, and its standard input. */
const shell = (script: string, folder: string, env: Readonly<Record<string, string>>) =>
  Effect.flatMap(Effect.promise(cliBundle), (bundle) =>
    Effect.async<Result>((resume) => {
      const words = ["-c", script, process.execPath, `${bundle}/main.js`]
      const child = spawn("bash", words, { cwd: folder, env: { ...inherited, ...env } })
      const said = { stdout: "", stderr: "" }
      child.stdout.on("data", (bytes: Buffer) => (said.stdout += bytes))
      child.stderr.on("data", (bytes: Buffer) => (said.stderr += bytes))
      child.on("close", (code) => resume(Effect.succeed({ code: code ?? 128, ...said })))
    })
  )

describe("a limit of the machine", () => {
  it.scopedLive(
    "is named: open files, and memory that WebAssembly can't reserve",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf(sources)
        for (const files of [32, 64]) {
          const few = yield* shell(`ulimit -n ${files}; "$0" "$1" ${translate.join(" ")} --json`, folder, env)
          expect(few.code).toBe(2)
          expect(few.stderr).toMatch(/^This process has as many files .*ulimit -n/)
          expect(JSON.parse(few.stdout.trim().split("\n").at(-1)!)).toMatchObject({ type: "error", code: 2 })
        }
        const small = yield* shell(`ulimit -v 3000000; "$0" "$1" ${translate.join(" ")}`, folder, env)
        expect(small.code).toBe(2)
        expect(small.stderr).toMatch(/There is not enough memory .*ulimit -v/)
      }),
    processTimeout
  )

  const mounts = capability("mounts")
  it.skipIf(mounts.isMissing)(
    `is named: a file system that can only be read${mounts.why}`,
    () =>
      Effect.runPromise(
        Effect.scoped(
          Effect.gen(function* () {
            const { env } = yield* emulator()
            const folder = yield* folderOf(sources)
            yield* Effect.acquireRelease(
              Effect.sync(() => execFileSync("mount", ["--bind", folder, folder])),
              () => Effect.sync(() => execFileSync("umount", ["-l", folder]))
            )
            execFileSync("mount", ["-o", "remount,bind,ro", folder])
            const { code, stderr } = yield* run(translate, { folder, env })
            expect(code).toBe(2)
            expect(stderr).toBe(
              ".effect-translate can't be written: its file system can only be read. Name another folder by --state-folder.\n"
            )
          })
        )
      ),
    processTimeout
  )

  it.scopedLive(
    "is named: standard input that can't be read",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf(sources)
        const pipe = '"$0" "$1" translate - --format lines --from en --to de'
        const ofFolder = yield* shell(`${pipe} < .`, folder, env)
        expect(ofFolder).toMatchObject({ code: 2, stdout: "" })
        expect(ofFolder.stderr).toContain("standard input can't be read: it is a folder.")
        const ofOutput = yield* shell(`${pipe} 0> written`, folder, env)
        expect(ofOutput).toMatchObject({ code: 2, stdout: "" })
        expect(ofOutput.stderr).toContain("standard input can't be read: it is not open for that.")
        const ofKey = yield* shell(
          'LANGUAGE_SERVICE_KEY= LANGUAGE_SERVICE_KEY_FILE=- "$0" "$1" usage < .',
          folder,
          env
        )
        expect(ofKey).toMatchObject({
          code: 2,
          stderr: "LANGUAGE_SERVICE_KEY: standard input can't be read: it is a folder.\n"
        })
      }),
    processTimeout
  )
})

describe.skipIf(process.platform !== "linux")("standard output", () => {
  it.scopedLive(
    "that takes no more is no reader that has gone: its full disk is named",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf(sources)
        const full = yield* shell(`"$0" "$1" languages > /dev/full`, folder, env)
        expect([full.code, full.stderr]).toEqual([1, "standard output can't be written: its disk is full.\n"])
        const closed = yield* shell('exec 3> >(true); wait $!; "$0" "$1" languages >&3', folder, env)
        expect(closed).toMatchObject({ code: 141, stderr: "" })
      }),
    processTimeout
  )
})

describe("an address that is none", () => {
  it.scopedLive(
    "of a store or of jobs is wrong usage, and no file is made of it",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const folder = yield* folderOf(sources)
        for (const store of [
          "postgres:/x",
          "postgres://",
          "postgres:",
          "postgres://host:abc/x",
          "mysql:/x"
        ]) {
          for (const args of [
            [...translate, "--store", store],
            ["job", "list", "--jobs", store]
          ]) {
            const { code, stderr } = yield* run(args, { folder, env })
            expect([store, code]).toEqual([store, 2])
            expect(stderr).toMatch(/^--(store|jobs) is no address/)
          }
        }
        expect(readdirSync(folder)).toEqual(["en.json"])
        expect(yield* billed).toBe(0)
      }),
    processTimeout
  )
})

describe("a bucket", () => {
  const settings = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret", AWS_REGION: "eu-central-1" }
  const args = (source: string) => ["translate", source, "--column", "title", "--from", "en", "--to", "de"]

  it.scopedLive(
    "that is away is an outage, for a pattern as for an object",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf()
        const away = { ...env, ...settings, AWS_ENDPOINT_URL: "http://127.0.0.1:1" }
        const ends = yield* Effect.forEach(
          ["s3://corpora/in/*.csv", "s3://corpora/in/a.csv"],
          (source) => run(args(source), { folder, env: away }),
          { concurrency: 2 }
        )
        for (const { code, stderr } of ends) {
          expect(code).toBe(5)
          expect(stderr).toMatch(/can't be reached \(the connection has failed \(ECONNREFUSED\)/)
        }
        rmSync(`${folder}/.effect-translate`, { recursive: true, force: true })
      }),
    processTimeout
  )

  it.scopedLive(
    "behind a proxy that refuses the password says so, for a pattern as for an object",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf()
        const proxy = Http.createServer((_, response) => response.writeHead(407).end())
        proxy.on("connect", (_, socket) => socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"))
        const port = yield* Effect.acquireRelease(
          Effect.async<number>((resume) => {
            proxy.listen(0, "127.0.0.1", () => resume(Effect.succeed((proxy.address() as AddressInfo).port)))
          }),
          () => Effect.sync(() => proxy.close())
        )
        const http_proxy = `http://me:wrong@127.0.0.1:${port}`
        for (const endpoint of ["https://bucket.test", "http://bucket.test"]) {
          for (const source of ["s3://corpora/in/*.csv", "s3://corpora/in/a.csv"]) {
            const behind = {
              ...env,
              ...settings,
              AWS_ENDPOINT_URL: endpoint,
              HTTPS_PROXY: http_proxy,
              http_proxy
            }
            const { code, stderr } = yield* run(args(source), { folder, env: behind })
            expect(code).toBe(5)
            expect(stderr).toContain("the proxy does not accept the name and the password")
            expect(stderr).not.toContain("wrong@")
          }
        }
      }),
    processTimeout
  )
})
