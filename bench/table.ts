type Rows = readonly (readonly string[])[]

/** Lines of a Markdown table that also reads well in a terminal. Numbers align right. */
export function markdownTable(head: readonly string[], rows: Rows): string[] {
  const widths = columnWidths([head, ...rows], 3)
  const rule = widths.map((width, at) =>
    at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  )
  return [align(head, widths), rule, ...rows.map((row) => align(row, widths))].map(
    (cells) => `| ${cells.join(' | ')} |`,
  )
}

/** Lines of a table without borders, for a terminal. */
export function plainTable(head: readonly string[], rows: Rows): string[] {
  const widths = columnWidths([head, ...rows], 0)
  return [head, ...rows].map((row) => align(row, widths).join('  '))
}

function columnWidths(rows: Rows, least: number): number[] {
  return rows[0]!.map((_, at) => Math.max(least, ...rows.map((row) => row[at]?.length ?? 0)))
}

/** A row may have fewer cells than the head: a contender that failed has only a message. */
function align(row: readonly string[], widths: readonly number[]): string[] {
  return widths.map((width, at) => {
    const cell = row[at] ?? ''
    return at === 0 ? cell.padEnd(width) : cell.padStart(width)
  })
}
