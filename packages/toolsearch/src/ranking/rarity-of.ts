/** BM25's inverse document frequency: what a term is worth that this many of all tools contain. */
export function rarityOf(frequency: number, tools: number): number {
  return Math.log(1 + (Math.max(tools - frequency, 0) + 0.5) / (frequency + 0.5))
}
