import { libsqlFile } from "../sql/stores.js"
import { databaseSuite } from "./databaseSuite.js"
import { jobsSuite } from "./jobsSuite.js"

jobsSuite(libsqlFile, 5)
databaseSuite(libsqlFile, { runs: 5, spenders: 3 })
