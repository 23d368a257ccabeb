import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ScorePart } from '../api/contract.ts'

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')
const colours = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }],
  ),
)

/** See https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

function contrast(a: string, b: string): number {
  const [bright, dim] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (bright! + 0.05) / (dim! + 0.05)
}

const textColours = [
  'ink',
  'muted',
  'accent',
  'bad',
  'warn',
  ...Array.from({ length: 8 }, (_, at) => `hue-${at}`),
]
const backgrounds = ['surface', 'paper', 'sunk']

describe.each(['light', 'dark'] as const)('%s theme', (scheme) => {
  it.each(textColours)('%s text is readable on every background', (name) => {
    for (const background of backgrounds) {
      const ratio = contrast(colours.get(name)![scheme], colours.get(background)![scheme])
      expect(ratio, `on ${background}`).toBeGreaterThanOrEqual(4.5)
    }
  })

  it('field borders have enough contrast with their surroundings', () => {
    for (const background of ['surface', 'paper']) {
      const ratio = contrast(colours.get('edge')![scheme], colours.get(background)![scheme])
      expect(ratio, `on ${background}`).toBeGreaterThanOrEqual(3)
    }
  })
})

/** A record, so that a field the gateway adds or renames is a type error here. */
const fields: Record<ScorePart['field'], true> = {
  name: true,
  source: true,
  hint: true,
  description: true,
  parameters: true,
  semantics: true,
  use: true,
}

it.each(Object.keys(fields))('score parts of the field %s have a colour', (field) => {
  expect(css).toContain(`[data-field="${field}"]`)
})
