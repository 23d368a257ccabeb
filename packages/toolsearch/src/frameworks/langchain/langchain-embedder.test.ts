import { describe, expect, it } from 'vitest'
import { langchainEmbedder } from './langchain-embedder.ts'

describe('langchainEmbedder', () => {
  const embeddings = {
    own: 10,
    async embedDocuments(texts: string[]) {
      return texts.map((text) => [this.own, text.length])
    },
    async embedQuery(text: string) {
      return [-this.own, text.length]
    },
  }

  it('embeds documents in one batch and queries one by one', async () => {
    const embedder = langchainEmbedder(embeddings, { id: 'any', dimensions: 2, maxBatch: 3 })
    expect(embedder).toMatchObject({ id: 'any', dimensions: 2, maxBatch: 3 })
    expect(await embedder.embed(['one', 'three'], { kind: 'document' })).toEqual([
      [10, 3],
      [10, 5],
    ])
    expect(await embedder.embed(['one', 'three'], { kind: 'query' })).toEqual([
      [-10, 3],
      [-10, 5],
    ])
  })

  it('rejects if LangChain rejects', async () => {
    const fail = async () => Promise.reject(new Error('no more credit'))
    const broken = { embedDocuments: fail, embedQuery: fail }
    const embedder = langchainEmbedder(broken, { id: 'any', dimensions: 2 })
    for (const kind of ['query', 'document'] as const) {
      await expect(embedder.embed(['one'], { kind })).rejects.toThrow('no more credit')
    }
  })
})
