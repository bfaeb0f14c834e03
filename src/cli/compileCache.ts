/**
 * Code that V8 has compiled, kept from one run of a command to the next. Node's own cache, of 22.1 and later, keeps what is compiled while a
 * module is loaded, but not what is compiled when it runs: there a command with nothing to do takes 1.8 times `import "effect"` with Node's cache, and 1.2 times
 * with this one.
 */
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import Module, { createRequire } from "node:module"
import { dirname, isAbsolute, join } from "node:path"
import * as vm from "node:vm"
import * as Option from "effect/Option"
import { version } from "../internal/version.js"

/** The folder of the user for caches, as the shared temporary one is open to others; none if the environment does not name one. */
const folderOf = ({ HOME, LOCALAPPDATA, NODE_DISABLE_COMPILE_CACHE, XDG_CACHE_HOME }: NodeJS.ProcessEnv) =>
  NODE_DISABLE_COMPILE_CACHE
    ? undefined
    : [XDG_CACHE_HOME, process.platform === "win32" ? LOCALAPPDATA : HOME && join(HOME, ".cache")].find(
        (folder) => folder !== undefined && isAbsolute(folder)
      )

/** The file for a command, which holds what this one runs. Help is one for all. */
const fileOf = (words: ReadonlyArray<string>): string | undefined => {
  const folder = folderOf(process.env)
  const name = words.some((word) => word === "--help" || word === "-h") ? "help" : words[0]
  return folder !== undefined && name !== undefined && /^[a-z-]+$/.test(name)
    ? join(folder, "effect-translate", name)
    : undefined
}

/** V8 neither compares the source nor looks for damage: such code would run, or end the process. */
const sealOf = (source: string, code: Uint8Array) => {
  const { mtimeMs, size } = fs.statSync(source)
  return createHash("sha1").update(`${version} ${size} ${mtimeMs}\n`).update(code).digest()
}

const sealBytes = 20

const read = Option.liftThrowable((file: string, source: string): Buffer | undefined => {
  const kept = fs.readFileSync(file)
  const code = kept.subarray(sealBytes)
  const isOwn = process.getuid === undefined || fs.statSync(file).uid === process.getuid()
  return isOwn && sealOf(source, code).equals(kept.subarray(0, sealBytes)) ? code : undefined
})

const write = Option.liftThrowable((file: string, source: string, code: Uint8Array) => {
  const draft = `${file}.draft`
  fs.mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  fs.writeFileSync(draft, Buffer.concat([sealOf(source, code), code]), { mode: 0o600 })
  fs.renameSync(draft, file)
})

/** Loads a module of CommonJS, once. Its code is kept when a command has succeeded. */
export const load = (source: string): unknown => {
  const require = createRequire(source)
  const loaded = require.cache[source]
  if (loaded !== undefined) return loaded.exports
  const file = fileOf(process.argv.slice(2))
  const kept = file === undefined ? undefined : Option.getOrUndefined(read(file, source))
  const script = new vm.Script(
    `(function (exports, require, module) {${fs.readFileSync(source, "latin1")}\n})`,
    {
      filename: source,
      cachedData: kept,
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
    }
  )
  if (file !== undefined && (kept === undefined || script.cachedDataRejected === true)) {
    process.once("exit", (code) => code === 0 && write(file, source, script.createCachedData()))
  }
  const module = new Module(source)
  require.cache[source] = module
  script.runInThisContext()(module.exports, require, module)
  return module.exports
}
