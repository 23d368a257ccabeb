import { isObject } from '../is-object.ts'

// not a command: the user may have said which tool not to use
const START = 'Tools that may fit this request. You can call them '
const NOTICE = /^Tools that may fit this request\. You can call them [^\n]*:\n/m

/**
 * Describes tools that the model has not searched for, one per line. `callWith` is the tool through
 * which the model calls them.
 */
export function writeExpectedNotice(
  entries: readonly unknown[],
  callWith: string | undefined,
): string {
  const how = callWith === undefined ? 'directly by name' : `with ${callWith}`
  const lines = entries.map((entry) => JSON.stringify(entry)).join('\n')
  return `${START}${how}, without a search:\n${lines}`
}

/** A text without the notice at its end. */
export function beforeExpectedNotice(text: string): string {
  return text.split(NOTICE, 1)[0]!.trimEnd()
}

/** The tools that notices in a text describe. */
export function toolsInNotice(text: string): string[] {
  // most texts have no notice, and histories are long
  if (!text.includes(START)) return []
  const names: string[] = []
  for (const notice of text.split(NOTICE).slice(1)) {
    for (const line of notice.split('\n')) {
      const name = nameIn(line)
      if (name === undefined) break
      names.push(name)
    }
  }
  return names
}

function nameIn(line: string): string | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const entry: unknown = JSON.parse(line)
    return isObject(entry) && typeof entry.name === 'string' ? entry.name : undefined
  } catch {
    return undefined
  }
}
