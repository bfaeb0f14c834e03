/** Commands as processes, with a key that may do nothing but translate, or behind a gateway that has nothing else. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Emulator, Fault } from "effect-translate/emulator"
import * as openQuestions from "../support/openQuestions.js"
import { folderOf, processTimeout, run } from "./process.js"
import { objects, outputs, products, submit, worker } from "./workerProcess.js"

const environment = Effect.map(Emulator.Emulator, ({ url }) => ({
  LANGUAGE_SERVICE_URL: url,
  LANGUAGE_SERVICE_KEY: Emulator.defaultKey
}))

const translate = ["translate", "a.txt", "--from", "en", "--to", "de,fr"]

const emulated = Effect.provide(Emulator.layerNode())

for (const status of openQuestions.statuses) {
  describe(`with a key whose questions are answered with ${status}`, () => {
    it.scopedLive(
      "translate does all, and says once that options are not checked",
      () =>
        Effect.gen(function* () {
          yield* openQuestions.leaveOpen(status)
          const folder = yield* folderOf({ "a.txt": "Hello\nWorld\n" })
          const at = { folder, env: yield* environment }
          const dry = yield* run([...translate, "--dry-run"], at)
          expect(dry.code).toBe(0)
          const { code, stderr } = yield* run([...translate, "--budget", "1000", "--price", "20"], at)
          expect(code).toBe(0)
          const notes = stderr.split("\n").filter((line) => line.includes("options are not checked"))
          expect(notes).toEqual([
            expect.stringMatching(new RegExp(`^GET /v3/languages\\S* is answered with ${status} `))
          ])
          for (const target of ["de", "fr"])
            expect(readFileSync(`${folder}/a.${target}.txt`, "utf8")).not.toBe("")

          const piped = yield* run(
            ["translate", "-", "--to", "de", "--format", "lines", "--store", "none", "--json"],
            {
              ...at,
              stdin: "Good morning\n"
            }
          )
          expect(piped.code).toBe(0)
          const again = yield* run([...translate, "--json"], at)
          expect(objects(again.stdout).filter(({ type }) => type === "unchecked")).toMatchObject([{ status }])
        }).pipe(emulated),
      processTimeout
    )

    it.scopedLive(
      "documents and improvements are done as well, and doctor says that the key works",
      () =>
        Effect.gen(function* () {
          yield* openQuestions.leaveOpen(status)
          const folder = yield* folderOf({ "a.txt": "Hello" })
          const at = { folder, env: yield* environment }
          expect((yield* run(["write", "correct", "A text.", "--lang", "en-US"], at)).code).toBe(0)
          expect((yield* run(["document", "translate", "a.txt", "--to", "de"], at)).code).toBe(0)
          const doctor = yield* run(["doctor"], at)
          expect(doctor.code).toBe(0)
          expect(doctor.stdout).toContain(
            `ok       service: It answers and lets the key translate. The usage is unknown, as it answers /v2/usage with ${status}.`
          )
        }).pipe(emulated),
      processTimeout
    )

    it.scopedLive(
      "a glossary of a file can't be found by its name, and the message asks for its id; with an id it is used",
      () =>
        Effect.gen(function* () {
          const folder = yield* folderOf({ "a.txt": "Hello", "terms.csv": "Hello,Hallo,en,de\n" })
          const at = { folder, env: yield* environment }
          const made = yield* run(
            ["glossary", "sync", "terms", "terms.csv", "--dictionary", "en:de", "--json"],
            at
          )
          expect(made.code, made.stderr).toBe(0)
          const id = String(objects(made.stdout)[0]?.glossaryId)
          yield* openQuestions.leaveOpen(status)
          const one = ["translate", "a.txt", "--from", "en", "--to", "de", "--glossary"]
          const named = yield* run([...one, "terms.csv"], at)
          expect(named.code).toBe(status === 403 ? 4 : 2)
          expect(named.stderr).toContain("Give the id of the glossary")
          const { code, stderr } = yield* run([...one, id], at)
          expect(code, stderr).toBe(0)
          expect(readFileSync(`${folder}/a.de.txt`, "utf8")).toContain("Hallo")
        }).pipe(emulated),
      processTimeout
    )

    it.scopedLive(
      "a worker begins and does its jobs",
      () =>
        Effect.gen(function* () {
          yield* openQuestions.leaveOpen(status)
          const folder = yield* folderOf({ "products.csv": products(20) })
          const at = { folder, env: yield* environment }
          yield* run(submit, at)
          const { told } = yield* worker([], at)
          expect(yield* told("jobEnded")).toMatchObject({ state: "done" })
          expect(yield* told("unchecked")).toMatchObject({ status })
          expect(outputs(folder).every((text) => text.split("\n").length > 20)).toBe(true)
        }).pipe(emulated),
      processTimeout
    )
  })
}

describe("with a key that may not translate", () => {
  it.scopedLive(
    "translate, doctor and a worker end with 4",
    () =>
      Effect.gen(function* () {
        const { script } = yield* Emulator.Emulator
        yield* script([Fault.status(403).pipe(Fault.times(Number.POSITIVE_INFINITY))])
        const folder = yield* folderOf({ "a.txt": "Hello" })
        const at = { folder, env: yield* environment }
        for (const words of [translate, ["doctor"], ["worker"]]) {
          const { code, stderr } = yield* run(words, at)
          expect(code, words.join(" ")).toBe(4)
          expect(stderr).toContain("The service does not accept the key, status 403")
        }
      }).pipe(emulated),
    processTimeout
  )
})
