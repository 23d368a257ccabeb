import { estimateTokens } from 'toolsearch'
import { isObject } from '../protocol/is-object.ts'

/** The tools whose full definition is part of the gateway's answer to a search, with their tokens. */
export function definitionsIn(answer: string): { name: string; tokens: number }[] {
  const { loaded, tools } = read(answer)
  return [loaded, tools].flatMap((list) =>
    (Array.isArray(list) ? list : []).flatMap((entry: unknown) => {
      // Entries that were shortened to fit the budget have no schema.
      if (!isObject(entry) || !isObject(entry.inputSchema)) return []
      return { name: String(entry.name), tokens: estimateTokens(JSON.stringify(entry)) }
    }),
  )
}

function read(text: string): Record<string, unknown> {
  try {
    const data: unknown = JSON.parse(text)
    return isObject(data) ? data : {}
  } catch {
    return {}
  }
}
