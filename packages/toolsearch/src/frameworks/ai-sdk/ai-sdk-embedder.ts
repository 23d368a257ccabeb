import { check } from '../../options/check-option.ts'
import { modelOptions } from '../../semantics/check-embedder.ts'
import type { Embedder } from '../../semantics/embedder.ts'
import type { EmbedderOptions } from '../../semantics/embedders.ts'

type EmbeddingModel = Parameters<typeof aiSdkEmbedder>[0]

const checkModel = check(
  (value) =>
    typeof (value as EmbeddingModel | null)?.doEmbed === 'function' &&
    typeof (value as EmbeddingModel).modelId === 'string',
  'use an embedding model of the AI SDK, such as openai.embedding("text-embedding-3-small")',
)
const checkOptions = modelOptions()

/**
 * Uses an embedding model of the AI SDK.
 *
 * @throws InvalidOptionError
 */
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
  checkModel(model, 'model')
  checkOptions(options, 'options')
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
