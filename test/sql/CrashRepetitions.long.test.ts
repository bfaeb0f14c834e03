/** A process that is killed between the requests for a text whose answers look wrong. */
import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import * as Arr from "effect/Array"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bundleOf } from "../support/bundles.js"
import { charactersOf, isInDoubt, ledgerOf } from "./crash/check.js"
import { stores } from "./crash/stores.js"

let program: string

let folder: string

beforeAll(async () => {
  folder = mkdtempSync(`${tmpdir()}/repetitions-`)
  program = await bundleOf("sql/crash/repetitions")
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A service that answers each text with nothing so many times, and requests that are held never. */
const service = async (emptyAnswers: number) => {
  const requests: Array<ReadonlyArray<string>> = []
  const answered = new Map<string, number>()
  let held = Number.POSITIVE_INFINITY
  let onHeld: () => void = () => {}
  const answer = (texts: ReadonlyArray<string>, response: ServerResponse) => {
    const translations = texts.map((text) => {
      const before = answered.get(text) ?? 0
      answered.set(text, before + 1)
      const isEmpty = text !== "Cup" && before < emptyAnswers
      return { text: isEmpty ? "" : `de ${text}`, detected_source_language: "EN", billed_characters: 3 }
    })
    response.setHeader("Content-Type", "application/json")
    response.end(JSON.stringify({ translations }))
  }
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (part) => {
      body += part
    })
    request.on("end", () => {
      const texts = (JSON.parse(body) as { readonly text: ReadonlyArray<string> }).text
      if (requests.push(texts) >= held) onHeld()
      else answer(texts, response)
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /** Answers by texts. */
    answered,
    /** Ends once the request of that number has arrived, which is not answered, nor what comes behind it. */
    hold: (request: number) => {
      held = request
      return new Promise<void>((resolve) => {
        onHeld = resolve
      })
    },
    goOn: () => {
      held = Number.POSITIVE_INFINITY
    },
    close: () => server.close()
  }
}

const start = (store: string, url: string) => {
  const child = fork(program, [store, url], { stdio: ["ignore", "pipe", "inherit", "ipc"] })
  let output = ""
  child.stdout?.on("data", (part) => {
    output += part
  })
  return { child, ended: once(child, "close").then(() => output) }
}

describe.each(stores)("a process that is killed (kill -9) while it asks again, with $name,", (stores) => {
  for (const [what, emptyAnswers, killedAt, left] of [
    ["for the second time, in one request", 1, 2, [["Mug", "Jug"]]],
    ["for the third time, alone", 2, 3, [["Mug"], ["Jug"]]]
  ] as const) {
    it(`${what} is followed by one that makes the missing requests, and all that may be billed are named`, async () => {
      const store = await stores.named({ folder })
      const { answered, close, goOn, hold, requests, url } = await service(emptyAnswers)
      const isHeld = hold(killedAt)
      const first = start(store, url)
      const isEarly = first.ended.then((output) => expect.unreachable(`the program has ended: ${output}`))
      await Promise.race([isHeld, isEarly])
      isEarly.catch(() => undefined)
      first.child.kill("SIGKILL")
      await first.ended
      goOn()
      const before = requests.length
      const unanswered = requests.slice(killedAt - 1).flat().length
      const output = await start(store, url).ended
      expect(JSON.parse(output).map(([, value]: ReadonlyArray<string>) => value)).toEqual([
        "de Mug",
        "de Cup",
        "de Jug"
      ])
      expect(requests.slice(before)).toEqual(left)
      expect(Object.fromEntries(answered)).toEqual({ Mug: killedAt, Cup: 1, Jug: killedAt })
      const count = requests.length
      await start(store, url).ended
      expect(requests).toHaveLength(count)
      // The service bills 3 characters a text.
      const [others, doubts] = Arr.partition(await ledgerOf(stores, store), isInDoubt)
      expect(charactersOf(others)).toBe(3 * (2 * killedAt + 1))
      expect(charactersOf(doubts)).toBeGreaterThanOrEqual(3 * unanswered)
      close()
    })
  }
})
