import { within } from './launch.ts'

/** Retries until `ask` resolves to true and returns how long that took. Rejects after `ms`. */
export async function untilAnswer(ms: number, ask: () => Promise<boolean>): Promise<number> {
  const begin = performance.now()
  for (;;) {
    const left = ms - (performance.now() - begin)
    if (left <= 0) throw new Error(`no success within ${Math.round(ms / 1000)} s`)
    if (await within(left, ask()).catch(() => false)) return performance.now() - begin
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
