import { startServer } from "./processes.js"
import { execFileSync } from "node:child_process"
const s = await startServer()
execFileSync("node", [...(process.env.HEAP ? ["--heap-prof","--heap-prof-dir=/tmp/hprof"] : ["--cpu-prof","--cpu-prof-dir=/tmp/prof"]),"--import","tsx","bench/subject.ts",process.argv[3] ?? "ours",s.url,process.argv[2]!,"200000","8"],{stdio:"inherit"})
s.stop()
