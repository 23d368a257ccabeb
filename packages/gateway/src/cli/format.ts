import { styleText } from 'node:util'
import type { Terminal } from './command.ts'

type Style = Parameters<typeof styleText>[0]

/** Colours a text where colours are wanted. */
export function paint(
  { hasColours }: Pick<Terminal, 'hasColours'>,
  style: Style,
  text: string,
): string {
  return hasColours ? styleText(style, text) : text
}

/** A bar of a length that is a share of the width. */
export function bar(share: number, width: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * width * 8)
  const rest = eighths % 8
  return '█'.repeat(eighths >> 3) + (rest > 0 ? String.fromCodePoint(0x2590 - rest) : '')
}
