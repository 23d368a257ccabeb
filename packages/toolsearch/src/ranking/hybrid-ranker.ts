import type { Tool } from '../catalogue/tool.ts'
import { type Check, check, complete } from '../options/check-option.ts'
import type { WordsQuery } from '../query/query.ts'
import { createDocumentVectors } from '../semantics/document-vectors.ts'
import type { TextVectors } from '../semantics/embedder.ts'
import { createSimilarityExplainer } from '../semantics/explain-similarity.ts'
import { splitIntents } from '../semantics/split-intents.ts'
import { createTopics, type Topic, type Topics } from '../semantics/topics.ts'
import { lengthOf, scaledTo } from '../semantics/vector-math.ts'
import { fieldedRanker } from './fielded-ranker.ts'
import { checkHybridWeights, HYBRID_WEIGHTS, type HybridWeights } from './hybrid-weights.ts'
import { rankAccepted } from './rank-accepted.ts'
import type { OtherLayer, Peaks, Ranker, Ranking, RankOptions, ScorePart } from './ranker.ts'
import { embeddingTexts } from './tool-fields.ts'
import { createToolSlots } from './tool-slots.ts'
import { createTopHits, type TopHits } from './top-hits.ts'

export interface HybridRankerOptions {
  /** Where vectors come from: `toolsearch-semantics`, or an embedder of your own. */
  readonly vectors: TextVectors
  /**
   * The ranker for keyword matches.
   * @default fieldedRanker()
   */
  readonly lexical?: Ranker
  readonly weights?: HybridWeights
}

const checkRankerOptions = complete(
  {
    vectors: check(
      (value) => typeof (value as TextVectors | null)?.embed === 'function',
      'use loadStaticEmbedder() of toolsearch-semantics, or createRemoteVectors()',
    ),
    lexical: check(
      (value) => typeof (value as Ranker | null)?.rank === 'function',
      'use a ranker, such as fieldedRanker()',
    ),
    weights: checkHybridWeights,
  } satisfies Record<keyof HybridRankerOptions, Check>,
  ['lexical', 'weights'],
)

/** A tool with at least this share of the ideal keyword score is not a coincidence. */
const CLEAR_SHARE = 0.5

type Accepts = RankOptions['accepts']

/**
 * Combines keyword matches and semantic similarity. Keyword scores count relative to what the query
 * could reach, and similarity relative to the most similar tool. If the embedder knows only some
 * words of the query, similarity counts for less. A long query is also compared intent by intent.
 */
