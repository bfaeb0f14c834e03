/**
 * A bare server that takes uploads of any size and answers downloads of the size in the document's id, both at
 * `MEGABYTES_PER_SECOND` at most. Every document is done.
 */
import * as http from "node:http"

const bytesPerMillisecond = Number(process.env.MEGABYTES_PER_SECOND ?? Number.POSITIVE_INFINITY) * 1000

/** How many milliseconds early so many bytes are; less than a timer's tick does not count. */
const paced = () => {
  const start = performance.now()
  return (bytes: number): number => {
    const early = bytes / bytesPerMillisecond - (performance.now() - start)
    return early > 2 ? early : 0
  }
}

const piece = Buffer.alloc(65_536, "translated ")

const server = http.createServer((request, response) => {
  let bytes = 0
  const early = paced()
  request.on("data", (part: Buffer) => {
    bytes += part.length
    const wait = early(bytes)
    if (wait === 0) return
    request.pause()
    setTimeout(() => request.resume(), wait)
  })
  request.on("end", () => {
    const status = /\/document\/(\d+)$/.exec(request.url!)
    if (status !== null) {
      response.writeHead(200, { "content-type": "application/json" })
      response.end(JSON.stringify({ document_id: status[1], status: "done", billed_characters: 50_000 }))
      return
    }
    const download = /\/document\/(\d+)\/result$/.exec(request.url!)
    if (download === null) {
      response.writeHead(200, { "content-type": "application/json" })
      response.end(JSON.stringify({ document_id: String(bytes), document_key: "key" }))
      return
    }
    const size = Number(download[1])
    let left = size
    const early = paced()
    response.writeHead(200, { "content-type": "application/octet-stream", "content-length": size })
    const send = () => {
      while (left > 0) {
        const wait = early(size - left)
        if (wait > 0) {
          setTimeout(send, wait)
          return
        }
        const part = piece.subarray(0, Math.min(left, piece.length))
        left -= part.length
        if (!response.write(part)) {
          response.once("drain", send)
          return
        }
      }
      response.end()
    }
    send()
  })
})

server.listen(0, "127.0.0.1", () =>
  process.send!(`http://127.0.0.1:${(server.address() as { port: number }).port}`)
)
process.once("disconnect", () => process.exit())
