import { estimateTokens } from 'toolsearch'
import { isObject } from '../protocol/json-object.ts'

/** Tools whose whole definition is in what the gateway answered to a search, with what they take of it. */
export function definitionsIn(answer: string): { name: string; tokens: number }[] {
  const { loaded, tools } = read(answer)
  return [loaded, tools].flatMap((list) =>
    (Array.isArray(list) ? list : []).flatMap((entry: unknown) => {
      // one that had to be told in fewer words has no schema
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
