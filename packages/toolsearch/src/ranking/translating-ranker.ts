import type { Lexicon } from '../languages/lexicon.ts'
import { type Check, check, complete } from '../options/check-option.ts'
import type { WordsQuery } from '../query/query.ts'
import { mergeRankings, scaleOf, scaleRanking } from './merge-rankings.ts'
import { rankAccepted } from './rank-accepted.ts'
import type { OtherLayer, Peaks, Ranker, Ranking, RankOptions, ScoredTool } from './ranker.ts'
import { coreOf, ruleRanker } from './rule-ranker.ts'
import { createToolLanguages } from './tool-languages.ts'
import { createToolSlots } from './tool-slots.ts'
import { type TranslatedQuery, translateQuery } from './translated-query.ts'

export interface TranslatingRankerOptions {
  /** Ranks the translated queries, and all others as they are. */
  readonly ranker: Ranker
  /** `createLexicon(await loadLexicon())`, with `loadLexicon` of toolsearch-semantics. */
  readonly lexicon: Lexicon
}

const checkRankerOptions = complete({
  ranker: check(
    (value) => typeof (value as Ranker | null)?.rank === 'function',
    'use a ranker, such as fieldedRanker()',
  ),
  lexicon: check(
    (value) => typeof (value as Lexicon | null)?.translate === 'function',
    'use createLexicon(loadLexicon()), with loadLexicon of toolsearch-semantics',
  ),
} satisfies Record<keyof TranslatingRankerOptions, Check>)

/** The language of a few tools cannot be told, because their descriptions are empty or one name. */
const OWN_SHARE = 0.98

/** The peaks for the original query, by those for its translation. Layers are separate rankers. */
const originalPeaks = new WeakMap<Peaks, Peaks>()

/**
 * Translates queries in other languages word by word, so that they find tools described in English.
 * Tools described in the query's own language are ranked by the original query. English queries
 * reach the inner ranker unchanged.
 */
export function translatingRanker(options: TranslatingRankerOptions): Ranker {
  checkRankerOptions(options, 'options')
  const { ranker, lexicon } = options
  // Rules look at all hits together, so they come after the rankings of both queries are merged.
  const core = coreOf(ranker)
  return core
    ? ruleRanker(createTranslatingRanker(core, lexicon))
    : createTranslatingRanker(ranker, lexicon)
}

