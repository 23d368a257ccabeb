import { createVectorIndex } from './vector-index.ts'

export interface Topics {
  /** The topic nearest to a meaning; undefined when there is none. */
  nearest(meaning: Float32Array): NearestTopic | undefined
}

export interface Topic {
  readonly text: string
  readonly vector: Float32Array
}

interface NearestTopic {
  /** The same object whenever it is the nearest. */
  readonly topic: Topic
  readonly likeness: number
}

export interface TopicsOptions {
  readonly texts: readonly string[]
  readonly dimensions: number
  /** Of length one. A text that has no vector is left out. */
  readonly embed: (text: string) => Float32Array | undefined
}

/** Topics as vectors, made when they are first asked for. */
export function createTopics({ texts, dimensions, embed }: TopicsOptions): Topics {
  let topics: readonly Topic[] | undefined
  const index = createVectorIndex(dimensions)

  function read(): readonly Topic[] {
    const known = texts.flatMap((text) => {
      const vector = embed(text)
      return vector ? [{ text, vector }] : []
    })
    known.forEach(({ vector }, slot) => {
      index.set(slot, vector)
    })
    return known
  }

  return {
    nearest(meaning) {
      topics ??= read()
      const likeness = index.likeness(meaning)
      let best = -1
      for (let slot = 0; slot < topics.length; slot++) {
        if (likeness[slot]! > (likeness[best] ?? 0)) best = slot
      }
      const topic = topics[best]
      return topic && { topic, likeness: likeness[best]! }
    },
  }
}
