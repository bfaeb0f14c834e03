/** The emulator in a process of its own, answering in 100 ms. */
import { Effect, Layer } from "effect"
import { Emulator } from "effect-translate/emulator"

const ready = Layer.effectDiscard(Effect.map(Emulator.Emulator, ({ url }) => process.send?.(url)))

ready.pipe(
  Layer.provide(Emulator.layerNode({ keys: ["bench"], latency: "100 millis" })),
  Layer.launch,
  Effect.runFork
)
process.on("disconnect", () => process.exit())
