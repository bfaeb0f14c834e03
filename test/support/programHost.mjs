/**
 * Runs programs one after another in this process, each as if it had a process of its own: with its folder, environment,
 * arguments, output and exit code. A program has ended when a process of its own would have: it called `process.exit`,
 * or nothing keeps the event loop alive. What all programs import is loaded once.
 */
import { pathToFileURL } from "node:url"

const { channel } = process
const environment = { ...process.env }
const exit = process.exit
let count = 0

/** The program that runs. */
let current

for (const name of ["stdout", "stderr"]) {
  process[name].write = (chunk, encoding, callback) => {
    // What comes after `process.exit` would not be printed.
    if (current?.code === undefined) {
      current.output[name] += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString()
    }
    const done = typeof encoding === "function" ? encoding : callback
    if (done !== undefined) process.nextTick(done)
    return true
  }
}

/** What a program listens to ends with it. */
const endings = ["SIGINT", "SIGTERM", "SIGHUP", "uncaughtException"]

const fail = (error) => {
  // The program tells it.
  if (process.listenerCount("uncaughtException") > 1) return
  console.error(error)
  process.exitCode = 1
}

/** Answers what became of the program. */
const report = (isUsable, then) => {
  const { code = process.exitCode ?? 0, output, timer } = current
  clearTimeout(timer)
  current = undefined
  for (const name of endings) {
    for (const listener of process.listeners(name)) if (listener !== fail) process.off(name, listener)
  }
  for (const name of ["stdout", "stderr"]) process[name].removeAllListeners("error")
  channel.ref()
  process.send({ code, isUsable, ...output }, then)
}

process.on("message", ({ args, env, file, folder }) => {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, environment, env)
  process.chdir(folder)
  process.argv.splice(1, process.argv.length, file, ...args)
  process.exitCode = undefined
  current = { output: { stdout: "", stderr: "" } }
  // It must not keep the loop alive.
  channel.unref()
  import(`${pathToFileURL(file)}?${++count}`).catch(fail)
})

process.on("disconnect", () => exit(0))

process.on("beforeExit", () => {
  if (current !== undefined) report(true)
})

process.on("uncaughtException", fail)

process.exit = (code) => {
  if (current?.code !== undefined) return
  current.code = code ?? process.exitCode ?? 0
  // Something that the program left behind keeps the loop alive: the next program needs another host.
  current.timer = setTimeout(() => report(false, () => exit(0)), 1000)
  current.timer.unref()
}
