/** A plausible number for the `usage` of a reply. Not for measuring. */
export function roughlyTokens(texts: readonly string[]): number {
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  return Math.max(1, Math.ceil(length / 4))
}
