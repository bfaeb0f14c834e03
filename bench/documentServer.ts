/** A bare server that takes uploads of any size and answers downloads of the size in the document's id. */
import * as http from "node:http"

const piece = Buffer.alloc(65_536, "translated ")

const server = http.createServer((request, response) => {
  let bytes = 0
  request.on("data", (part: Buffer) => {
    bytes += part.length
  })
  request.on("end", () => {
    const download = /\/document\/(\d+)\/result$/.exec(request.url!)
    if (download === null) {
      response.writeHead(200, { "content-type": "application/json" })
      response.end(JSON.stringify({ document_id: String(bytes), document_key: "key" }))
      return
    }
    let left = Number(download[1])
    response.writeHead(200, { "content-type": "application/octet-stream", "content-length": left })
    const send = () => {
      while (left > 0) {
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
