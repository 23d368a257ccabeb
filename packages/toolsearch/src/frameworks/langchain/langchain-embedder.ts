import type { Embedder } from '../../semantics/embedder.ts'
import type { EmbedderOptions } from '../../semantics/embedders.ts'

/** Uses any of LangChain's `Embeddings`. */
export function langchainEmbedder(
  embeddings: {
    embedDocuments(texts: string[]): Promise<number[][]>
    embedQuery(text: string): Promise<number[]>
  },
  options: EmbedderOptions,
): Embedder {
  return {
    ...options,
    embed: (texts, { kind }) =>
      kind === 'query'
        ? Promise.all(texts.map((text) => embeddings.embedQuery(text)))
        : embeddings.embedDocuments([...texts]),
  }
}
