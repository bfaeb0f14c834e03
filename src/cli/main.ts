#!/usr/bin/env node
/** The command line: the setup of Node before other modules are loaded. */
import * as v8 from "node:v8"
import * as systemCauses from "../internal/systemCauses.js"
import * as compileCache from "./compileCache.js"
import * as lastWord from "./lastWord.js"

/** The exit code of `failure.ts`, which can't be loaded. */
const usage = 2

// The heap may grow to twice what a collection leaves, where V8 lets it grow to four times: a worker peaks at 215 instead of
// 310 MB, for the same CPU.
v8.setFlagsFromString("--heap-growing-percent=100")

// V8 would make objects that have lived a little longer for once, as the rows of a sample do, in the old generation from
// then on, and all that they refer to stays until a full collection.
v8.setFlagsFromString("--no-allocation-site-pretenuring")

compileCache.enable()

/** Of files that the machine does not open there is no more to say. */
const refused = (error: unknown): unknown => {
  const known = systemCauses.ofProgram(error)
  return known === undefined ? Promise.reject(error) : process.exit(lastWord.tell({ code: usage, ...known }))
}

await import("./runProgram.js").then(({ main }) => main(), refused)
