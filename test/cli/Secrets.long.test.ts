import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folderOf, processTimeout, run } from "./process.js"

/** A service that refuses all, and repeats the key in its message. */
const echo = (status: number) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<{ readonly url: string; readonly close: () => void }>((resolve) => {
          const server = createServer((request, response) => {
            const message = `You sent ${request.headers.authorization}.`
            response
              .writeHead(status, { "content-type": "application/json", "x-trace-id": message })
              .end(JSON.stringify({ message, detail: message }))
          })
          server.listen(0, "127.0.0.1", () =>
            resolve({
              url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
              close: () => {
                server.closeAllConnections()
                server.close()
              }
            })
          )
        })
    ),
    ({ close }) => Effect.sync(close)
  )

describe("a key", () => {
  for (const status of [400, 403]) {
    it.scopedLive(
      `is in no output, even if a service that answers ${status} repeats it`,
      () =>
        Effect.gen(function* () {
          const { url } = yield* echo(status)
          const folder = yield* folderOf({ "a.txt": "Hello", "key.txt": "s3cret-key-of-mine" })
          const env = {
            LANGUAGE_SERVICE_URL: url,
            LANGUAGE_SERVICE_KEY_FILE: "key.txt",
            LANGUAGE_SERVICE_ADMIN_KEY: "s3cret-admin-key"
          }
          for (const command of [
            ["usage"],
            ["doctor"],
            ["keys", "list"],
            ["translate", "a.txt", "--to", "de"]
          ]) {
            const { code, stderr, stdout } = yield* run([...command, "--verbose", "--json"], { folder, env })
            expect(code, command.join(" ")).not.toBe(0)
            expect(stderr + stdout, command.join(" ")).not.toMatch(/s3cret/)
            expect(stderr, command.join(" ")).not.toMatch(/^\s+at /m)
          }
        }),
      processTimeout
    )
  }
})
