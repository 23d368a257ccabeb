/**
 * Counts the tokens of a text. Pass the model's own tokenizer if you need exact numbers;
 * `estimateTokens` is the default. Must be pure and must not throw, because results are cached.
 */
export type CountTokens = (text: string) => number

/**
 * Estimates the number of tokens of a text without a vocabulary.
 *
 * Fitted to o200k_base with tool definitions; `bench/token-estimate.ts` prints the error. Other
 * tokenizers produce different numbers.
 *
 * Never throws. Returns 0 for an empty text and at least 1 for any other.
 *
 * @example
 * estimateTokens('{"type":"string"}') // 5
 */
export function estimateTokens(text: string): number {
  const { asciiKinds, lower, scriptRows, prices, next, afterScript, afterBreak } = machine
  let tokens = 0
  let state = machine.start
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    let kind = lower
    if (code < 128) {
      kind = asciiKinds[code]!
    } else {
      const { word, letter, isLatin } = scripts[scriptRows[code >> 4]!]!
      tokens += state === afterScript ? letter : word + letter
      if (!isLatin) {
        state = word > 0 ? afterScript : afterBreak
        continue
      }
    }
    tokens += prices[state + kind]!
    state = next[state + kind]!
  }
  // a trailing space is a separate token
  if (state === machine.afterSpace) tokens += 1
  return text === '' ? 0 : Math.max(1, Math.round(tokens))
}

// A tokenizer first splits a text into pieces (a word with the space or punctuation mark before it,
// up to three digits, a run of marks) and then looks up each piece. The code below imitates the
// splitting character by character; the prices replace the vocabulary.

const words = ['spaced', 'bare', 'named', 'marked', 'capitalised', 'capitals'] as const
type Word = (typeof words)[number]

/** The tokens of a word with 1, 2, 3, … letters. */
const wordPrices: Record<Word, readonly number[]> = {
  /** ` word` */
  spaced: [1, 1, 1.01, 1.01, 1.01, 1.01, 1.04, 1.04, 1.05, 1.05, 1.08, 1.08, 1.12, 1.2],
  /** `word` without a space before it. With 10 or 11 letters: mostly `properties`, `description`. */
  bare: [1, 1, 1.04, 1.01, 1.02, 1.01, 1.06, 1.08, 1.37, 1.05, 1.04, 1.43, 1.96, 2.5],
  /** `mcp__word__word` and the first word of a text: names, which vocabularies often lack */
  named: [1, 1, 1.15, 1.3, 1.25, 1.25, 1.55, 1.8, 2, 2.1, 2.6, 2.9, 3.1, 3.3],
  /** `_word`, in addition to the mark */
  marked: [0, 0.04, 0.13, 0.14, 0.2, 0.2, 0.48, 0.56, 0.75, 0.75, 0.93, 1.3, 1.5, 2],
  /** `Word` */
  capitalised: [1, 1.01, 1.03, 1.04, 1.08, 1.06, 1.11, 1.18, 1.22, 1.22, 1.45, 1.55, 1.6, 1.65],
  /** `WORD` */
  capitals: [1, 1, 1.2, 1.27, 1.8, 1.9, 2.1, 2.5, 2.6, 2.9, 3.1],
}
/** The tokens of each letter beyond the last entry of these lists. */
const extraLetter = 0.33
/** The first letter of `Word` or `WORD` after a single mark, in addition to that mark. */
const markedCapital = 0.85
/** The additional tokens of lower-case letters after several capitals, as in `HTTPServer`. */
const mixedCase = 0.2
/** Compensates for the apostrophe of `don't`, which was counted as a mark. */
const contraction = -0.85
/** The tokens of each additional space or line break in a run. */
const extraBlank = 0.01

const marks = ['quote', 'comma', 'open', 'close', 'rule', 'underscore', 'mark'] as const
type Mark = (typeof marks)[number]

/** The tokens of a mark after another mark: 0 if both share a token, as in `":"`. */
const joinPrices: Record<Mark, Record<Mark, number>> = {
  quote: { quote: 0.2, comma: 0, open: 0.8, close: 0.4, rule: 1, underscore: 1, mark: 0.9 },
  comma: { quote: 0, comma: 0.3, open: 0, close: 0.3, rule: 0, underscore: 0.4, mark: 0 },
  open: { quote: 0, comma: 0.3, open: 1, close: 1.4, rule: 0.2, underscore: 0.4, mark: 0.4 },
  close: { quote: 1, comma: 0.5, open: 0, close: 0.15, rule: 0.1, underscore: 0.4, mark: 0.3 },
  rule: { quote: 0.45, comma: 0.4, open: 0, close: 1, rule: 0.04, underscore: 0.4, mark: 0.4 },
  // 0.5: the `mcp` of `mcp__server__tool` is two tokens
  underscore: { quote: 0.4, comma: 0.4, open: 0, close: 1, rule: 0.4, underscore: 0.5, mark: 0.4 },
  mark: { quote: 0.3, comma: 0, open: 0.5, close: 0.2, rule: 0.3, underscore: 0.4, mark: 0.2 },
}

