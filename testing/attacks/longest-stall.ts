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

/** What parsing `SAMPLE` takes where a stall of 50 ms takes 50 ms. */
const SAMPLE_MS = 6
const SAMPLE = JSON.stringify(
  Array.from({ length: 30_000 }, (_, id) => ({ id, name: `name ${id}` })),
)

/**
 * The longest stall that passes, in milliseconds: four times what users may notice, because tests run next to
 * others and before the code is optimized, and more on a machine that is slow at the moment.
 */
export function maxStall(): number {
  const times = Array.from({ length: 5 }, () => {
    const used = process.cpuUsage()
    JSON.parse(SAMPLE)
    const { user, system } = process.cpuUsage(used)
    return (user + system) / 1_000
  })
  return 200 * Math.max(1, Math.min(...times) / SAMPLE_MS)
}
