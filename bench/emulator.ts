/** The emulator in a process of its own; it answers any message with its meter. */
import { Effect, Layer } from "effect"
import { Emulator } from "effect-translate/emulator"

const ready = Layer.effectDiscard(
  Effect.map(Emulator.Emulator, ({ meter, url }) => {
    process.send?.(url)
    process.on("message", () => process.send?.(Effect.runSync(meter)))
  })
)

ready.pipe(
  Layer.provide(
    Emulator.layerNode({
      keys: ["bench"],
      latency: "100 millis",
      maxConcurrent: Number(process.env.MAX_CONCURRENT ?? Number.POSITIVE_INFINITY)
    })
  ),
  Layer.launch,
  Effect.runFork
)
process.on("disconnect", () => process.exit())