/** The tokens of non-ASCII characters: per letter, and additionally per word. */
interface Script {
  /** The first code unit after this script: a multiple of 16. */
  readonly upTo: number
  readonly word: number
  readonly letter: number
  /** Its letters can be part of the same word as a–z. */
  readonly isLatin?: boolean
}

const scripts: readonly Script[] = [
  { upTo: 0x00c0, word: 0, letter: 0.9 }, // © « »
  { upTo: 0x0100, word: 0, letter: 0.8, isLatin: true }, // é ü ñ
  { upTo: 0x0180, word: 0, letter: 1.5, isLatin: true }, // ł š ğ
  { upTo: 0x0370, word: 0, letter: 0, isLatin: true }, // ơ ư
  { upTo: 0x0400, word: 0.3, letter: 0.38 }, // Greek
  { upTo: 0x0450, word: 0.7, letter: 0.16 }, // Cyrillic
  { upTo: 0x0530, word: 0.7, letter: 0.8 }, // Cyrillic letters rare in Russian
  { upTo: 0x0600, word: 0.35, letter: 0.39 }, // Armenian, Hebrew
  { upTo: 0x0780, word: 0.5, letter: 0.25 }, // Arabic
  { upTo: 0x0900, word: 0.5, letter: 2 }, // rare: counted by the byte
  { upTo: 0x0980, word: 0.45, letter: 0.26 }, // Devanagari
  { upTo: 0x0e00, word: 0.3, letter: 0.35 }, // Bengali to Sinhala
  { upTo: 0x0e80, word: 0.5, letter: 0.41 }, // Thai
  { upTo: 0x1000, word: 0.5, letter: 2 }, // rare: counted by the byte
  { upTo: 0x10a0, word: 0.5, letter: 0.7 }, // Burmese
  { upTo: 0x1100, word: 0.35, letter: 0.39 }, // Georgian
  { upTo: 0x1780, word: 0.5, letter: 2 }, // rare: counted by the byte
  { upTo: 0x1800, word: 0.5, letter: 0.55 }, // Khmer
  { upTo: 0x1e00, word: 0.5, letter: 2 }, // rare: counted by the byte
  { upTo: 0x1f00, word: 0, letter: 0, isLatin: true }, // Vietnamese
  { upTo: 0x3040, word: 0, letter: 0.8 }, // “ — → ✅ 。
  { upTo: 0x3100, word: 0, letter: 0.65 }, // kana
  { upTo: 0xa000, word: 0, letter: 0.7 }, // Han
  { upTo: 0xac00, word: 0.5, letter: 2 }, // rare: counted by the byte
  { upTo: 0xd7b0, word: 0.65, letter: 0.49 }, // Hangul
  { upTo: 0xe000, word: 0, letter: 0.85 }, // each half of an emoji
  { upTo: 0x10000, word: 0, letter: 0.8 }, // ，！
]

const special = ['space', 'newline', 'apostrophe', 'escape'] as const
const kinds = ['lower', 'upper', 'digit', ...special, ...marks] as const
const runs = ['start', 'break', 'digits', 'script', ...special, ...words, ...marks] as const
type Kind = (typeof kinds)[number]

/** What the text so far ends with. After `break`, a new word starts. */
type Run = (typeof runs)[number]

/** The run after a character, its length, and the tokens of the character. */
type Step = readonly [run: Run, length: number, price: number]

