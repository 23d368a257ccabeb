/**
 * Whether no two items are equal as JSON. Takes time in proportion to the size of the items.
 *
 * @param charge receives the number of steps
 */
export function isUnique(items: readonly unknown[], charge: (steps: number) => void): boolean {
  const texts = new Set<string>()
  for (const item of items) {
    const text = stableText(item, () => charge(STEPS_PER_VALUE))
    charge(text.length)
    texts.add(text)
  }
  return texts.size === items.length
}

const STEPS_PER_VALUE = 10

/** JSON with sorted keys. */
function stableText(value: unknown, onValue: () => void): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    onValue()
    return typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner
  })
}
