/** Returns at most `count` of the items, at equal distances, in the same order. */
export function sampleEvenly<Item>(items: readonly Item[], count: number): readonly Item[] {
  const step = Math.max(1, Math.floor(items.length / count))
  return items.filter((_, at) => at % step === 0).slice(0, count)
}
