/**
 * `npm start`: the command line against an emulator on this machine, which is reached over HTTP like the real service, unless the environment
 * names one. Without arguments it translates the bundled text.
 *
 *     npm start -- translate products.csv --column title --to de
 */
import { spawn } from "node:child_process"
import { relative } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import { Emulator } from "effect-translate/emulator"
import { NodeProgram } from "effect-translate/node"
import { cliBundle } from "./cliBundle.js"

// npm runs scripts in the folder of the package, and says here where the user is.
process.chdir(process.env.INIT_CWD ?? ".")

const corpus = relative("", fileURLToPath(new URL("../examples/data/udhr.en.csv", import.meta.url)))

const given = process.argv.slice(2)
const isDemonstration = given.length === 0
const args = isDemonstration
  ? [
      "translate",
      corpus,
      "--column",
      "text",
      "--from",
      "en",
      "--to",
      "de,fr,ja",
      "--out",
      "out/udhr.{lang}.csv"
    ]
  : given

const say = (line: string) => Effect.sync(() => process.stderr.write(`${line}\n`))

/** Runs the command line to its end, which signals of this process reach too. Its exit code. */
const run = (env: Record<string, string>) =>
  Effect.flatMap(Effect.promise(cliBundle), (bundle) =>
    Effect.async<number>((resume) => {
      const child = spawn(process.execPath, [`${bundle}/main.js`, ...args], {
        env: { ...process.env, ...env },
        stdio: "inherit"
      })
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
        process.removeAllListeners(signal)
        process.on(signal, () => child.kill(signal))
      }
      child.on("close", (code) => resume(Effect.succeed(code ?? 1)))
    })
  )

const withEmulator = Effect.gen(function* () {
  const { meter, url } = yield* Emulator.Emulator
  yield* say(
    "The service is an emulator on this machine, which only marks the texts, and takes Latin letters for English without --from: set LANGUAGE_SERVICE_URL and LANGUAGE_SERVICE_KEY for a real one."
  )
  const code = yield* run({
    LANGUAGE_SERVICE_URL: url,
    LANGUAGE_SERVICE_KEY: Emulator.defaultKey,
    LANGUAGE_SERVICE_ADMIN_KEY: Emulator.defaultAdminKey,
    // What was paid for is found again whatever its port.
    LANGUAGE_SERVICE_NAME: "emulator"
  })
  if (isDemonstration) {
    const { characters, texts } = yield* meter
    yield* say(
      `The emulator's own meter: ${texts} texts, ${characters.toLocaleString("en")} characters billed.`
    )
  }
  return code
}).pipe(Effect.provide(Emulator.layerNode({ latency: 150 })))

const isReal = ["LANGUAGE_SERVICE_URL", "LANGUAGE_SERVICE_KEY", "LANGUAGE_SERVICE_KEY_FILE"].some(
  (name) => process.env[name] !== undefined
)

NodeProgram.runMain(
  Effect.map(isReal ? run({}) : withEmulator, (code) => {
    process.exitCode = code
  })
)
