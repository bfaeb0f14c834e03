/** How many runs a random test makes: a few in `npm test`, all of them in `npm run test:long`. */
export const runs = (few: number, all: number): number => (process.env.TEST_LONG === "1" ? all : few)
