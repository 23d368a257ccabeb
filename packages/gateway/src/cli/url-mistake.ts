import { existsSync } from 'node:fs'

/** `localhost:3000`, `mcp.example.com/mcp` and the like. */
const HOST =
  /^(localhost([:/]|$)|(\[[\da-f:]+\]|[\w-]+(\.[\w-]+)*):\d{1,5}(\/|$)|[\w-]+(\.[\w-]+)+\/|[\w.-]+\.(com|net|org|io|dev|app|ai)$)/i
const LOCAL = /^(localhost|127\.|\[::1\])/i

/**
 * What is wrong with a URL that would be taken for a command, such as one without `https://`. Undefined if
 * it is a URL, or probably a command.
 */
export function urlMistake([first = '', ...rest]: readonly string[]): string | undefined {
  if (/^https?:\/\//i.test(first)) {
    if (rest.length === 0) return undefined
    return `A URL takes no arguments: remove "${rest.join(' ')}". ${ESCAPE}`
  }
  // a scheme has more than one letter, unlike a drive such as C:/
  const [, address = first] = /^[a-z][\w+.-]+:\/+(.*)$/i.exec(first) ?? []
  const isUrl = address !== first || (rest.length === 0 && HOST.test(first) && !existsSync(first))
  if (!isUrl) return undefined
  const suggestion = `${LOCAL.test(address) ? 'http' : 'https'}://${address}`
  return `"${first}" is not an HTTP URL. Did you mean ${suggestion}? ${ESCAPE}`
}

const ESCAPE = 'To run a program with this name, put -- before it.'
