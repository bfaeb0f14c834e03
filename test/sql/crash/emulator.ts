import { serve } from "../../support/emulatorProcess.js"

// Slow enough that requests are in flight when their process is killed.
serve({ latency: "20 millis" })
