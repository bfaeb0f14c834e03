/** Runs before each test file. What it imports, runs once in each worker. */
import * as fc from "fast-check"
import "./testServices.js"

// `TEST_SEED` makes all random tests the same in each run.
const seed = process.env.TEST_SEED
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) })
