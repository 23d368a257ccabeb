/** A name in which `*` stands for any characters, including none. */
export interface NamePattern {
  readonly text: string
  /** The parts between the asterisks. */
  readonly parts: readonly string[]
}

export function readPattern(text: string): NamePattern {
  return { text, parts: text.split('*') }
}

/** Whether every name matches a pattern. */
export function matchesEverything({ parts }: NamePattern): boolean {
  return parts.length > 1 && parts.every((part) => part === '')
}

/**
 * Whether a name matches a pattern. Takes linear time per `*`, unlike a regular expression: the names
 * come from servers.
 *
 * @example
 * matchesPattern(readPattern('transfer_*'), 'transfer_money') // true
 */
export function matchesPattern({ text, parts }: NamePattern, name: string): boolean {
  if (text === '*' || text === name) return true
  const first = parts[0]!
  const last = parts.at(-1)!
  if (parts.length === 1 || name.length < first.length + last.length) return false
  if (!name.startsWith(first) || !name.endsWith(last)) return false
  let from = first.length
  const end = name.length - last.length
  for (let part = 1; part < parts.length - 1; part++) {
    const at = name.indexOf(parts[part]!, from)
    if (at < 0 || at + parts[part]!.length > end) return false
    from = at + parts[part]!.length
  }
  return true
}
