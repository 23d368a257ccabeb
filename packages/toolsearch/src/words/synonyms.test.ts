import { describe, expect, it } from 'vitest'
import { stem } from './stem.ts'
import { synonymsOf } from './synonyms.ts'

describe('synonymsOf', () => {
  it.each([
    ['delete', 'remove'],
    ['picture', 'photo'],
    ['repo', 'repository'],
    ['k8s', 'kubernetes'],
    ['email', 'mail'],
  ])('knows that %s and %s are the same, both ways', (one, other) => {
    expect(synonymsOf(stem(one))).toContain(stem(other))
    expect(synonymsOf(stem(other))).toContain(stem(one))
  })

  it.each(['', 'sky', '天气', '__proto__', 'constructor'])('knows nothing of %j', (word) => {
    expect(synonymsOf(word)).toEqual([])
  })

  it('never gives the word itself, nor one word twice', () => {
    const seen = new Set<string>()
    const waiting = ['creat', 'delet', 'list', 'find', 'send', 'file', 'buy', 'car'].map(stem)
    for (let word = waiting.pop(); word !== undefined; word = waiting.pop()) {
      if (seen.has(word)) continue
      seen.add(word)
      const synonyms = synonymsOf(word)
      expect(synonyms).not.toContain(word)
      expect(new Set(synonyms).size).toBe(synonyms.length)
      waiting.push(...synonyms)
    }
    expect(seen.size).toBeGreaterThan(20)
  })
})
