import { type Check, check, complete } from '../options/check-option.ts'
import type { WordsQuery } from '../query/query.ts'
import type { TextVectors } from '../semantics/embedder.ts'
import { scaledTo } from '../semantics/vector-math.ts'
import { type Judgement, judge, sizeEvidence } from './confidence.ts'
import { fieldedRanker } from './fielded-ranker.ts'
import { HYBRID_WEIGHTS, type HybridWeights } from './hybrid-weights.ts'
import { createMeaningSource, largest } from './meaning-source.ts'
import { createMixExplainer } from './mix-explainer.ts'
import { rankAccepted } from './rank-accepted.ts'
import type { Peaks, Ranker, Ranking, RankOptions } from './ranker.ts'
import { coreOf, ruleRanker } from './rule-ranker.ts'
import { disagreement, type MixedSource, offerScores, type ScoreMix } from './score-mix.ts'
import { embeddingTexts } from './tool-fields.ts'
import { createToolSlots, createVisibleSlots } from './tool-slots.ts'
import { createTopHits } from './top-hits.ts'

export interface HybridRankerOptions {
  /**
   * Where vectors come from: `toolsearch-semantics`, an embedder of your own, or several of them. With
   * several, similarity is the mean of theirs, and a source whose vectors have not arrived is left out:
   * `[encoder, table]` ranks by the table until the encoder is ready.
   */
  readonly vectors: TextVectors | readonly TextVectors[]
  /**
   * The ranker for keyword matches.
   * @default fieldedRanker()
   */
  readonly lexical?: Ranker
}

const checkVectors = check(
  (value) =>
    Array.isArray(value) ? value.length > 0 && value.every(isTextVectors) : isTextVectors(value),
  'use loadStaticEmbedder() of toolsearch-semantics, or createRemoteVectors()',
)

function isTextVectors(value: unknown): boolean {
  return typeof (value as TextVectors | null)?.embed === 'function'
}

const checkRankerOptions = complete(
  {
    vectors: checkVectors,
    lexical: check(
      (value) => typeof (value as Ranker | null)?.rank === 'function',
      'use a ranker, such as fieldedRanker()',
    ),
  } satisfies Record<keyof HybridRankerOptions, Check>,
  ['lexical'],
)

/**
 * Combines keyword matches and semantic similarity. Keyword scores count relative to what the query
 * could reach, and similarity relative to the most similar tool. If an embedder knows only some words
 * of the query, its similarity counts for less. See `ruleRanker` for the rules on top.
 */
export function hybridRanker(options: HybridRankerOptions): Ranker {
  checkRankerOptions(options, 'options')
  return weightedHybridRanker(options, HYBRID_WEIGHTS)
}

