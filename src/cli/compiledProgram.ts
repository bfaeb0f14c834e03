/** The program in its bundle, which is a file beside it: `scripts/bundleCli.ts`. */
import { fileURLToPath } from "node:url"
import * as compileCache from "./compileCache.js"
import type * as runProgram from "./runProgram.js"

const program = compileCache.load(fileURLToPath(new URL("chunks/program.cjs", import.meta.url)))

export const { main } = program as typeof runProgram
