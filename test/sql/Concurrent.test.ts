/** Several owners of a file at the same time. */

import { suite } from "./concurrentSuite.js"
import { libsqlFile } from "./stores.js"

suite(libsqlFile)
