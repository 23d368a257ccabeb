import { check } from '../../options/check-option.ts'
import { checkEmbedderOptions } from '../../semantics/check-embedder.ts'
import type { Embedder } from '../../semantics/embedder.ts'
import type { EmbedderOptions } from '../../semantics/embedders.ts'

type Embeddings = Parameters<typeof langchainEmbedder>[0]

const checkEmbeddings = check(
  (value) =>
    typeof (value as Embeddings | null)?.embedDocuments === 'function' &&
    typeof (value as Embeddings).embedQuery === 'function',
  'use an Embeddings object of LangChain',
)

/**
 * Uses any of LangChain's `Embeddings`.
 *
 * @throws InvalidOptionError
 */
export function langchainEmbedder(
  embeddings: {
    embedDocuments(texts: string[]): Promise<number[][]>
    embedQuery(text: string): Promise<number[]>
  },
  options: EmbedderOptions,
): Embedder {
  checkEmbeddings(embeddings, 'embeddings')
  checkEmbedderOptions(options, 'options')
  return {
    ...options,
    embed: (texts, { kind }) =>
      kind === 'query'
        ? Promise.all(texts.map((text) => embeddings.embedQuery(text)))
        : embeddings.embedDocuments([...texts]),
  }
}
