import { postgresServer } from "../support/databases.js"
import { suite } from "./sqlDocumentJournal.js"

suite(postgresServer)
