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
  return Math.round(value).toLocaleString('en-GB')
}

/**
 * @example
 * count(1, 'call') // '1 call'
 * count(2_000, 'search', 'searches') // '2,000 searches'
 */
export function count(value: number, noun: string, plural: string = `${noun}s`): string {
  return `${formatNumber(value)} ${Math.round(value) === 1 ? noun : plural}`
}
