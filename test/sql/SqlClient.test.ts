/** What a file does as a database does. */
import { libsqlFile } from "../support/databases.js"
import { suite } from "./sqlClientSuite.js"

suite(libsqlFile)
