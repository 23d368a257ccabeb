import { describe, expect, it } from 'vitest'
import { type Use, useId } from './use.ts'
import { createUseIndex, type RecallOptions } from './use-index.ts'

const ALL: RecallOptions = { isVisible: () => true, weigh: () => 1, person: '' }

function use(tool: string, words: string, person = 'ada', fields: Partial<Use> = {}): Use {
  return { id: useId({ tool, person, words }), tool, person, words, at: 1, found: true, ...fields }
}

function indexOf(...uses: Use[]) {
  const index = createUseIndex()
  for (const each of uses) index.set(each)
  return index
}

const strengthOf = (
  index: ReturnType<typeof createUseIndex>,
  words: string,
  tool: string,
  options = ALL,
) => index.recall(words, options).get(tool)?.strength ?? 0

describe('createUseIndex', () => {
  it('recalls the tool of a similar request, more strongly the more words they share', () => {
    const index = indexOf(use('pay', 'settle the open bill'), use('mail', 'write to the landlord'))
    expect(strengthOf(index, 'settle my open bills', 'pay')).toBeCloseTo(0.5)
    expect(strengthOf(index, 'bill', 'pay')).toBeGreaterThan(0)
    expect(strengthOf(index, 'bill', 'pay')).toBeLessThan(0.5)
    expect(index.recall('weather in Ulm', ALL).size).toBe(0)
  })

  it('counts what one person repeats once, however it is worded', () => {
    const once = strengthOf(indexOf(use('pay', 'settle the bill')), 'settle the bill', 'pay')
    const repeated = indexOf(
      ...['settle the bill', 'settle bill now', 'bill to settle', 'settle this bill'].map((words) =>
        use('pay', words),
      ),
    )
    expect(strengthOf(repeated, 'settle the bill', 'pay')).toBeCloseTo(once)
    expect(repeated.recall('settle the bill', ALL).get('pay')!.requests).toBeGreaterThan(1)
  })

  it('is surer if several people agree, and never certain', () => {
    const people = (count: number) =>
      indexOf(...Array.from({ length: count }, (_, at) => use('pay', 'settle the bill', `p${at}`)))
    const strengths = [1, 2, 3, 40].map((count) =>
      strengthOf(people(count), 'settle the bill', 'pay'),
    )
    expect(strengths).toEqual([...strengths].sort((a, b) => a - b))
    expect(strengths[1]).toBeCloseTo(0.75)
    expect(strengths[3]).toBeLessThanOrEqual(1)
  })

  it('counts a tool that fewer people use for less', () => {
    const uses = ['ada', 'ben', 'cleo'].map((person) => use('pay', 'settle the bill', person))
    const alone = strengthOf(indexOf(use('mail', 'settle the bill')), 'settle the bill', 'mail')
    const contested = indexOf(...uses, use('mail', 'settle the bill', 'mallory'))
    expect(strengthOf(contested, 'settle the bill', 'mail')).toBeLessThan(alone / 2)
  })

  it('does not let one person weaken what others use', () => {
    const honest = [use('pay', 'settle the bill', 'ada'), use('mail', 'settle it by mail', 'ben')]
    const alone = strengthOf(indexOf(...honest), 'settle the bill', 'pay')
    for (const tool of ['mail', 'read']) {
      const attacked = indexOf(...honest, use(tool, 'settle the bill', 'mallory'))
      expect(strengthOf(attacked, 'settle the bill', 'pay')).toBeCloseTo(alone)
    }
  })

  it('tells what remains without the other person who contributes most', () => {
    const uses = [use('pay', 'settle the bill', 'ada'), use('pay', 'settle bill', 'ben')]
    const both = indexOf(...uses)
      .recall('settle the bill', ALL)
      .get('pay')!
    const ben = indexOf(uses[1]!).recall('settle the bill', ALL).get('pay')!
    expect(both).toMatchObject({ supporter: 'ada', requests: 2 })
    expect(both.strength).toBeCloseTo(0.75)
    expect(both.backed).toBeCloseTo(ben.strength)
    expect(ben).toMatchObject({ supporter: 'ben', backed: 0 })
    const own = indexOf(...uses)
      .recall('settle the bill', { ...ALL, person: 'ada' })
      .get('pay')!
    expect(own.supporter).toBe('ben')
    expect(own.backed).toBeGreaterThan(0.7)
  })

  it('counts a use whose tool the search did not return for less', () => {
    const found = indexOf(use('pay', 'settle the bill'))
    const later = indexOf(use('pay', 'settle the bill', 'ada', { found: false }))
    const of = (index: typeof found) => strengthOf(index, 'settle the bill', 'pay')
    expect(of(later)).toBeGreaterThan(0)
    expect(of(later)).toBeLessThan(of(found))
  })

  it('recalls by meaning, if there are vectors', () => {
    const index = indexOf(use('forecast', 'umbrella'))
    const vectors = {
      id: 'test',
      dimensions: 2,
      embed: (text: string) =>
        new Float32Array(/umbrella|rain/.test(text) ? [1, 0] : [0, 1]) as Float32Array,
    }
    expect(index.recall('rain', ALL).size).toBe(0)
    expect(strengthOf(index, 'rain', 'forecast', { ...ALL, vectors })).toBeGreaterThan(0.1)
    index.set(use('read', 'open the file'))
    expect(strengthOf(index, 'paper', 'read', { ...ALL, vectors })).toBeGreaterThan(0.1)
  })

  it('answers as if uses of invisible tools did not exist', () => {
    const visible = [use('pay', 'settle the open bill'), use('mail', 'write to the landlord')]
    const concealed = ['bill', 'landlord', 'settle', 'open', 'write'].map((words) =>
      use(`secret_${words}`, words),
    )
    const isVisible = (tool: string) => !tool.startsWith('secret')
    const index = indexOf(...visible, ...concealed)
    for (const words of ['settle the bill', 'write', 'open landlord', 'secret']) {
      expect(index.recall(words, { ...ALL, isVisible })).toEqual(
        indexOf(...visible).recall(words, ALL),
      )
    }
  })

  it('forgets, and reuses the space', () => {
    const index = indexOf(use('pay', 'settle the bill'), use('mail', 'write a letter'))
    index.delete(use('pay', 'settle the bill').id)
    index.delete('unknown')
    expect(index.recall('settle the bill', ALL).size).toBe(0)
    index.set(use('call', 'ring the landlord'))
    expect(strengthOf(index, 'landlord', 'call')).toBeGreaterThan(0)
    expect([...index.uses()].map(({ tool }) => tool)).toEqual(['mail', 'call'])
    expect(index.size).toBe(2)
  })
})
