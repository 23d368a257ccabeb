import type { Learning } from 'toolsearch/learning'

/**
 * A memory that records and ranks only while learning is on. What it has stored can still be listed
 * and forgotten.
 *
 * @param isOn asked for each search and each call, so that a change applies at once
 */
export function pausableLearning(learning: Learning, isOn: () => boolean): Learning {
  return {
    ...learning,
    ranker: (ranker, caller) => (isOn() ? learning.ranker(ranker, caller) : ranker),
    follow(person) {
      const tracker = learning.follow(person)
      return {
        onSearch(event) {
          if (isOn()) tracker.onSearch(event)
        },
        onCall(event) {
          if (isOn()) tracker.onCall(event)
        },
      }
    },
  }
}
