import { splitText } from '../../packages/toolsearch/src/languages/split-text.ts'
import { MAX_RUN, wordKey } from '../../packages/toolsearch/src/languages/word-key.ts'
import { STOP_WORDS } from '../../packages/toolsearch/src/words/stop-words.ts'

const PLACEHOLDER = /\{\{?[^{}]*\}\}?|\$\{[^}]*\}|<[^<>]*>|&\w+;|%[sd]|__\w+__/g
const MAX_TERMS = 40
const MOST_CHARACTERS = 4

/** Words and runs of one to four characters, each once. */
export function foreignTerms(text: string): string[] {
  const terms = new Set<string>()
  for (const part of splitText(text.replace(PLACEHOLDER, ' '))) {
    if (part.kind === 'word') terms.add(wordKey(part.text))
    if (part.kind === 'run') for (const run of runsOf(part.text)) terms.add(run)
  }
  return [...terms]
}

/** All runs of one to four characters. Katakana marks where a loanword ends, so it may be longer. */
function runsOf(text: string): string[] {
  const characters = [...text]
  const runs = characters.flatMap((_, from) =>
    Array.from({ length: Math.min(MOST_CHARACTERS, characters.length - from) }, (_, more) =>
      characters.slice(from, from + more + 1).join(''),
    ),
  )
  const loanwords = text.match(/[\p{Script=Katakana}ー]{5,}/gu) ?? []
  return [...runs, ...loanwords.filter((word) => word.length <= MAX_RUN)]
}

/** English words that carry meaning, each once. */
export function englishWords(text: string): string[] {
  const words = splitText(text.replace(PLACEHOLDER, ' ')).flatMap((part) =>
    part.kind === 'word' ? [wordKey(part.text)] : [],
  )
  const telling = words.filter((word) => /^[a-z]{2,}$/.test(word) && !STOP_WORDS.has(word))
  return [...new Set(telling)].slice(0, MAX_TERMS)
}

/** The same, with plurals and the third person as one term with the plain word. */
export function englishTerms(text: string): string[] {
  return [...new Set(englishWords(text).map(plainForm))]
}

/** Without the `s` of plurals and verbs. Not a stem: a container is not contained. */
export function plainForm(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || /(ss|us|is|ous|news)$/.test(word)) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return /(sses|shes|ches|xes)$/.test(word) ? word.slice(0, -2) : word.slice(0, -1)
}
