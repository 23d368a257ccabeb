/**
 * Turns the error of a server into a sentence: without protocol codes, and with the messages of a
 * JSON error instead of the JSON. The text may be cut off anywhere.
 *
 * @example
 * plainError('MCP error -32602: [{"path":["id"],"message":"Required"}]') // 'id: Required'
 */
export function plainError(text: string): string {
  const bare = text.replace(/^(?:MCP error -?\d+:?\s*|Error:\s*)+/i, '').trim()
  const start = bare.search(/[[{]\s*(?:["{[]|$)/)
  if (start < 0) return bare || text
  const intro = bare.slice(0, start).trim()
  const json = bare.slice(start)
  const messages = messagesOf(json)
  if (messages.length === 0) return bare
  return [intro, messages.join('; ')].filter(Boolean).join(' ')
}

const STRING = '"((?:[^"\\\\]|\\\\.)*)"'

function messagesOf(json: string): string[] {
  const path = new RegExp(`"path"\\s*:\\s*\\[([^\\]]*)\\]`, 'g')
  const paths = [...json.matchAll(path)].map(([, keys = '']) =>
    keys
      .split(',')
      .map((key) => key.trim().replace(/^"|"$/g, ''))
      .filter(Boolean)
      .join('.'),
  )
  const found = [...json.matchAll(new RegExp(`"(?:message|error|detail)"\\s*:\\s*${STRING}`, 'g'))]
  return found.map(([, message = ''], at) => {
    const place = paths.length === found.length ? paths[at] : undefined
    return place ? `${place}: ${unescapeText(message)}` : unescapeText(message)
  })
}

function unescapeText(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    return text
  }
}
