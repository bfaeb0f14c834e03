/** For work that must not grow faster than its input: unlike the clock's time, this does not pass while other programs have the processor. */

/** From here on: how many milliseconds this process has computed. */
export const start = (): (() => number) => {
  const begin = process.cpuUsage()
  return () => {
    const { system, user } = process.cpuUsage(begin)
    return (user + system) / 1000
  }
}
