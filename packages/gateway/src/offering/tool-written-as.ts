/**
 * The tool that a script means: names can have characters that identifiers cannot have. The name as it
 * is written if none or several of the tools match.
 */
export function toolWrittenAs(written: string, names: readonly string[]): string {
  if (names.includes(written)) return written
  const same = names.filter((name) => name.replace(/[^\w$]/g, '_') === written)
  return same.length === 1 ? same[0]! : written
}
