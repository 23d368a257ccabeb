const SUMMARY_CHARS = 240

/** The first line of a description, or most of it. */
export function summaryOf({ description }: { readonly description: string }): string {
  const [line = ''] = description.trimStart().split('\n', 1)
  if (line.length <= SUMMARY_CHARS) return line.trimEnd().toWellFormed()
  return `${line.slice(0, SUMMARY_CHARS).trimEnd().toWellFormed()}…`
}
