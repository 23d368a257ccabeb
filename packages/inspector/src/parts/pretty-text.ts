/** A stretch of text with its line breaks, or a JSON value formatted over several lines. */
export interface TextBlock {
  readonly kind: 'text' | 'json'
  readonly text: string
}

/**
 * Formats a text for reading: JSON is indented, everything else stays as it is. JSON may take up
 * the whole text or single lines of it.
 *
 * @example
 * prettyText('{"a":1}') // [{ kind: 'json', text: '{\n  "a": 1\n}' }]
 */
export function prettyText(text: string): TextBlock[] {
  const whole = indented(text)
  if (whole !== undefined) return [{ kind: 'json', text: whole }]
  const blocks: TextBlock[] = []
  for (const line of text.split('\n')) {
    const json = indented(line)
    const last = blocks.at(-1)
    if (json !== undefined) blocks.push({ kind: 'json', text: json })
    else if (last?.kind === 'text')
      blocks[blocks.length - 1] = { kind: 'text', text: `${last.text}\n${line}` }
    else blocks.push({ kind: 'text', text: line })
  }
  return blocks
}

function indented(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return undefined
  }
}
