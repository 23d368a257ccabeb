import { createRowComparer } from './row-comparer.ts'
import { createVectorIndex } from './vector-index.ts'

export interface Topics {
  /** The topic that is most similar to a vector; undefined if there is none. */
  nearest(vector: Float32Array): NearestTopic | undefined
}

interface Topic {
  readonly text: string
  readonly vector: Float32Array
}

interface NearestTopic {
  /** Always the same object for the same topic. */
  readonly topic: Topic
  readonly similarity: number
}

export interface TopicsOptions {
  readonly texts: readonly string[]
  readonly dimensions: number
  /** Returns a vector of length one, or undefined to leave the topic out. */
  readonly embed: (text: string) => Float32Array | undefined
}

/** Embeds the topics on first use. */
export function createTopics({ texts, dimensions, embed }: TopicsOptions): Topics {
  let topics: readonly Topic[] | undefined
  // Every search compares with all topics, and an embedder has one list of them.
  const index = createVectorIndex(dimensions, createRowComparer())

  function embedAll(): readonly Topic[] {
    const embedded = texts.flatMap((text) => {
      const vector = embed(text)
      return vector ? [{ text, vector }] : []
    })
    embedded.forEach(({ vector }, slot) => {
      index.set(slot, vector)
    })
    return embedded
  }

  return {
    nearest(vector) {
      topics ??= embedAll()
      const similarity = index.similarity(vector)
      let best = -1
      for (let slot = 0; slot < topics.length; slot++) {
        if (similarity[slot]! > (similarity[best] ?? 0)) best = slot
      }
      const topic = topics[best]
      return topic && { topic, similarity: similarity[best]! }
    },
  }
}
