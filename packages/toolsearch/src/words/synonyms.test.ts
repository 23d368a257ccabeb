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
  ])('lists %s and %s as synonyms of each other', (one, other) => {
    expect(synonymsOf(stem(one))).toContain(stem(other))
    expect(synonymsOf(stem(other))).toContain(stem(one))
  })

  it.each(['', 'sky', '天气', '__proto__', 'constructor'])('has no synonyms for %j', (word) => {
    expect(synonymsOf(word)).toEqual([])
  })

  it('never returns the word itself or a duplicate', () => {
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
