/** The command line as processes, behind a proxy. The service is `https://service.test`, a name that only the proxy knows. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as proxies from "../support/proxy.js"
import { emulator, folderOf, processTimeout, run, runAlone } from "./process.js"
import { outputs, products, submit, worker } from "./workerProcess.js"

const portOf = (url: string) => Number(new URL(url).port)

/** A proxy with a password before a service with a certificate of its own, and the environment that reaches it. */
const behindProxy = Effect.gen(function* () {
  const { env, url } = yield* emulator()
  const proxy = yield* proxies.make({ to: yield* proxies.tlsBefore(portOf(url)), password: "me:s3cret" })
  const service = { ...env, LANGUAGE_SERVICE_URL: "https://service.test" }
  return { proxy, service, trusting: { ...service, NODE_EXTRA_CA_CERTS: proxies.certificate } }
})

const translate = ["translate", "a.txt", "--from", "en", "--to", "de"]

describe("the command line behind a proxy", () => {
  it.scopedLive(
    "goes through the proxy that HTTPS_PROXY names, and says so without its password",
    () =>
      Effect.gen(function* () {
        const { proxy, trusting } = yield* behindProxy
        const folder = yield* folderOf({ "a.txt": "Hello" })
        const at = { folder, env: { ...trusting, HTTPS_PROXY: proxy.addressWith("me:s3cret") } }
        expect(yield* runAlone([...translate, "--quiet"], at)).toMatchObject({ code: 0, stderr: "" })
        expect(readFileSync(`${folder}/a.de.txt`, "utf8")).not.toBe("")
        expect(new Set(yield* proxy.asked)).toEqual(new Set(["CONNECT service.test:443"]))
        const doctor = yield* runAlone(["doctor"], at)
        expect(doctor).toMatchObject({ code: 0, stderr: "" })
        expect(doctor.stdout).toContain(
          `ok       way: The service is reached through the proxy ${proxy.address} (HTTPS_PROXY).\n`
        )
        expect(doctor.stdout).not.toMatch(/s3cret|me:/)
        const exempt = yield* runAlone(["doctor"], { ...at, env: { ...at.env, NO_PROXY: ".test" } })
        expect(exempt.code).toBe(5)
        expect(exempt.stdout).toContain("way: The service is reached directly, as NO_PROXY names it.")
      }),
    processTimeout
  )

  it.scopedLive(
    "takes the proxy of the settings, of a profile and of --proxy",
    () =>
      Effect.gen(function* () {
        const { proxy, trusting } = yield* behindProxy
        const address = proxy.addressWith("me:s3cret")
        const folder = yield* folderOf({
          "effect-translate.config.json": JSON.stringify({
            proxy: "http://127.0.0.1:4",
            profiles: { office: { proxy: address } }
          })
        })
        const at = { folder, env: trusting }
        const nowhere = yield* runAlone(["usage"], at)
        expect(nowhere.code).toBe(5)
        expect(nowhere.stderr).toMatch(
          /^The service does not answer \(ECONNREFUSED\): check the network, the proxy/
        )
        expect((yield* runAlone(["usage", "--profile", "office"], at)).code).toBe(0)
        expect((yield* runAlone(["usage", "--proxy", address], at)).code).toBe(0)
        const doctor = yield* runAlone(["doctor", "--proxy", address], at)
        expect(doctor.stdout).toContain(
          `ok       LANGUAGE_SERVICE_PROXY: ${address.replace("me:s3cret", "…")} (--proxy)\n`
        )
        const socks = yield* runAlone(["usage", "--proxy", "socks5://me:s3cret@127.0.0.1:4"], at)
        expect(socks).toMatchObject({
          code: 2,
          stderr: expect.stringMatching(/^LANGUAGE_SERVICE_PROXY: This is no address of an HTTP proxy/)
        })
        expect(socks.stderr).not.toContain("s3cret")
      }),
    processTimeout
  )

  it.scopedLive(
    "says that the proxy refuses the password, and that a certificate is self-signed, and shows no password",
    () =>
      Effect.gen(function* () {
        const { proxy, service } = yield* behindProxy
        const folder = yield* folderOf({ "a.txt": "Hello" })
        const tell = (credentials: string, ...words: ReadonlyArray<string>) =>
          run([...words, "--verbose"], {
            folder,
            env: { ...service, HTTPS_PROXY: proxy.addressWith(credentials) }
          })
        const refused = yield* tell("me:s3cret-not", "worker")
        expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining("status 407") })
        for (const words of [translate, [...translate, "--json"], ["doctor"], ["usage"]]) {
          const wrong = yield* tell("me:s3cret-not", ...words)
          expect(wrong.code, words.join(" ")).toBe(5)
          expect(wrong.stderr).toContain("The proxy does not accept the name and the password, status 407.")
          expect(wrong.stderr + wrong.stdout).not.toContain("s3cret")
          const distrusted = yield* tell("me:s3cret", ...words)
          expect(distrusted.code, words.join(" ")).toBe(5)
          expect(distrusted.stderr).toContain("The certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT).")
          expect(distrusted.stderr).toContain("set NODE_EXTRA_CA_CERTS")
          expect(distrusted.stderr + distrusted.stdout).not.toContain("s3cret")
        }
      }),
    processTimeout
  )

  it.scopedLive(
    "does jobs by a worker that goes through the proxy",
    () =>
      Effect.gen(function* () {
        const { proxy, trusting } = yield* behindProxy
        const folder = yield* folderOf({ "products.csv": products(20) })
        yield* runAlone(submit, { folder, env: trusting })
        const { told } = yield* worker([], {
          folder,
          env: { ...trusting, HTTPS_PROXY: proxy.addressWith("me:s3cret") }
        })
        expect(yield* told("jobEnded")).toMatchObject({ state: "done" })
        expect(outputs(folder).every((text) => text.split("\n").length > 20)).toBe(true)
        expect(new Set(yield* proxy.asked)).toEqual(new Set(["CONNECT service.test:443"]))
      }),
    processTimeout
  )
})
