/** What a store keeps in a file. */
import { libsqlFile } from "../support/databases.js"
import { suite } from "./backendSuite.js"

suite(libsqlFile)
