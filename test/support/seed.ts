/** `TEST_SEED` makes all random tests the same in each run. `.ci/run` sets it, so that its verdict does not depend on chance. */
import * as fc from "fast-check"

const seed = process.env.TEST_SEED
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) })
