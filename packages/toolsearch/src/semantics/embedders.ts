import { type Check, callback, check, name, text } from '../options/check-option.ts'
import { checkEmbedderOptions, modelOptions } from './check-embedder.ts'
import type { Embedder } from './embedder.ts'

/** Options that all embedders share. */
export interface EmbedderOptions {
  /** Model and revision. Only vectors with the same id are comparable. */
  readonly id: string
  /** Vectors of any other length are rejected. @default the length of the first vector */
  readonly dimensions?: number
  /** The maximum number of texts in one request. @default 96 */
  readonly maxBatch?: number
  /**
   * Compare vectors after subtracting the mean of all tools. Helps if the model finds all texts similar
   * to each other, as gte and e5 models do.
   * @default false
   */
  readonly centred?: boolean
}

/**
 * An embedder from a function that turns texts into vectors.
 *
 * @throws InvalidOptionError
 */
export function functionEmbedder(
  embed: (texts: readonly string[]) => Promise<ArrayLike<number>[]>,
  options: EmbedderOptions,
): Embedder {
  callback(embed, 'embed')
  checkEmbedderOptions(options, 'options')
  return { ...options, embed }
}

export interface EndpointOptions extends Omit<EmbedderOptions, 'id'> {
  /** The URL up to the version, such as `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string
  readonly model: string
  readonly apiKey?: string
  /** @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch
}

const checkEndpointOptions = modelOptions(
  {
    baseUrl: check(
      (value) => typeof value === 'string' && /^https?:/.test(value) && URL.canParse(value),
      'use a URL such as "http://127.0.0.1:11434/v1"',
    ),
    model: name,
    apiKey: text,
    fetch: callback,
  } satisfies Record<Exclude<keyof EndpointOptions, keyof EmbedderOptions>, Check>,
  ['apiKey', 'fetch'],
)

/**
 * An embedder for endpoints with OpenAI's `/embeddings` API: OpenAI, Ollama, LM Studio, vLLM.
 *
 * @throws InvalidOptionError
 */
export function endpointEmbedder(endpoint: EndpointOptions): Embedder {
  checkEndpointOptions(endpoint, 'options')
  const { baseUrl, model, apiKey, fetch = globalThis.fetch, ...options } = endpoint
  return {
    id: `${model} at ${baseUrl}`,
    ...options,
    async embed(texts, { signal }) {
      const response = await fetch(`${baseUrl.replace(/\/$/, '')}/embeddings`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify({ model, input: texts }),
        ...(signal && { signal }),
      })
      if (!response.ok)
        throw new Error(`${baseUrl}/embeddings responded with status ${response.status}.`)
      const { data } = (await response.json()) as { data: { index: number; embedding: number[] }[] }
      return [...data].sort((a, b) => a.index - b.index).map(({ embedding }) => embedding)
    },
  }
}