function step(run: Run, length: number, kind: Kind): Step {
  const mark = markOf(run)
  const afterOneMark = mark !== undefined && length === 1
  switch (kind) {
    case 'lower':
      if (run === 'capitals') {
        const price = letterPrice('capitalised', length + 1)
        return ['capitalised', length + 1, length > 1 ? price + mixedCase : price]
      }
      if (isWord(run)) return [run, length + 1, letterPrice(run, length + 1)]
      // the n of a JSON string's \n is not part of the next word
      if (run === 'escape') return ['break', 0, length > 1 ? 1 : 0]
      if (run === 'apostrophe') return ['spaced', 1, contraction]
      if (run === 'space') return ['spaced', 1, letterPrice('spaced', 1)]
      if (afterOneMark) return ['marked', 1, letterPrice('marked', 1)]
      if (run === 'start' || run === 'underscore') return ['named', 1, letterPrice('named', 1)]
      return ['bare', 1, letterPrice('bare', 1)]
    case 'upper':
      if (run === 'capitals') return [run, length + 1, letterPrice(run, length + 1)]
      return ['capitals', 1, afterOneMark ? markedCapital : letterPrice('capitals', 1)]
    case 'digit':
      if (run === 'digits' && length < 3) return [run, length + 1, 0]
      return ['digits', 1, run === 'space' ? 2 : 1]
    case 'space':
      // the last space belongs to the following word or mark; the spaces before it are one token
      if (run === 'space') return [run, 2, length === 1 ? 1 : extraBlank]
      return ['space', 1, 0]
    case 'newline':
      if (run === 'newline') return [kind, 1, extraBlank]
      if (mark || (run === 'space' && length > 1)) return [kind, 1, 0]
      return [kind, 1, 1]
    case 'apostrophe':
      return isWord(run) ? [kind, 1, 1] : step(run, length, 'mark')
    case 'escape': {
      const [, marksSoFar, price] = step(run, length, 'mark')
      return [kind, marksSoFar, price]
    }
    default:
      if (mark) return [kind, 2, joinPrices[mark][kind]]
      return [kind, run === 'space' ? 2 : 1, 1]
  }
}

function isWord(run: Run): run is Word {
  return run in wordPrices
}

function markOf(run: Run): Mark | undefined {
  if (run === 'apostrophe' || run === 'escape') return 'mark'
  return run in joinPrices ? (run as Mark) : undefined
}

function letterPrice(run: Word, length: number): number {
  const prices = wordPrices[run]
  if (length > prices.length) return extraLetter
  return prices[length - 1]! - (prices[length - 2] ?? 0)
}

function kindOf(char: string): Kind {
  if (/[a-z]/.test(char)) return 'lower'
  if (/[A-Z]/.test(char)) return 'upper'
  if (/[0-9]/.test(char)) return 'digit'
  if (/[\r\n]/.test(char)) return 'newline'
  if (char <= ' ') return 'space'
  if (char === "'") return 'apostrophe'
  if (char === '"') return 'quote'
  if (char === '\\') return 'escape'
  if (/[,:]/.test(char)) return 'comma'
  if (/[[{]/.test(char)) return 'open'
  if (/[\]}]/.test(char)) return 'close'
  if (char === '_') return 'underscore'
  if (/[-=*#~/]/.test(char)) return 'rule'
  return 'mark'
}

/** `step` for every run, length and kind as lookup tables: two lookups per character. */
const machine = /* @__PURE__ */ buildTables()

function buildTables() {
  // beyond its longest length, a run continues at the same price
  const longest = (run: Run): number => (isWord(run) ? wordPrices[run].length + 1 : 3)
  const firstStates = new Map<Run, number>()
  let size = 0
  for (const run of runs) {
    firstStates.set(run, size)
    size += (longest(run) + 1) * kinds.length
  }
  const stateOf = (run: Run, length: number): number =>
    firstStates.get(run)! + Math.min(length, longest(run)) * kinds.length

  const prices = new Float64Array(size)
  const next = new Uint16Array(size)
  let entry = 0
  for (const run of runs) {
    for (let length = 0; length <= longest(run); length++) {
      for (const kind of kinds) {
        const [nextRun, nextLength, price] = step(run, length, kind)
        prices[entry] = price
        next[entry++] = stateOf(nextRun, nextLength)
      }
    }
  }

  const asciiKinds = new Uint8Array(128)
  for (let code = 0; code < 128; code++) {
    asciiKinds[code] = kinds.indexOf(kindOf(String.fromCharCode(code)))
  }
  const scriptRows = new Uint8Array(0x1000)
  scripts.forEach(({ upTo }, row) => {
    scriptRows.fill(row + 1, upTo >> 4)
  })

  return {
    prices,
    next,
    asciiKinds,
    scriptRows,
    lower: kinds.indexOf('lower'),
    start: stateOf('start', 0),
    afterScript: stateOf('script', 1),
    afterBreak: stateOf('break', 0),
    afterSpace: stateOf('space', 1),
  }
}
