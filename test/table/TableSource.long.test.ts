/** Rows of a query of PostgreSQL as the source of a job. */
import { postgresServer } from "../support/databases.js"
import { suite } from "./tableSources.js"

suite(postgresServer)
