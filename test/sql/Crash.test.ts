import { suite } from "./crash/suite.js"

// The rest is in `Crash.long.test.ts`.
suite({ texts: 1500, kills: 2, stores: ["a libsql file"], onlyKills: true })
