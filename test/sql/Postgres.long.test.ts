/** What `npm test` tries on a file, on PostgreSQL; and on both what waits for leases. */
import { postgresServer } from "../support/databases.js"
import * as backend from "./backendSuite.js"
import * as concurrent from "./concurrentSuite.js"
import * as conformance from "./conformanceSuite.js"
import * as failures from "./failuresSuite.js"
import * as client from "./sqlClientSuite.js"
import { postgresDatabase, shared } from "./stores.js"

client.suite(postgresServer)
backend.suite(postgresServer)
conformance.suite(postgresDatabase)
concurrent.suite(postgresDatabase)
failures.suite(postgresDatabase)

for (const database of shared) conformance.suiteOfSeveral(database)
