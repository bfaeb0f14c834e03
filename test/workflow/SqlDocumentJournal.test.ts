import { libsqlFile } from "../support/databases.js"
import { suite } from "./sqlDocumentJournal.js"

suite(libsqlFile)
