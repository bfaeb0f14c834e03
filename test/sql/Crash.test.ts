import { suite } from "./crash/suite.js"

// PostgreSQL is in `Crash.long.test.ts`.
suite({ texts: 1500, kills: 2, postgres: false })
