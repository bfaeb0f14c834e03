import { suite } from "./crash/suite.js"

suite({ texts: 2000, kills: 3 })