/** The hybrid ranker with any weights: `npm run bench -- tune` chooses them. */
export function weightedHybridRanker(
  { vectors, lexical = fieldedRanker() }: HybridRankerOptions,
  weights: HybridWeights,
): Ranker {
  const embedders = Array.isArray(vectors) ? (vectors as TextVectors[]) : [vectors as TextVectors]
  const sources = embedders.map((each) => createMeaningSource({ vectors: each, weights }))
  const slots = createToolSlots()
  const { tools, places } = slots
  const visibleSlots = createVisibleSlots(slots)
  const explainMix = createMixExplainer(embedders, slots.of)
  const prepared = embedders.filter(({ prepare }) => prepare)
  const immediate = embedders.find(({ prepare }) => !prepare)
  // One number per tool makes this array long, so queries reuse it.
  let wordScores = new Float64Array()

  return ruleRanker({
    name: 'hybrid',
    ...(lexical.terms && { terms: lexical.terms }),
    ...(lexical.translate && { translate: lexical.translate }),
    ...(immediate && { vectors: immediate }),
    ...(prepared.length > 0 && {
      async prepare(text: string) {
        await Promise.all(prepared.map((source) => source.prepare!(text)))
      },
    }),
    vectorSums: () => sources.map(({ sum }) => sum),
    peaks: (query, options) => mixFor(query, options)?.peaks,
    set(tool) {
      visibleSlots.forget()
      lexical.set(tool)
      const slot = slots.set(tool)
      const texts = embeddingTexts(tool)
      for (const source of sources) source.set(slot, texts)
    },
    delete(name) {
      visibleSlots.forget()
      lexical.delete(name)
      const slot = slots.delete(name)
      if (slot !== undefined) for (const source of sources) source.delete(slot)
    },
    rank(query, options) {
      const mix = mixFor(query, options)
      if (mix === undefined) return rankAccepted(coreOf(lexical) ?? lexical, query, options)
      const { limit, ties, explain = false } = options
      const isAccepted = explain ? undefined : acceptsSlot(options)
      const top = createTopHits(explain ? options : { limit, ties })
      const offer = (slot: number, score: number) => {
        if (!isAccepted || isAccepted(slot)) top.offer(tools[slot]!, score, places[slot]!)
      }
      offerScores(mix, offer, explain ? () => 0 : top.floor)
      const hits = top.hits()
      const ranking: Ranking = {
        hits,
        judge: (ranked) => judgeHits(mix, ranked),
        ...(mix.unknownProducts && { unknownProducts: mix.unknownProducts }),
        ...(options.otherLayer && { peaks: mix.peaks }),
      }
      if (!explain) return ranking
      return {
        ...ranking,
        total: top.total(),
        rejected: top.rejected(),
        explain: explainMix(query.text, mix, hits, mix.explainWords),
      }
    },
  })

  /** How to score each slot, or undefined if no embedder understands the query. */
  function mixFor(
    query: WordsQuery,
    options: Pick<RankOptions, 'accepts' | 'isVisible' | 'otherLayer'>,
  ): Mix | undefined {
    const { isVisible, otherLayer } = options
    const compared = sources.flatMap((source, at) => {
      const comparison = source.compare(query.text, otherLayer?.vectorSums?.[at])
      return comparison ? [{ at, source, comparison }] : []
    })
    if (compared.length === 0) return undefined
    const trust = Math.max(...compared.map(({ comparison }) => comparison.trust))
    const isAccepted = acceptsSlot(options)

    if (wordScores.length < tools.length) wordScores = new Float64Array(2 * tools.length)
    wordScores.fill(0)
    let best = 0
    const words = scoreWords(
      query,
      (slot, score) => {
        wordScores[slot] = score
        if (score > best && (!isAccepted || isAccepted(slot))) best = score
      },
      options,
    )
    best = Math.max(best, otherLayer?.peaks?.words ?? 0)
    const idealScore = words.idealScore ?? best
    const clarity = words.minConfidentScore
      ? best / words.minConfidentScore
      : Number.POSITIVE_INFINITY
    // If an embedder understands a query that shares hardly a word with any tool, the query probably
    // describes the tool in other words, so keywords count for less.
    const weakness = trust ** 2 * Math.max(0, 1 - clarity / weights.clearMatch)
    // Relative to the best score alone, one matching word of six would count like six of six.
    const scale = Math.sqrt(idealScore * best) / (1 - weakness) || 1
    const total = 1 + weights.words

    const peaks: number[] = []
    const mixed = compared.map(({ at, source, comparison }) => {
      const nearest = Math.max(
        largest(comparison.similarity, isAccepted),
        otherLayer?.peaks?.similarities[at] ?? 0,
      )
      peaks[at] = nearest
      const factor = comparison.trust / (nearest || 1) / total / compared.length
      return { source, comparison, nearest, factor }
    })
    const topical = mixed.find(({ source }) => source.vectors.topics)
    const coverage = (vector: Float32Array) =>
      Math.max(
        topical?.source.coverage(vector, isAccepted) ?? 0,
        otherLayer?.peaks?.coverage(vector) ?? 0,
      )
    return {
      slots: tools.length,
      count: countTools(isVisible) + (otherLayer?.terms?.tools() ?? 0),
      wordScores,
      perWordScore: weights.words / scale / total,
      sources: mixed,
      explainWords: words.explain,
      unknownProducts: words.unknownProducts,
      peaks: { words: best, similarities: peaks, coverage },
      trust,
      clarity,
      wordShare: best / (idealScore || 1),
      topical,
    }
  }

  function judgeHits(mix: Mix, hits: Ranking['hits']): Judgement {
    const { similarity, lead, closerTopic } = leadIn(mix)
    const scoreAt = (at: number) => {
      const hit = hits[at]
      const slot = hit && slots.of(hit.tool.name)
      return hit ? hit.score + (slot === undefined ? 0 : disagreement(mix, slot)) : 0
    }
    const evidence = {
      words: Math.min(1, mix.wordShare),
      clarity: Math.min(1, mix.clarity / weights.clearMatch),
      similarity,
      lead,
      trust: mix.trust,
      top: scoreAt(0),
      margin: scoreAt(0) - scoreAt(5),
      size: sizeEvidence(mix.count),
      unknownProduct: mix.unknownProducts ? 1 : 0,
    }
    return {
      ...judge(evidence, weights.confidence),
      ...(closerTopic !== undefined && { closerTopic }),
    }
  }

  function leadIn({ topical, peaks }: Mix): Lead {
    if (topical === undefined) return TYPICAL_LEAD
    const { source, comparison, nearest } = topical
    const similarity = nearest / comparison.trust
    const closest = source.nearestTopic(scaledTo(1, comparison.queryVector))
    if (closest === undefined) return { similarity, lead: similarity }
    const { topic } = closest
    const lead = similarity - closest.similarity * (1 - peaks.coverage(topic.vector))
    return { similarity, lead, ...(lead < 0 && { closerTopic: topic.text }) }
  }

  function scoreWords(
    query: WordsQuery,
    visit: (slot: number, score: number) => void,
    { accepts, isVisible, otherLayer }: Pick<RankOptions, 'accepts' | 'isVisible' | 'otherLayer'>,
  ): Omit<Ranking, 'hits' | 'total'> {
    const scope = { ...(isVisible && { isVisible }), ...(otherLayer && { otherLayer }) }
    if (lexical.scoreAll) return lexical.scoreAll(query, visit, scope)
    const ranking = rankAccepted(coreOf(lexical) ?? lexical, query, {
      limit: Number.POSITIVE_INFINITY,
      ties: 'catalogue',
      explain: true,
      ...(accepts && { accepts }),
      ...scope,
    })
    for (const { tool, score } of ranking.hits) visit(slots.of(tool.name)!, score)
    return ranking
  }

  function acceptsSlot({
    accepts,
    isVisible,
  }: Pick<RankOptions, 'accepts' | 'isVisible'>): ((slot: number) => boolean) | undefined {
    if (!accepts) return undefined
    // Asked for almost every slot of each query.
    if (accepts !== isVisible) return (slot) => accepts(tools[slot]!)
    const marks = visibleSlots.marks(isVisible)
    return (slot) => marks[slot] === 1
  }

  /** How many tools the caller may know. */
  function countTools(isVisible: RankOptions['isVisible']): number {
    if (!isVisible) return slots.count()
    const known = lexical.terms?.among?.(isVisible)
    return known?.tools() ?? tools.filter((tool) => tool && isVisible(tool)).length
  }
}

interface Mix extends ScoreMix {
  /** The number of tools in both layers. */
  readonly count: number
  readonly explainWords: Ranking['explain']
  readonly unknownProducts: Ranking['unknownProducts']
  readonly peaks: Peaks
  /** How much of the query an embedder understands. */
  readonly trust: number
  /** The best keyword score relative to one that is hardly a coincidence. */
  readonly clarity: number
  /** The best keyword score relative to the ideal one. */
  readonly wordShare: number
  /** The source that has topics. */
  readonly topical: MixedSource | undefined
}

/**
 * Each embedder has its own scale of similarity, and the weights are fitted to the one with topics. For
 * others, this stands for a similar tool, so that the rest of the evidence decides.
 */
const TYPICAL_LEAD: Lead = { similarity: 0.5, lead: 0.3 }

interface Lead {
  /** The cosine of the query and the most similar tool. */
  readonly similarity: number
  /** How much more similar that is than the nearest topic that no tool covers. */
  readonly lead: number
  /** The topic that is closer than any tool, if there is one. */
  readonly closerTopic?: string
}
