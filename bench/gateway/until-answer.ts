import { within } from './launch.ts'

/** Asks until the answer is yes, and gives how long that took. Rejects past the limit. */
export async function untilAnswer(ms: number, ask: () => Promise<boolean>): Promise<number> {
  const begin = performance.now()
  for (;;) {
    const left = ms - (performance.now() - begin)
    if (left <= 0) throw new Error(`nothing within ${Math.round(ms / 1000)} s`)
    if (await within(left, ask()).catch(() => false)) return performance.now() - begin
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
