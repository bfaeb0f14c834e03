import { postgresDatabase } from "../sql/stores.js"
import { databaseSuite } from "./databaseSuite.js"
import { jobsSuite } from "./jobsSuite.js"

jobsSuite(postgresDatabase, 10)
databaseSuite(postgresDatabase, { runs: 20, spenders: 8 })
