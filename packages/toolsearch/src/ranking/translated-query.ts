import type { TextLanguage } from '../languages/detect-language.ts'
import type { Lexicon } from '../languages/lexicon.ts'
import { parseQuery } from '../query/parse-query.ts'
import type { WordsQuery } from '../query/query.ts'
import { stem } from '../words/stem.ts'
import type { ScorePart } from './ranker.ts'

/** A query in another language, and the same query in English. */
export interface TranslatedQuery {
  readonly language: TextLanguage
  readonly query: WordsQuery
  /** Adds the word of the original query to a part of a score. */
  explain(part: ScorePart): ScorePart
}

/** Undefined if a query is English, or if the lexicon contains none of its words. */
export function translateQuery(query: WordsQuery, lexicon: Lexicon): TranslatedQuery | undefined {
  const language = lexicon.detect(query.text)
  if (language === undefined) return undefined
  const { text, words } = lexicon.translate(query.text)
  const parsed = parseQuery(text, { select: false, required: false })
  if (words.length === 0 || parsed.kind !== 'words') return undefined
  /** By English word, its stem, or the whole translation. */
  const origins = new Map<string, string>()
  const wholes = [text, parsed.name].map((to) => ({ from: query.text, to }))
  for (const { from, to } of [...words, ...wholes]) {
    for (const term of [to, stem(to)]) if (!origins.has(term)) origins.set(term, from)
  }
  return {
    language,
    query: { ...parsed, required: query.required },
    explain(part) {
      const translatedFrom = origins.get(part.term)
      return translatedFrom === undefined ? part : { ...part, translatedFrom }
    },
  }
}
