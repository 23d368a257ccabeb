import type { Embedder } from '../../semantics/embedder.ts'
import type { EmbedderOptions } from '../../semantics/embedders.ts'

/** Uses an embedding model of the AI SDK. */
export function aiSdkEmbedder(
  model: {
    readonly modelId: string
    doEmbed(options: {
      values: string[]
      abortSignal?: AbortSignal
    }): PromiseLike<{ embeddings: number[][] }>
  },
  options: Omit<EmbedderOptions, 'id'>,
): Embedder {
  return {
    id: model.modelId,
    ...options,
    async embed(texts, { signal }) {
      const values = [...texts]
      const { embeddings } = await model.doEmbed({ values, ...(signal && { abortSignal: signal }) })
      return embeddings
    },
  }
}
