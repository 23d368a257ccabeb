import { describe, expect, it } from 'vitest'
import { aiSdkEmbedder } from './ai-sdk-embedder.ts'

describe('aiSdkEmbedder', () => {
  it('passes texts and signal to the model and uses its id', async () => {
    const requests: unknown[] = []
    const model = {
      modelId: 'text-embedding-3-small',
      vector: [1, 0],
      async doEmbed(options: { values: string[]; abortSignal?: AbortSignal }) {
        requests.push(options)
        return { embeddings: options.values.map(() => this.vector), usage: { tokens: 3 } }
      },
    }
    const embedder = aiSdkEmbedder(model, { dimensions: 2 })
    const { signal } = new AbortController()
    expect(embedder).toMatchObject({ id: 'text-embedding-3-small', dimensions: 2 })
    expect(await embedder.embed(['one', 'two'], { kind: 'document', signal })).toEqual([
      [1, 0],
      [1, 0],
    ])
    await embedder.embed(['three'], { kind: 'query' })
    expect(requests).toEqual([
      { values: ['one', 'two'], abortSignal: signal },
      { values: ['three'] },
    ])
  })

  it('rejects if the model rejects', async () => {
    const model = { modelId: 'any', doEmbed: () => Promise.reject(new Error('no more credit')) }
    const embedder = aiSdkEmbedder(model, { dimensions: 2 })
    await expect(embedder.embed(['one'], { kind: 'query' })).rejects.toThrow('no more credit')
  })
})
