import { Fault } from "effect-translate/emulator"
import { serve } from "../../support/emulatorProcess.js"
import { unanswered } from "./texts.js"

const empty = Fault.mistranslate((source, translation) => (source.includes(unanswered) ? "" : translation))

// Slow enough that requests are in flight when their process is killed.
serve({ latency: "20 millis", faults: [Fault.times(empty, Number.POSITIVE_INFINITY)] })
