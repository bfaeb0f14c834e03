/**
 * Checks the types of the project by the native compiler that has Effect's diagnostics in it. Where its package is not made for the
 * platform, the plain compiler checks the types alone, and that is said.
 *
 *     npm run check:types
 */
import { spawnSync } from "node:child_process"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"

const require = createRequire(import.meta.url)
const platform = `@effect/tsgo-${process.platform}-${process.arch}`

const resolve = (path: string): string | undefined => {
  try {
    return require.resolve(path)
  } catch {
    return undefined
  }
}

const withEffect = resolve(`${platform}/lib/${process.platform === "win32" ? "tsc.exe" : "tsc"}`)
if (withEffect === undefined) console.log(`Effect's diagnostics are left out: ${platform} is not installed.`)
const [command, ...first] = withEffect === undefined ? ["npx", "tsc"] : [withEffect]

const { error, status } = spawnSync(command!, [...first, "-p", "."], {
  cwd: fileURLToPath(new URL("..", import.meta.url)),
  stdio: "inherit"
})
if (error !== undefined) throw error
if (status === 0) console.log("The types are in order")
process.exitCode = status ?? 1
