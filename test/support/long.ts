/** The sizes of tests. `npm test` and `npm run test:long` run each of them once and small; what repeats or searches is a campaign. */

/** Whether this is a campaign (`npm run test:campaign`), in which tests have their full sizes. */
export const isCampaign = process.env.TEST_CAMPAIGN === "1"

/** How many runs a random test makes: all in a campaign, otherwise an eighth of them, or as few as said. */
export const runs = (all: number, few = Math.ceil(all / 8)): number => (isCampaign ? all : few)

/** How long such a test may take, in milliseconds: a guard against one that hangs. */
export const runsTimeout = Number(process.env.TEST_TIMEOUT ?? 600_000)

/** All of them in a campaign, otherwise the first few: of databases a file, as PostgreSQL takes seconds to start. */
export const someOf = <A>(all: ReadonlyArray<A>, few = 1): ReadonlyArray<A> =>
  all.slice(0, runs(all.length, few))
