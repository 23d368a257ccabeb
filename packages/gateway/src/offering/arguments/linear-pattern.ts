import { createRequire } from 'node:module'
import type { RE2JS } from 're2js'

const require = createRequire(import.meta.url)

/** A regular expression whose time is proportional to its size and the length of the text. */
export interface LinearPattern {
  /** Steps per character of the text, at most. */
  readonly size: number
  test(text: string): boolean
}

/** Longer patterns are not compiled. Real ones are shorter; compiling takes time. */
const MAX_LENGTH = 2_000

/**
 * Compiles a pattern of JSON Schema for an engine without backtracking. Matches what
 * `new RegExp(pattern, 'u')` matches.
 *
 * Returns undefined if that is impossible: for look-around, backreferences, large repetitions, and
 * the dialects of other languages, such as `(?i)` of Python.
 */
export function linearPattern(pattern: string): LinearPattern | undefined {
  if (pattern.length > MAX_LENGTH) return undefined
  const translated = isJavaScript(pattern) ? translate(pattern) : undefined
  if (translated === undefined) return undefined
  // Loaded with the first pattern: most schemas have none.
  const engine = (require('re2js') as typeof import('re2js')).RE2JS
  try {
    const compiled: RE2JS = engine.compile(translated)
    return { size: compiled.programSize(), test: (text) => compiled.test(text) }
  } catch {
    return undefined
  }
}

function isJavaScript(pattern: string): boolean {
  try {
    // Compiling takes linear time. Only matching can backtrack.
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}

/** In classes of RE2. Its own `\s` knows only ASCII. */
const SPACE =
  '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const NOT_SPACE =
  '\\x00-\\x08\\x0e-\\x1f\\x21-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}' +
  '\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'
const LINE_CHARACTER = '[^\\n\\r\\x{2028}\\x{2029}]'
const ANYTHING = '[\\x00-\\x{10ffff}]'
const NOTHING = '[^\\x00-\\x{10ffff}]'

const ESCAPE =
  '\\\\(?:u\\{[0-9A-Fa-f]+\\}|u[Dd][89ABab]..\\\\u[Dd][C-Fc-f]..|u....|c[A-Za-z]|[pP]\\{[^}]*\\}|x..|.)'
const OUTSIDE = new RegExp(`${ESCAPE}|\\(\\?<[^=!>][^>]*>|\\(\\?:|\\(\\??|\\[\\^?\\]?|.`, 'suy')
const IN_CLASS = new RegExp(`${ESCAPE}|.`, 'suy')

/** Rewrites a pattern of JavaScript with flag `u` for RE2; undefined if RE2 has no counterpart. */
function translate(pattern: string): string | undefined {
  let isInClass = false
  let translated = ''
  for (let index = 0; index < pattern.length; ) {
    const tokens: RegExp = isInClass ? IN_CLASS : OUTSIDE
    tokens.lastIndex = index
    const token: string = tokens.exec(pattern)![0]
    const part = isInClass ? translateInClass(token) : translateOutside(token)
    if (part === undefined) return undefined
    translated += part
    isInClass = isInClass ? token !== ']' : token === '[' || token === '[^'
    index += token.length
  }
  return translated
}

function translateOutside(token: string): string | undefined {
  if (token === '.') return LINE_CHARACTER
  if (token === '[]') return NOTHING
  if (token === '[^]') return ANYTHING
  if (token === '\\s') return `[${SPACE}]`
  if (token === '\\S') return `[${NOT_SPACE}]`
  // Look-around, or flags for a part of the pattern.
  if (token === '(?') return undefined
  // Nobody reads what the groups capture.
  if (token.startsWith('(')) return '(?:'
  return translateEscape(token)
}

function translateInClass(token: string): string | undefined {
  if (token === '\\s') return SPACE
  if (token === '\\S') return NOT_SPACE
  if (token === '\\b') return '\\x08'
  // RE2 would read "[:alpha:]".
  if (token === '[') return '\\['
  return translateEscape(token)
}

function translateEscape(token: string): string | undefined {
  if (!token.startsWith('\\')) return token
  if (/^\\[1-9k]/.test(token)) return undefined
  if (token === '\\0') return '\\x00'
  if (token.startsWith('\\c')) return codePoint(token.charCodeAt(2) % 32)
  if (!token.startsWith('\\u')) return token
  const hex = token.replace(/[{}]/g, '').split('\\u').slice(1)
  const units = hex.map((digits) => Number.parseInt(digits, 16))
  if (units.length === 2) return codePoint(String.fromCharCode(...units).codePointAt(0)!)
  return codePoint(units[0]!)
}

function codePoint(code: number): string {
  return `\\x{${code.toString(16)}}`
}
