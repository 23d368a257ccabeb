/** Code unit order, so that a sorted list has the same bytes on every machine. */
export function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
