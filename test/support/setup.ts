/** Runs before each test file. What it imports, runs once in each worker. */
import * as fc from "fast-check"
import "./testServices.js"

// `scripts/failures.ts` sets it, and tells it. Where it is given, all random tests are the same in each run.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.TEST_SEED) })
