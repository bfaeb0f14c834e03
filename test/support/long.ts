/** How many runs a random test makes: a few in `npm test`, all of them in `npm run test:long`. */
export const runs = (few: number, all: number): number => (process.env.TEST_LONG === "1" ? all : few)

/** How long such a test may take, in milliseconds. */
export const runsTimeout = runs(120_000, 600_000)
