/**
 * A bare server of `POST /v2/translate`, in a process of its own, so that its cost is not measured. What is asked besides, such as
 * listings of languages, is answered by the emulator at `BEHIND`.
 */
import * as http from "node:http"

const latency = Number(process.env.LATENCY ?? 0)
const behind = process.env.BEHIND

let requests = 0
let texts = 0

const answer = (body: string): string => {
  const text: ReadonlyArray<string> = body.startsWith("{")
    ? JSON.parse(body).text
    : new URLSearchParams(body).getAll("text")
  texts += text.length
  return JSON.stringify({
    translations: text.map((text) => ({
      detected_source_language: "EN",
      // The text itself would be flagged as no translation.
      text: `- ${text}`,
      billed_characters: text.length
    }))
  })
}

const pass = async (request: http.IncomingMessage, response: http.ServerResponse) => {
  const answered = await fetch(`${behind}${request.url}`, {
    headers: { authorization: request.headers.authorization ?? "" }
  })
  response.writeHead(answered.status, { "content-type": answered.headers.get("content-type") ?? "" })
  response.end(await answered.text())
}

const server = http.createServer((request, response) => {
  if (request.url === "/meter") {
    response.end(JSON.stringify({ requests, texts }))
    requests = 0
    texts = 0
    return
  }
  if (behind !== undefined && request.method === "GET") return void pass(request, response)
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    requests++
    const body = answer(Buffer.concat(chunks).toString())
    const send = () => {
      response.writeHead(200, { "content-type": "application/json", "x-trace-id": String(requests) })
      response.end(body)
    }
    if (latency === 0) send()
    else setTimeout(send, latency)
  })
})

server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as { port: number }
  process.send?.(`http://127.0.0.1:${port}`)
})
process.on("disconnect", () => process.exit())