export function hybridRanker(options: HybridRankerOptions): Ranker {
  checkRankerOptions(options, 'options')
  const { vectors, lexical = fieldedRanker(), weights = HYBRID_WEIGHTS } = options
  const slots = createToolSlots()
  const { tools, places } = slots
  const documents = createDocumentVectors({
    vectors,
    weights,
    onArrival: () => topicCoverage.clear(),
  })
  const topics = topicsOf(vectors)
  const explainSimilarity = createSimilarityExplainer(
    vectors,
    (tool: Tool) => embeddingTexts(tool).whole,
  )
  /** The similarity of a topic to the most similar tool, until a tool changes. */
  const topicCoverage = new Map<Topic, number>()
  // One number per tool makes these arrays long, so queries reuse them.
  let wordScores = new Float64Array()
  const similarityBuffers: Float32Array[] = []

  return {
    name: 'hybrid',
    ...(lexical.terms && { terms: lexical.terms }),
    ...(vectors.prepare && { prepare: (text: string) => vectors.prepare!(text) }),
    peaks: (query, { accepts, otherLayer }) => mixFor(query, accepts, otherLayer)?.peaks,
    set(tool) {
      topicCoverage.clear()
      lexical.set(tool)
      documents.set(slots.set(tool), embeddingTexts(tool))
    },
    delete(name) {
      topicCoverage.clear()
      lexical.delete(name)
      const slot = slots.delete(name)
      if (slot !== undefined) documents.delete(slot)
    },
    rank(query, options) {
      const mix = mixFor(query, options.accepts, options.otherLayer)
      if (mix === undefined) return rankAccepted(lexical, query, options)
      const top = createTopHits({ ...options, explain: false })
      offerAll(mix, top)
      const { isDoubtful, closerTopic } = mix.doubt
      const ranking: Ranking = {
        hits: top.hits(),
        minConfidentScore: isDoubtful ? Number.POSITIVE_INFINITY : 0,
        ...(isDoubtful && closerTopic !== undefined && { closerTopic }),
        ...(options.otherLayer && { peaks: mix.peaks }),
      }
      if (!options.explain) return ranking
      return {
        ...ranking,
        total: countScored(mix, options.accepts),
        explain: explainer(query.text, mix, ranking.hits),
      }
    },
  }

  /** How to score each slot, or undefined if the embedder does not understand the query. */
  function mixFor(query: WordsQuery, accepts: Accepts, otherLayer?: OtherLayer): Mix | undefined {
    const queryVector = vectors.embed(query.text, 'query')
    const trust = queryVector ? lengthOf(queryVector) : 0
    if (queryVector === undefined || trust === 0) return undefined
    const isAccepted = (slot: number) => !accepts || accepts(tools[slot]!)

    if (wordScores.length < tools.length) wordScores = new Float64Array(2 * tools.length)
    wordScores.fill(0)
    let best = 0
    const words = scoreWords(
      query,
      accepts,
      (slot, score) => {
        wordScores[slot] = score
        if (score > best && isAccepted(slot)) best = score
      },
      otherLayer,
    )
    best = Math.max(best, otherLayer?.peaks?.words ?? 0)
    const idealScore = words.idealScore ?? best
    const confidence = words.minConfidentScore
      ? best / words.minConfidentScore
      : Number.POSITIVE_INFINITY
    // If the embedder understands a query that shares hardly a word with any tool, the query probably
    // describes the tool in other words, so keywords count for less.
    const weakness = trust ** 2 * Math.max(0, 1 - confidence / weights.clearMatch)
    // Relative to the best score alone, one matching word of six would count like six of six.
    const scale = Math.sqrt(idealScore * best) / (1 - weakness) || 1

    const similarity = similarityTo(queryVector, 0)
    // Vectors of a remote embedder would arrive too late for this query.
    const intents = vectors.prepare ? [] : splitIntents(query.text)
    if (intents.length > 0) {
      const vectorsOfIntents = intents.map((intent) =>
        scaledTo(trust, vectors.embed(intent, 'query') ?? queryVector),
      )
      averageWithNearest(
        similarity,
        vectorsOfIntents.map((vector, at) => similarityTo(vector, at + 1)),
      )
    }
    const nearest = Math.max(largest(similarity, isAccepted), otherLayer?.peaks?.similarity ?? 0)
    const coverage = (vector: Float32Array) => largest(similarityTo(vector, 1), isAccepted)
    const total = 1 + weights.words
    return {
      wordScores,
      similarity,
      perWordScore: weights.words / scale / total,
      perSimilarity: trust / (nearest || 1) / total,
      doubt: judge(),
      queryVector,
      explainWords: words.explain,
      peaks: { words: best, similarity: nearest, coverage },
    }

    function judge(): Doubt {
      if (best > 0 && best >= CLEAR_SHARE * idealScore) return { isDoubtful: false }
      const closest = topics.nearest(scaledTo(1, queryVector!))
      // Don't doubt a query because of a topic that some tool covers.
      const lead = closest
        ? nearest / trust - closest.similarity * (1 - coverageOf(closest.topic))
        : nearest / trust
      const { semantics, threshold } = weights.doubt
      return {
        isDoubtful: confidence + trust * (semantics * lead - threshold) < 1,
        ...(closest && lead < 0 && { closerTopic: closest.topic.text }),
      }
    }

    function coverageOf(topic: Topic): number {
      const known = accepts ? undefined : topicCoverage.get(topic)
      const covered = known ?? coverage(topic.vector)
      if (!accepts) topicCoverage.set(topic, covered)
      return Math.max(covered, otherLayer?.peaks?.coverage(topic.vector) ?? 0)
    }
  }

  function similarityTo(vector: Float32Array, buffer: number): Float32Array {
    const similarity = documents.similarity(vector, similarityBuffers[buffer])
    similarityBuffers[buffer] = similarity
    return similarity
  }

  function scoreWords(
    query: WordsQuery,
    accepts: Accepts,
    visit: (slot: number, score: number) => void,
    otherLayer: OtherLayer | undefined,
  ): Omit<Ranking, 'hits' | 'total'> {
    if (lexical.scoreAll) return lexical.scoreAll(query, visit, otherLayer)
    const limit = Number.POSITIVE_INFINITY
    const options: RankOptions = { limit, ties: 'catalogue', explain: true }
    const ranking = rankAccepted(lexical, query, {
      ...options,
      ...(accepts && { accepts }),
      ...(otherLayer && { otherLayer }),
    })
    for (const { tool, score } of ranking.hits) visit(slots.of(tool.name)!, score)
    return ranking
  }

  function offerAll(mix: Mix, top: TopHits): void {
    const { wordScores, similarity, perWordScore, perSimilarity } = mix
    let floor = Number.MIN_VALUE
    for (let slot = 0; slot < similarity.length; slot++) {
      const score = wordScores[slot]! * perWordScore + similarity[slot]! * perSimilarity
      if (score >= floor) {
        top.offer(tools[slot]!, score, places[slot]!)
        floor = Math.max(floor, top.floor())
      }
    }
  }

  function countScored({ wordScores, similarity }: Mix, accepts: Accepts): number {
    let count = 0
    for (let slot = 0; slot < similarity.length; slot++) {
      const hasScore = wordScores[slot]! > 0 || similarity[slot]! > 0
      if (hasScore && (!accepts || accepts(tools[slot]!))) count++
    }
    return count
  }

  function explainer(
    text: string,
    { similarity, perWordScore, perSimilarity, queryVector, explainWords }: Mix,
    hits: Ranking['hits'],
  ): NonNullable<Ranking['explain']> {
    const similarPairs = explainSimilarity(text, queryVector)
    // The next query overwrites the similarities.
    const explained = new Map(
      hits.map(({ tool }) => {
        const weight = similarity[slots.of(tool.name)!]! * perSimilarity
        return [tool.name, { tool, weight }]
      }),
    )
    return (name) => {
      const hit = explained.get(name)
      if (hit === undefined) return []
      const words = explainWords?.(name) ?? []
      return [
        ...words.map((part) => ({ ...part, weight: part.weight * perWordScore })),
        ...(hit.weight > 0 ? semanticParts(hit.tool, hit.weight) : []),
      ].filter((part) => part.weight > 0)
    }

    /** The most similar words by name, and one part for everything else. */
    function semanticParts(tool: Tool, weight: number): ScorePart[] {
      const pairs = similarPairs(tool)
      const rest = 1 - pairs.reduce((sum, { share }) => sum + share, 0)
      return [...pairs, { term: text, found: tool.name, share: rest }].map(
        ({ term, found, share }) => ({
          term,
          found,
          field: 'semantics',
          match: 'semantic',
          weight: weight * share,
        }),
      )
    }
  }
}

