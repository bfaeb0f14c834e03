#!/usr/bin/env node
/** `effect-translate-emulator`: another name of `effect-translate emulator`. */
process.argv.splice(2, 0, "emulator")
await import("./main.js")
