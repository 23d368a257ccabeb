import { rarityOf } from '../../ranking/rarity-of.ts'
import { stem } from '../../words/stem.ts'
import { wordsOf } from '../../words/words.ts'
import type { EngineScope } from '../candidate-engine.ts'
import { findCandidates } from './find-candidates.ts'
import type { PostgresClient } from './postgres-client.ts'
import { readTermFacts } from './read-terms.ts'
import type { Tables } from './tables.ts'
import type { FoundRow } from './tool-cache.ts'
import { isLexeme } from './tool-lexemes.ts'

const MAX_WORDS = 8
const MAX_SCORED = 2_000

/**
 * The rows of tools whose names have the words of this name, or words that are spelled like them.
 * Comparing the letters of a million names would take seconds.
 */
export async function findSimilar(
  client: PostgresClient,
  tables: Tables,
  name: string,
  { limit, scope }: { limit: number; scope: EngineScope },
): Promise<readonly FoundRow[]> {
  const words = wordsIn(name)
  const reader = { client, tables, scope }
  const known = await readTermFacts(reader, { terms: words, prefixes: [], misspelled: [] })
  const unknown = words.filter((word) => !known.frequencies.has(word))
  const guessed = await readTermFacts(reader, { terms: [], prefixes: [], misspelled: unknown })
  const { tools } = known
  const toTerm = (term: string) => {
    const frequency = known.frequencies.get(term) ?? guessed.frequencies.get(term) ?? 0
    return { term, frequency, gain: rarityOf(frequency, tools) }
  }
  const wanted = words.map((word) => ({
    terms: (known.frequencies.has(word) ? [word] : (guessed.resembling.get(word) ?? [])).map(
      toTerm,
    ),
  }))
  const request = { text: name, words: wanted, tools, required: [], limit, scope }
  return findCandidates(client, tables, request, MAX_SCORED)
}

function wordsIn(name: string): readonly string[] {
  const words = wordsOf(name).flatMap(({ whole, pieces }) => [whole, ...pieces])
  return [...new Set(words.map(stem))].filter(isLexeme).slice(0, MAX_WORDS)
}