/** Embedding the topics takes longer than indexing the few tools of one conversation. */
const knownTopics = new WeakMap<TextVectors, Topics>()

function topicsOf(vectors: TextVectors): Topics {
  const topics =
    knownTopics.get(vectors) ??
    createTopics({
      texts: vectors.topics ?? [],
      dimensions: vectors.dimensions,
      embed: (text) => {
        const vector = vectors.embed(text)
        return vector && scaledTo(1, vector)
      },
    })
  knownTopics.set(vectors, topics)
  return topics
}

/** The score of a slot is `wordScores * perWordScore + similarity * perSimilarity`. */
interface Mix {
  readonly wordScores: Float64Array
  readonly similarity: Float32Array
  readonly perWordScore: number
  readonly perSimilarity: number
  readonly doubt: Doubt
  readonly queryVector: Float32Array
  readonly explainWords: Ranking['explain']
  readonly peaks: Peaks
}

interface Doubt {
  readonly isDoubtful: boolean
  readonly closerTopic?: string
}

// Loops over all slots are separate functions: V8 does not optimise them inside a long function.
function largest(numbers: Float32Array, accepts: (at: number) => boolean): number {
  let best = 0
  for (let at = 0; at < numbers.length; at++) {
    if (numbers[at]! > best && accepts(at)) best = numbers[at]!
  }
  return best
}

/** Replaces each similarity by its average with the similarity to the nearest intent. */
function averageWithNearest(similarity: Float32Array, toIntents: readonly Float32Array[]): void {
  for (let slot = 0; slot < similarity.length; slot++) {
    let nearest = 0
    for (const toIntent of toIntents) nearest = Math.max(nearest, toIntent[slot]!)
    similarity[slot] = (similarity[slot]! + nearest) / 2
  }
}
