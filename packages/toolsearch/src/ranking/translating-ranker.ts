import type { Tool } from '../catalogue/tool.ts'
import type { Lexicon } from '../languages/lexicon.ts'
import { type Check, check, complete } from '../options/check-option.ts'
import type { WordsQuery } from '../query/query.ts'
import { mergeBounds, mergeRankings, scaleOf, scaleRanking } from './merge-rankings.ts'
import { rankAccepted } from './rank-accepted.ts'
import type { OtherLayer, Peaks, Ranker, Ranking, RankOptions, ScoredTool } from './ranker.ts'
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
  const slots = createToolSlots()
  const languages = createToolLanguages(slots, lexicon)
  const placeOf = (name: string) => slots.places[slots.of(name)!]!
  let latest: { readonly text: string; readonly found: TranslatedQuery | undefined } | undefined

  return {
    name: ranker.name,
    ...(ranker.terms && { terms: ranker.terms }),
    ...(ranker.prepare && { prepare }),
    ...(ranker.peaks && { peaks }),
    ...(ranker.scoreAll && { scoreAll }),
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
      if (translated === undefined) return ranker.rank(query, options)
      if (options.otherLayer === undefined && !languages.hasAny(translated.language)) {
        return withOrigins(rankAccepted(ranker, translated.query, options), translated)
      }
      const { others, own } = optionsByLanguage(translated, options)
      const main = withOrigins(rankAccepted(ranker, translated.query, others), translated)
      const original = rankAccepted(ranker, query, own)
      const isOwn = ownTools(translated)
      const scaled = scaleRanking(original, scaleOf(main, original))
      return {
        ...mergeRankings(main, original, { ...options, placeOf }),
        ...(options.explain && {
          explain: (name: string) => (isOwn(name) ? scaled : main).explain?.(name) ?? [],
        }),
        ...joinPeaks(main.peaks, original.peaks),
      }
    },
  }

  async function prepare(text: string): Promise<void> {
    const words: WordsQuery = { kind: 'words', text, name: text, terms: [text], required: [] }
    const translated = translate(words)
    if (translated) await ranker.prepare!(translated.query.text)
    if (!translated || languages.hasAny(translated.language)) await ranker.prepare!(text)
  }

  function peaks(query: WordsQuery, options: Parameters<NonNullable<Ranker['peaks']>>[1]) {
    const translated = translate(query)
    if (translated === undefined) return ranker.peaks!(query, options)
    const { others, own } = optionsByLanguage(translated, options)
    const main = ranker.peaks!(translated.query, others)
    return joinPeaks(main, ranker.peaks!(query, own)).peaks
  }

  function scoreAll(
    query: WordsQuery,
    visit: (slot: number, score: number) => void,
    otherLayer?: OtherLayer,
  ): Omit<Ranking, 'hits' | 'total'> {
    const translated = translate(query)
    if (translated === undefined) return ranker.scoreAll!(query, visit, otherLayer)
    const ofOriginal: [slot: number, score: number][] = []
    const original = ranker.scoreAll!(query, (...scored) => ofOriginal.push(scored), otherLayer)
    const isOwn = (slot: number) => languages.isIn(translated.language, slot)
    const ofMain: ScoredTool[] = []
    const collect = (slot: number, score: number) => {
      if (isOwn(slot)) return
      if (score > (ofMain[0]?.score ?? 0)) ofMain[0] = { tool: slots.tools[slot]!, score }
      visit(slot, score)
    }
    const main = withOrigins(
      { ...ranker.scoreAll!(translated.query, collect, otherLayer), hits: ofMain },
      translated,
    )
    const scale = scaleOf(main, original)
    const best = { score: 0, slot: -1 }
    for (const [slot, score] of ofOriginal) {
      if (!isOwn(slot)) continue
      if (score > best.score) Object.assign(best, { score, slot })
      visit(slot, score * scale)
    }
    const hits = best.slot < 0 ? [] : [{ tool: slots.tools[best.slot]!, score: best.score }]
    const scaled = scaleRanking({ ...original, hits }, scale)
    const isOwnTool = ownTools(translated)
    return {
      ...mergeBounds(main, scaled),
      explain: (name) => (isOwnTool(name) ? scaled : main).explain?.(name) ?? [],
    }
  }

  /** One search asks several times. */
  function translate(query: WordsQuery): TranslatedQuery | undefined {
    if (latest?.text !== query.text) {
      latest = { text: query.text, found: translateQuery(query, lexicon) }
    }
    const { found } = latest
    return found && { ...found, query: { ...found.query, required: query.required } }
  }

  function ownTools({ language }: TranslatedQuery): (name: string) => boolean {
    return (name) => {
      const slot = slots.of(name)
      return slot !== undefined && languages.isIn(language, slot)
    }
  }

  /** Splits the tools: those in the query's own language, and all others. */
  function optionsByLanguage<Given extends Pick<RankOptions, 'accepts' | 'otherLayer'>>(
    translated: TranslatedQuery,
    options: Given,
  ): { others: Given; own: Given } {
    const { accepts, otherLayer } = options
    const isOwn = ownTools(translated)
    const isAccepted = (tool: Tool) => accepts?.(tool) ?? true
    const peaksOfOriginal = otherLayer?.peaks && originalPeaks.get(otherLayer.peaks)
    return {
      others: { ...options, accepts: (tool: Tool) => !isOwn(tool.name) && isAccepted(tool) },
      own: {
        ...options,
        accepts: (tool: Tool) => isOwn(tool.name) && isAccepted(tool),
        ...(otherLayer && { otherLayer: { terms: otherLayer.terms, peaks: peaksOfOriginal } }),
      },
    }
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
