/**
 * Runs something hostile and returns the longest time, in milliseconds, for which the event loop of this
 * process was busy without a break. Time in which the machine ran other processes does not count.
 */
export async function longestStall(attack: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let isRunning = true
  const watching = watch()
  try {
    await attack()
  } finally {
    isRunning = false
    await watching
  }
  return longest

  async function watch(): Promise<void> {
    while (isRunning) {
      const start = performance.now()
      const used = process.cpuUsage()
      await new Promise((resolve) => setImmediate(resolve))
      const { user, system } = process.cpuUsage(used)
      longest = Math.max(longest, Math.min(performance.now() - start, (user + system) / 1_000))
    }
  }
}
