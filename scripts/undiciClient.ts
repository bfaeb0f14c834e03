/**
 * The part of undici that the command line uses: requests through agents, pools and proxies. The rest (`fetch`, WebSocket, caches, mocks and
 * HTTP/2, which is off) takes a tenth of the CPU of a short command.
 */
import { readFileSync } from "node:fs"
import type { Plugin } from "esbuild"

const exported = {
  Agent: "dispatcher/agent",
  Pool: "dispatcher/pool",
  ProxyAgent: "dispatcher/proxy-agent",
  buildConnector: "core/connect"
}

const contents = [
  'Object.assign(require("undici/lib/dispatcher/dispatcher.js").prototype, require("undici/lib/api/index.js"))',
  ...Object.entries(exported).map(([name, path]) => `exports.${name} = require("undici/lib/${path}.js")`)
].join("\n")

const http2 = "const connectH2 = require('./client-h2.js')"

/** For esbuild. */
export const undiciClient: Plugin = {
  name: "undici-client",
  setup: ({ initialOptions: { absWorkingDir }, onLoad, onResolve }) => {
    onResolve({ filter: /^undici$/ }, () => ({ path: "undici", namespace: "undici-client" }))
    onLoad({ filter: /./, namespace: "undici-client" }, () => ({ contents, resolveDir: absWorkingDir! }))
    onLoad({ filter: /undici[\\/]lib\/dispatcher\/client\.js$/ }, ({ path }) => {
      const source = readFileSync(path, "utf8")
      if (!source.includes(http2)) throw new Error(`${path} loads HTTP/2 in another way now`)
      return {
        contents: source.replace(http2, "const connectH2 = (...args) => require('./client-h2.js')(...args)")
      }
    })
  }
}
