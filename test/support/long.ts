/** A test file that imports this runs twice: in `npm test` with less, and whole in `npm run test:long`. */

/** Whether all of a test runs. */
export const isLong = process.env.TEST_LONG === "1"

/** Whether this is `.ci/run`, in which the longest tests have a smaller form. */
export const isSmall = process.env.CI === "true"

/** How many rounds one of the longest tests makes: all, or as few as said in `.ci/run`. */
export const rounds = (all: number, few: number): number => (isSmall ? few : all)

/** How many runs a random test makes. In `npm test` an eighth of all, or as few as said. */
export const runs = (all: number, few = Math.ceil(all / 8)): number => (isLong ? all : few)

/** How long such a test may take, in milliseconds. */
export const runsTimeout = Number(process.env.TEST_TIMEOUT ?? runs(600_000, 120_000))

/** All of the databases; in `npm test` the first, a file: PostgreSQL takes seconds to start. */
export const someOf = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> => all.slice(0, runs(all.length, 1))
