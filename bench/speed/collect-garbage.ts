/** Leaves nothing behind for the next measurement to clean up. */
export function collectGarbage(): void {
  if (!globalThis.gc) throw new Error('Run node with --expose-gc, as `npm run bench` does.')
  globalThis.gc()
}
