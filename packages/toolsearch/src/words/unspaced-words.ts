import type { Word } from './words.ts'

// A run of one script, with the mark that lengthens a Japanese vowel.
const RUN =
  /\p{Script=Han}+|[\p{Script=Hiragana}\p{Script=Katakana}ー]+|\p{Script=Hangul}+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu
const HAN = /^\p{Script=Han}/u
const KANA = /^[\p{Script=Hiragana}\p{Script=Katakana}ー]/u
const HANGUL = /^\p{Script=Hangul}/u
const SURROGATE = /[\ud800-\udfff]/

/** Tuned on the Chinese and Japanese sets of `npm run bench -- tune`. */
const CHARACTER_WEIGHT = 0.3
const KANA_PAIR_WEIGHT = 0.5

/** The time a segmenter takes is quadratic in the length of the text. */
const MAX_SEGMENTED = 200

/** Words that say nothing about a tool: particles, pronouns and polite forms. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `的 了 在 是 和 与 或 将 把 被 对 为 以 从 到 中 上 下 并 请 帮 给 我 你 他 她 它 我们 你们 他们 这 那 其 该 某
  一 个 一个 一些 这个 那个 每个 中的 哪些 什么 怎么 如何 吗 呢 吧 啊 也 都 就 还 很 已 会 能 可以 需要 想 要
  使用 用于 帮我 给我 一下
  を に は が の で と も へ や か から まで より する した して しない です ます ました ください この その あの
  こと もの ため よう れる られる`
    .trim()
    .split(/\s+/),
)

/**
 * Splits a run without spaces into words, each script in the way that finds most: Chinese and
 * Japanese into the words of a segmenter, plus single characters or pairs, which count for less;
 * Korean, whose words carry endings, and all other scripts into overlapping pairs.
 */
export function unspacedWords(run: string): Iterable<Word> {
  const words = new Map<string, Word>()
  for (const [part] of run.matchAll(RUN)) {
    const characters = SURROGATE.test(part) ? [...part] : part
    if (HAN.test(part)) {
      for (const segment of segments(characters)) add(segment, 1)
      for (const character of characters) add(character, CHARACTER_WEIGHT)
    } else if (KANA.test(part)) {
      for (const segment of segments(characters)) add(segment, 1)
      addPairs(characters, KANA_PAIR_WEIGHT)
    } else {
      addPairs(characters, 1)
      if (!HANGUL.test(part)) for (const segment of segments(characters)) add(segment, 1)
    }
  }
  return words.values()

  function add(whole: string, weight: number): void {
    if (words.has(whole) || STOP_WORDS.has(whole)) return
    words.set(whole, weight === 1 ? { whole, pieces: [] } : { whole, pieces: [], weight })
  }

  function addPairs(characters: string | readonly string[], weight: number): void {
    if (characters.length <= 2) add([...characters].join(''), weight)
    for (let at = 0; characters.length > 2 && at + 1 < characters.length; at++) {
      add(characters[at]! + characters[at + 1]!, weight)
    }
  }
}

let segmenter: Intl.Segmenter | undefined

function* segments(characters: string | readonly string[]): Iterable<string> {
  // Some runtimes have no segmenter. Characters and pairs alone still find most matches.
  if (typeof Intl.Segmenter !== 'function') return
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' })
  for (let from = 0; from < characters.length; from += MAX_SEGMENTED) {
    const part = characters.slice(from, from + MAX_SEGMENTED)
    for (const { segment } of segmenter.segment(typeof part === 'string' ? part : part.join(''))) {
      yield segment
    }
  }
}
