import * as fc from "fast-check"

/**
 * Asserts a property of inputs that one seed draws, the same in each run, and then of others. `reached` looks at what the first
 * half came across, so that chance has no part in it.
 */
export const assertReaching = async <Inputs>(
  property: fc.IProperty<Inputs> | fc.IAsyncProperty<Inputs>,
  numRuns: number,
  reached: () => void,
  seed = 1
): Promise<void> => {
  const options = { numRuns: Math.ceil(numRuns / 2), endOnFailure: true }
  await fc.assert(property as fc.IAsyncProperty<Inputs>, { ...options, seed: seed })
  reached()
  await fc.assert(property as fc.IAsyncProperty<Inputs>, options)
}
