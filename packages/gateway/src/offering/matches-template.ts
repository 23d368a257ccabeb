const MAX_TEMPLATE_LENGTH = 2_048
const MAX_URI_LENGTH = 8_192
const MAX_VARIABLES = 20

/** A part of a template: a text, or the characters of which a value has one or more. */
type TemplatePart = string | { readonly accepts: (char: string) => boolean }

/**
 * Whether a URI template (RFC 6570) can expand to a URI, with a value for every variable. False if the
 * template is invalid, or if one of them is too long.
 *
 * Takes linear time for each variable. A regular expression would backtrack, and templates come from servers.
 */
export function matchesTemplate(template: string, uri: string): boolean {
  if (uri.length > MAX_URI_LENGTH) return false
  const parts = readTemplate(template)
  if (!parts) return false
  /** By position in the URI: whether the parts so far can end there. */
  let ends = new Uint8Array(uri.length + 1)
  ends[0] = 1
  for (const part of parts) {
    const next = new Uint8Array(uri.length + 1)
    if (typeof part === 'string') {
      const last = uri.length - part.length
      for (let at = 0; at <= last; at++) {
        if (ends[at] && uri.startsWith(part, at)) next[at + part.length] = 1
      }
    } else {
      let isInside = false
      for (let at = 0; at < uri.length; at++) {
        isInside = (isInside || ends[at] === 1) && part.accepts(uri[at]!)
        if (isInside) next[at + 1] = 1
      }
    }
    ends = next
  }
  return ends[uri.length] === 1
}

function readTemplate(template: string): TemplatePart[] | undefined {
  if (template.length > MAX_TEMPLATE_LENGTH) return undefined
  const pieces = template.split(/\{([^{}]*)\}/)
  const parts: TemplatePart[] = []
  for (const [at, piece] of pieces.entries()) {
    const read = at % 2 === 0 ? readText(piece) : readExpression(piece)
    if (!read) return undefined
    parts.push(...read)
  }
  const variables = parts.filter((part) => typeof part !== 'string')
  return variables.length <= MAX_VARIABLES ? parts : undefined
}

function readText(text: string): TemplatePart[] | undefined {
  return /[{}]/.test(text) ? undefined : [text]
}

/** @example readExpression('?q,page') // '?q=', a value, '&page=', a value */
function readExpression(expression: string): TemplatePart[] | undefined {
  const [, operator = '', list = ''] = /^([+#./?&]?)(.*)$/s.exec(expression)!
  const names = list.split(',').map((name) => name.replace('*', '').trim())
  if (names.some((name) => name === '')) return undefined
  if (operator === '?' || operator === '&') {
    const value = { accepts: (char: string) => char !== '&' }
    return names.flatMap((name, at) => [`${at === 0 ? operator : '&'}${name}=`, value])
  }
  if (operator === '+') return [{ accepts: () => true }]
  if (operator === '#') return ['#', { accepts: () => true }]
  const hasList = names.length > 1 || list.includes('*')
  const value = { accepts: (char: string) => char !== '/' && (hasList || char !== ',') }
  return operator === '' ? [value] : [operator, value]
}
