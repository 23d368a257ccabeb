import { describe, expect, it } from 'vitest'
import { createActivity } from './create-activity.ts'
import { missReport } from './miss-report.ts'

const MAIL = ['mail__send', 'mail__read']

/**
 * Reports the misses after sessions with these steps: `?query` finds mail, `!query` finds nothing,
 * `~query` finds mail with low confidence, `name` calls that tool, `idle` lets time pass, `gone` disconnects.
 */
function missesOf(...sessions: string[][]) {
  let now = 0
  const activity = createActivity({ transport: 'http', now: () => now })
  const call = { milliseconds: 1, size: 1, cost: { eager: 1, listed: 1 } }
  for (const [at, steps] of sessions.entries()) {
    const client = { id: String(at), name: 'test' }
    activity.connected(client)
    for (const step of steps) {
      now += 1_000
      const rest = step.slice(1)
      const search = { ...call, query: rest, hits: [], candidates: [] }
      if (step.startsWith('?')) activity.searched(client, { ...search, hits: MAIL })
      else if (step.startsWith('!')) activity.searched(client, search)
      else if (step.startsWith('~')) activity.searched(client, { ...search, candidates: MAIL })
      else if (step === 'idle') now += 600_000
      else if (step === 'gone') activity.disconnected(client.id)
      else {
        const server = step.includes('__') ? step.split('__')[0] : undefined
        activity.called(client, { ...call, tool: step, server })
      }
    }
  }
  const tools = [...MAIL, 'mail__purge'].map((name) => ({ name, server: 'mail' }))
  const isFound = (name: string) => activity.timesFound(name) > 0
  return missReport(activity.report(), { tools, isFound, now })
}

const kindsOf = (...steps: string[]) =>
  missesOf(steps).searches.map(({ kind, query }) => `${kind} ${query}`)

describe('missReport', () => {
  it.each<[string, string[], string[]]>([
    ['a search followed by a call of a result', ['?send mail', 'mail__read'], []],
    [
      'a call after another search in between',
      ['?send mail', '?read news', 'mail__send', 'mail__read'],
      [],
    ],
    ['a search of a session that is still active', ['?send mail'], []],
    [
      'a description request in a session that is still active',
      ['?send mail', 'describe_tools'],
      [],
    ],
    ['a search without results', ['!send mail'], ['nothing-found send mail']],
    [
      'a search with candidates only, even if one is called',
      ['~send mail', 'mail__send'],
      ['low-confidence send mail'],
    ],
    [
      'a search without results that succeeds in other words',
      ['!post', '?mail', 'mail__send'],
      ['nothing-found post'],
    ],
    [
      'a similar search right away',
      ['?send mail', '?send mails', 'mail__send'],
      ['repeated send mail'],
    ],
    [
      'a similar search after a description request',
      ['?send mail', 'describe_tools', '?send mail', 'mail__send'],
      ['repeated send mail'],
    ],
    ['the same search after a call', ['?send mail', 'mail__send', '?send mail', 'mail__send'], []],
    ['a different search without a call', ['?send mail', '?weather now'], ['not-called send mail']],
    [
      'a different search and a call of another tool',
      ['?send mail', '?weather now', 'sky__look'],
      ['not-called send mail'],
    ],
    ['a call of a tool that was not searched for', ['?send mail', 'sky__look'], []],
    ['an idle session', ['?send mail', 'idle'], ['not-called send mail']],
    ['a disconnect', ['?send mail', 'gone'], ['not-called send mail']],
    ['a disconnect after a call', ['?send mail', 'mail__send', 'gone'], []],
  ])('classifies %s', (_, steps, expected) => {
    expect(kindsOf(...steps)).toEqual(expected)
  })

  it('reports the candidates of a search with low confidence', () => {
    expect(missesOf(['~send mail']).searches).toMatchObject([{ hits: [], candidates: MAIL }])
  })

  it('keeps sessions apart', () => {
    const { searches } = missesOf(['?send mail', 'gone'], ['?send mail', 'mail__send'])
    expect(searches).toMatchObject([{ kind: 'not-called', times: 1 }])
  })

  it('sorts by frequency, then by time, and shows the latest query', () => {
    const { searches, total } = missesOf(['!a', '!b', '!c'], ['!A '], ['!c', '!b', '!b'])
    expect(searches.map(({ query, times }) => [query, times])).toEqual([
      ['b', 3],
      ['c', 2],
      ['A ', 2],
    ])
    expect(searches[0]!.lastAt).toBe('1970-01-01T00:00:07.000Z')
    expect(total).toBe(7)
  })

  it('lists tools that no search returned, once there was a search', () => {
    expect(missesOf(['mail__send']).neverFound).toEqual([])
    expect(missesOf(['?send mail']).neverFound).toEqual([{ name: 'mail__purge', server: 'mail' }])
    expect(missesOf(['!nothing']).neverFound).toHaveLength(3)
  })

  it('is empty without activity', () => {
    expect(missesOf()).toEqual({ searches: [], neverFound: [], total: 0 })
  })

  it('recognises a repetition within the next 20 searches', () => {
    const others = Array.from({ length: 20 }, (_, at) => `?other${at}`)
    expect(kindsOf('?send mail', ...others.slice(1), '?send mail')).toContain('repeated send mail')
    expect(kindsOf('?send mail', ...others, '?send mail')).not.toContain('repeated send mail')
  })
})
