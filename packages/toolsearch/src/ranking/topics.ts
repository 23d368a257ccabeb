export interface Topics {
  /** The topic nearest to a meaning. Its likeness is 0 when there is none. */
  nearest(meaning: Float32Array): NearestTopic
}

interface Topic {
  readonly text: string
  readonly vector: Float32Array
}

interface NearestTopic extends Topic {
  readonly likeness: number
}

/** Topics as vectors, made when they are first asked for. One that has no vector is left out. */
export function createTopics(
  texts: readonly string[],
  embed: (text: string) => Float32Array | undefined,
): Topics {
  let topics: readonly Topic[] | undefined

  return {
    nearest(meaning) {
      topics ??= texts.flatMap((text) => {
        const vector = embed(text)
        return vector ? [{ text, vector }] : []
      })
      let nearest: NearestTopic = {
        text: '',
        vector: new Float32Array(meaning.length),
        likeness: 0,
      }
      for (const topic of topics) {
        let likeness = 0
        for (let i = 0; i < meaning.length; i++) likeness += topic.vector[i]! * meaning[i]!
        if (likeness > nearest.likeness) nearest = { ...topic, likeness }
      }
      return nearest
    },
  }
}
