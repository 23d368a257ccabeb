import { styleText } from 'node:util'
import type { Terminal } from './command.ts'

type Style = Parameters<typeof styleText>[0]

/** Colours a text if the terminal shows colours. */
export function paint(
  { hasColours }: Pick<Terminal, 'hasColours'>,
  style: Style,
  text: string,
): string {
  return hasColours ? styleText(style, text) : text
}

/** A bar whose length is a share of the width, drawn in eighths of a character. */
export function bar(share: number, width: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * width * 8)
  const rest = eighths % 8
  return '█'.repeat(eighths >> 3) + (rest > 0 ? String.fromCodePoint(0x2590 - rest) : '')
}

/** @example formatNumber(22534) // '22,534' */
export function formatNumber(value: number): string {
  // `toLocaleString` loads locale data first, which takes longer than the rest of a short command.
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',')
}

/**
 * @example
 * count(1, 'call') // '1 call'
 * count(2_000, 'search', 'searches') // '2,000 searches'
 */
export function count(value: number, noun: string, plural: string = `${noun}s`): string {
  return `${formatNumber(value)} ${Math.round(value) === 1 ? noun : plural}`
}

const UNITS: readonly (readonly [unit: string, ms: number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** @example ageOf(200_000) // '3 minutes' */
export function ageOf(ms: number): string {
  const [unit, length] = UNITS.find(([, each]) => ms >= each) ?? []
  return unit === undefined ? 'less than a minute' : count(Math.floor(ms / length!), unit)
}

/** @example listSome(['a', 'b', 'c', 'd'], 3) // 'a, b, c and 1 more' */
export function listSome(names: readonly string[], limit = 5): string {
  const shown = names.slice(0, limit).join(', ')
  return names.length > limit ? `${shown} and ${formatNumber(names.length - limit)} more` : shown
}

/**
 * Breaks a text into lines that fit, between words. The second and further lines are indented.
 * @example wrap('✓ a rather long line', 10, 2) // '✓ a rather\n  long line'
 */
export function wrap(text: string, width: number, indent: number): string {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    const longer = `${last} ${word}`
    if (last === undefined) lines.push(word)
    // A line of nothing but its indentation takes any word.
    else if (longer.length <= width || last.trim() === '') lines[lines.length - 1] = longer
    else lines.push(`${' '.repeat(indent)}${word}`)
  }
  return lines.join('\n')
}

/**
 * Shortens a text to a width in characters, at the end of a word if there is one nearby.
 * @example shorten('Lists the files', 12) // 'Lists the…'
 */
export function shorten(text: string, width: number): string {
  const characters = [...text]
  if (characters.length <= width) return text
  const cut = characters.slice(0, Math.max(1, width - 1)).join('')
  // A cut exactly between two words keeps the last one.
  const isWhole = /\s/.test(characters[Math.max(1, width - 1)]!)
  const atWord = isWhole ? cut : cut.replace(/\s+\S*$/, '')
  // Without spaces, as in Chinese, or with a very long word, a cut anywhere is better than nothing.
  const kept = atWord.length >= cut.length / 2 ? atWord : cut
  return `${kept.trimEnd().replace(/[,;:]$/, '')}…`
}
