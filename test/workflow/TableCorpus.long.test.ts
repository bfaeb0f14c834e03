/** Rows as the corpus of a durable job, on PostgreSQL. */
import { postgresServer } from "../support/databases.js"
import { suite } from "./tables.js"

suite(postgresServer)
