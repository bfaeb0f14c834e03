import { suite } from "./crash/suite.js"

suite({ texts: 20_000, kills: 10, stores: ["a libsql file", "PostgreSQL"] })
