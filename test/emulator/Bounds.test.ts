/** Bodies and documents that are made to hurt: refused at their bounds, while the emulator goes on serving others. */
import * as Http from "node:http"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Emulator } from "effect-translate/emulator"
import { status, upload, xliff } from "./documents.js"
import { hello, meter, overHttp, type Sent, send, served, usage } from "./support.js"

interface Refusal {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever came
  readonly json: any
  /** Bytes that the client had sent when the answer came. */
  readonly sent: number
}

/** Sends a body that never ends, until it is answered. */
const endless = (start: string, part: string, { headers, path = "/v2/translate" }: Sent = {}) =>
  Effect.flatMap(Emulator.Emulator, ({ url }) =>
    Effect.async<Refusal, Error>((resume) => {
      let sent = 0
      const request = Http.request(`${url}${path}`, {
        method: "POST",
        headers: {
          authorization: `Service-Auth-Key ${Emulator.defaultKey}`,
          "content-type": "application/json",
          ...headers
        }
      })
      const write = (data: string) => {
        sent += data.length
        request.write(data, () => {
          // Without an end here it would go on beside all tests to come.
          if (!request.destroyed) setImmediate(write, part)
        })
      }
      request.on("error", (error) => resume(Effect.fail(error)))
      request.on("response", (response) => {
        const status = response.statusCode!
        let body = ""
        response.on("data", (data) => {
          body += data
        })
        response.on("end", () => {
          resume(Effect.succeed({ status, json: JSON.parse(body), sent }))
          request.destroy()
        })
      })
      write(start)
      return Effect.sync(() => request.destroy())
    })
  )

const part = "x".repeat(10_000)

const form: Sent = {
  path: "/v2/document",
  headers: { "content-type": "multipart/form-data; boundary=b" }
}

describe("a body beyond its limit", () => {
  it.live("of a translation is refused while it comes", () =>
    Effect.gen(function* () {
      const { json, status } = yield* endless('{"text":["', part)
      expect(status).toBe(413)
      expect(json.message).toBe(
        "The body holds more than 131072 bytes, which is the limit: send less at once"
      )
      expect((yield* hello()).status).toBe(200)
      expect((yield* meter).bytesReceived).toBeLessThan(500_000)
    }).pipe(Effect.provide(overHttp()))
  )

  it.live("of an endpoint without a limit of its own is refused at maxBodyBytes", () =>
    Effect.gen(function* () {
      const glossary = { path: "/v3/glossaries" }
      expect((yield* endless('{"name":"', part, glossary)).status).toBe(413)
      const named = yield* send(`{"name":"${"n".repeat(2000)}"}`, glossary)
      expect(named.json.message).toBe("The body holds 2011 bytes; the limit is 1000: send less at once")
    }).pipe(Effect.provide(overHttp({ maxBodyBytes: 1000 })))
  )

  it.live("of an upload is refused while it comes", () =>
    Effect.gen(function* () {
      const head = `--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n`
      const { json, sent, status } = yield* endless(head, "x".repeat(100_000), form)
      expect(status).toBe(413)
      expect(json.message).toBe("The file holds more than 1000 bytes, which is the limit: split it")
      // A form may hold a megabyte beside its file; the rest is what the sockets hold.
      expect(sent).toBeLessThan(20_000_000)
    }).pipe(Effect.provide(overHttp({ documents: { maxBytes: 1000 } })))
  )

  it.effect("is refused in process too", () =>
    Effect.gen(function* () {
      expect((yield* send(`{"text":["${"x".repeat(200_000)}"]}`)).status).toBe(413)
    }).pipe(Effect.provide(Emulator.layerHttpClient()))
  )
})

describe("JSON that is nested deeply", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth)

  it.effect.each([
    ["/v2/translate", "POST", `{"text":["a"],"target_lang":"de","context":${nested(60_000)}}`],
    ["/v2/translate", "POST", nested(65_000)],
    [
      "/v3/style_rules",
      "POST",
      `{"name":"a","language":"de","configured_rules":{"numbers":${nested(500_000)}}}`
    ],
    ["/v3/style_rules/x/configured_rules", "PUT", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
    ["/v3/glossaries", "POST", "[".repeat(1_000_000)]
  ] as const)("is refused with 400 by %s", ([path, method, body]) =>
    Effect.gen(function* () {
      const { json, status } = yield* send(body, { path, method })
      expect({ status, message: json?.message }).toEqual({
        status: 400,
        message: "The body is nested more than 32 levels deep"
      })
      expect((yield* usage()).status).toBe(200)
    }).pipe(Effect.provide(served()))
  )

  it.effect("is told from brackets in texts", () =>
    Effect.gen(function* () {
      const brackets = `${"[{".repeat(100)}\\"\\\\`
      const { json, status } = yield* send(`{"text":["${brackets}","\\\\"],"target_lang":"de"}`)
      expect(status).toBe(200)
      expect(json.translations).toHaveLength(2)
    }).pipe(Effect.provide(served()))
  )
})

describe("a body of very many values", () => {
  const many = (part: string, separator: string) => Array.from({ length: 20_000 }, () => part).join(separator)
  const names = (separator: string, pair: (name: string) => string) =>
    Array.from({ length: 20_000 }, (_, index) => pair(`n${index}`)).join(separator)

  it.effect.each([
    ["fields of JSON", `{${names(",", (name) => `"${name}":1`)}}`, "application/json"],
    ["items of JSON", `{"dictionaries":[${many("{}", ",")}]}`, "application/json"],
    ["fields of a form", names("&", (name) => `${name}=`), "application/x-www-form-urlencoded"]
  ] as const)("is refused with 400, before they are looked at: %s", ([, body, type]) =>
    Effect.gen(function* () {
      const { json, status } = yield* send(body, {
        path: "/v3/glossaries",
        headers: { "content-type": type }
      })
      expect({ status, message: json.message }).toEqual({
        status: 400,
        message: "The body holds more than 10000 values"
      })
    }).pipe(Effect.provide(served()))
  )
})

/** The status of a document at its end. */
const outcome = (name: string, content: Uint8Array) =>
  Effect.gen(function* () {
    const handle = yield* upload(name, content)
    expect(handle.status).toBe(200)
    return (yield* status(handle.json)).json
  })

describe("a document", () => {
  it.effect("whose XML is nested deeply becomes an error", () =>
    Effect.gen(function* () {
      const source = `${'<pc id="1">'.repeat(50_000)}Hello${"</pc>".repeat(50_000)}`
      const deep = xliff(`<unit id="1"><segment><source>${source}</source></segment></unit>`)
      const { error_message, status } = yield* outcome("a.xlf", deep)
      expect(status).toBe("error")
      expect(error_message).toMatch(/more than 500 elements are within one another/)
      expect((yield* usage()).status).toBe(200)
    }).pipe(Effect.provide(served()))
  )
})
