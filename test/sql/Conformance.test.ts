/** A store in a file is as all stores are. */
import { suite } from "./conformanceSuite.js"
import { libsqlFile } from "./stores.js"

suite(libsqlFile)
