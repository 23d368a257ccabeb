/**
 * A group of scripts in which a reader of one can read the other: Chinese characters and kana are
 * one group, because Japanese uses both.
 */
export type Script = string

const LATIN = 'latin'

/** First and last code unit of the blocks of each script, in ascending order. */
const BLOCKS: readonly (readonly [from: number, to: number, script: Script])[] = [
  [0xc0, 0x24f, LATIN],
  [0x370, 0x3ff, 'greek'],
  [0x400, 0x52f, 'cyrillic'],
  [0x531, 0x58f, 'armenian'],
  [0x5d0, 0x5f4, 'hebrew'],
  [0x620, 0x77f, 'arabic'],
  [0x900, 0x97f, 'devanagari'],
  [0x980, 0x9ff, 'bengali'],
  [0xa00, 0xa7f, 'gurmukhi'],
  [0xa80, 0xaff, 'gujarati'],
  [0xb80, 0xbff, 'tamil'],
  [0xc00, 0xc7f, 'telugu'],
  [0xc80, 0xcff, 'kannada'],
  [0xd00, 0xd7f, 'malayalam'],
  [0xe00, 0xe7f, 'thai'],
  [0xe80, 0xeff, 'lao'],
  [0x1000, 0x109f, 'myanmar'],
  [0x10a0, 0x10ff, 'georgian'],
  [0x1100, 0x11ff, 'hangul'],
  [0x1780, 0x17ff, 'khmer'],
  [0x1e00, 0x1eff, LATIN],
  [0x3041, 0x30ff, 'cjk'],
  [0x3400, 0x9fff, 'cjk'],
  [0xac00, 0xd7a3, 'hangul'],
  // high surrogates of the rare Chinese characters
  [0xd840, 0xd88d, 'cjk'],
  [0xf900, 0xfaff, 'cjk'],
  [0xfb1d, 0xfb4f, 'hebrew'],
  [0xfb50, 0xfefc, 'arabic'],
  [0xff66, 0xff9d, 'cjk'],
]

/** One letter in so many must be in another script for a text to count as written in it. */
const SHARE = 5

/**
 * The script other than Latin in which at least a fifth of the letters are written, or undefined.
 * If there are several, the most frequent one.
 */
export function foreignScript(text: string): Script | undefined {
  let letters = 0
  let counts: Map<Script, number> | undefined
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x80) {
      const lower = code | 0x20
      if (lower >= 0x61 && lower <= 0x7a) letters++
      continue
    }
    const script = scriptOf(code)
    if (script === undefined) continue
    letters++
    if (script === LATIN) continue
    counts ??= new Map()
    counts.set(script, (counts.get(script) ?? 0) + 1)
  }
  if (counts === undefined) return undefined
  const [script, count] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a))
  return count * SHARE >= letters ? script : undefined
}

function scriptOf(code: number): Script | undefined {
  let low = 0
  let high = BLOCKS.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const [from, to, script] = BLOCKS[middle]!
    if (code < from) high = middle - 1
    else if (code > to) low = middle + 1
    else return script
  }
  return undefined
}