function createTranslatingRanker(ranker: Ranker, lexicon: Lexicon): Ranker {
  const slots = createToolSlots()
  const languages = createToolLanguages(slots, lexicon)
  const placeOf = (name: string) => slots.places[slots.of(name)!]!
  let latest: { readonly text: string; readonly found: TranslatedQuery | undefined } | undefined

  return {
    name: ranker.name,
    ...(ranker.terms && { terms: ranker.terms }),
    ...(ranker.vectorSums && { vectorSums: ranker.vectorSums }),
    ...(ranker.vectors && { vectors: ranker.vectors }),
    ...(ranker.prepare && { prepare }),
    ...(ranker.peaks && { peaks }),
    translate: (query) => translate(query)?.query,
    set(tool) {
      languages.forget(slots.set(tool))
      ranker.set(tool)
    },
    delete(name) {
      const slot = slots.delete(name)
      if (slot !== undefined) languages.forget(slot)
      ranker.delete(name)
    },
    rank(query, options) {
      const translated = translate(query)
      if (translated === undefined || isForOwnTools(translated, options)) {
        return ranker.rank(query, options)
      }
      const ownTools = languages.count(translated.language, options.isVisible)
      if (options.otherLayer === undefined && ownTools === 0) {
        return withOrigins(rankAccepted(ranker, translated.query, options), translated)
      }
      const isOwn = isIn(translated)
      const ownOptions = { ...options, ...originalLayer(options.otherLayer) }
      const original = rankSome(query, ownOptions, isOwn, countTools(options) - ownTools)
      const english = withOrigins(
        rankSome(translated.query, options, (name) => !isOwn(name), ownTools),
        translated,
      )
      const scaled = scaleRanking(english, scaleOf(original, english))
      return {
        ...mergeRankings(original, scaled, { ...options, placeOf }),
        ...(options.explain && {
          explain: (name: string) => (isOwn(name) ? original : scaled).explain?.(name) ?? [],
        }),
        ...joinPeaks(english.peaks, original.peaks),
      }
    },
  }

  /**
   * Ranks all tools, because scores may be relative to the best one, and keeps some of them.
   * @param others how many tools are not kept
   */
  function rankSome(
    query: WordsQuery,
    options: RankOptions,
    keeps: (name: string) => boolean,
    others: number,
  ): Ranking {
    const limit = options.explain ? Number.POSITIVE_INFINITY : options.limit + others
    const ranking = rankAccepted(ranker, query, { ...options, limit })
    const keep = (hits: readonly ScoredTool[]) => hits.filter(({ tool }) => keeps(tool.name))
    const hits = keep(ranking.hits)
    return {
      ...ranking,
      hits,
      ...(ranking.rejected && { rejected: keep(ranking.rejected) }),
      ...(ranking.total !== undefined && { total: hits.length }),
    }
  }

  async function prepare(text: string): Promise<void> {
    const words: WordsQuery = { kind: 'words', text, name: text, terms: [text], required: [] }
    const translated = translate(words)
    if (translated) await ranker.prepare!(translated.query.text)
    if (!translated || languages.count(translated.language) > 0) await ranker.prepare!(text)
  }

  function peaks(query: WordsQuery, options: Parameters<NonNullable<Ranker['peaks']>>[1]) {
    const translated = translate(query)
    if (translated === undefined) return ranker.peaks!(query, options)
    const ownOptions = { ...options, ...originalLayer(options.otherLayer) }
    const original = ranker.peaks!(query, ownOptions)
    return joinPeaks(ranker.peaks!(translated.query, options), original).peaks
  }

  /** One search asks several times. */
  function translate(query: WordsQuery): TranslatedQuery | undefined {
    if (latest?.text !== query.text) {
      latest = { text: query.text, found: translateQuery(query, lexicon) }
    }
    const { found } = latest
    return found && { ...found, query: { ...found.query, required: query.required } }
  }

  /** Whether practically all tools are in the language of the query. */
  function isForOwnTools(
    { language }: TranslatedQuery,
    options: Pick<RankOptions, 'otherLayer' | 'isVisible'>,
  ): boolean {
    if (options.otherLayer !== undefined) return false
    return languages.count(language, options.isVisible) >= OWN_SHARE * countTools(options)
  }

  /** How many tools the caller may know. */
  function countTools({ isVisible }: Pick<RankOptions, 'isVisible'>): number {
    if (!isVisible) return slots.count()
    const known = ranker.terms?.among?.(isVisible)
    return known?.tools() ?? slots.tools.filter((tool) => tool && isVisible(tool)).length
  }

  function isIn({ language }: TranslatedQuery): (name: string) => boolean {
    return (name) => {
      const slot = slots.of(name)
      return slot !== undefined && languages.isIn(language, slot)
    }
  }
}

/** What the other layer says about the original query. */
function originalLayer(layer: OtherLayer | undefined): { otherLayer?: OtherLayer } {
  if (layer === undefined) return {}
  return {
    otherLayer: { ...layer, peaks: layer.peaks && originalPeaks.get(layer.peaks) },
  }
}

function withOrigins<Given extends Pick<Ranking, 'explain'>>(
  ranking: Given,
  translated: TranslatedQuery,
): Given {
  const { explain } = ranking
  if (!explain) return ranking
  return { ...ranking, explain: (name: string) => explain(name).map(translated.explain) }
}

/** Passes both on as one, because the contract has room for one. */
function joinPeaks(main: Peaks | undefined, original: Peaks | undefined): { peaks?: Peaks } {
  if (main === undefined) return {}
  const peaks = { ...main }
  if (original) originalPeaks.set(peaks, original)
  return { peaks }
}
