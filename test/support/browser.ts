/** Pages in the chromium of an npm package: nothing has to be installed, and each machine has the same one. */
import { createReadStream, createWriteStream, existsSync, mkdirSync, renameSync } from "node:fs"
import { pipeline } from "node:stream/promises"
import { fileURLToPath } from "node:url"
import { createBrotliDecompress } from "node:zlib"
import { type Browser, chromium } from "playwright-core"

const modules = fileURLToPath(new URL("../../node_modules", import.meta.url))
const cache = `${modules}/.cache/chromium`

/** The unpacked program. Processes that ask at once each unpack it, and the last one's stays. */
const unpacked = async (): Promise<string> => {
  const path = `${cache}/147.0.0`
  if (existsSync(path)) return path
  mkdirSync(cache, { recursive: true })
  const part = `${path}.${process.pid}`
  await pipeline(
    createReadStream(`${modules}/@sparticuz/chromium/bin/chromium.br`),
    createBrotliDecompress(),
    createWriteStream(part, { mode: 0o755 })
  )
  renameSync(part, path)
  return path
}

const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

/** The package is for Linux on x64 only; elsewhere Chrome has to be installed. */
export const launch = async (): Promise<Browser> =>
  process.platform === "linux" && process.arch === "x64"
    ? chromium.launch({ executablePath: await unpacked(), args })
    : chromium.launch({ channel: "chrome", args })
