import { describe, expect, it } from 'vitest'
import { createActivity } from './create-activity.ts'
import { findMisses } from './find-misses.ts'
import { IDLE_MS, missReport } from './miss-report.ts'

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
  const { events } = activity.report()
  const isActive = (id: string) => {
    const session = activity.session(id)
    return session?.isOpen === true && now - Date.parse(session.lastActive) < IDLE_MS
  }
  const misses = findMisses(events.toReversed(), isActive)
  const searches = events.filter((event) => event.kind === 'search')
  const iso = new Date(now).toISOString()
  return missReport(searches, (search) => misses.get(search), { tools, since: iso, until: iso })
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

  it('sorts by frequency, then by time, and shows the latest spelling', () => {
    const { searches, total, missed } = missesOf(['!a', '!b', '!c'], ['!A '], ['!c', '!b', '!b'])
    expect(searches.map(({ query, times }) => [query, times])).toEqual([
      ['b', 3],
      ['c', 2],
      ['A ', 2],
    ])
    expect(searches[0]!.lastAt).toBe('1970-01-01T00:00:07.000Z')
    expect([total, missed]).toEqual([7, 7])
  })

  it('puts near-identical queries into one group', () => {
    const { searches } = missesOf(
      ['!create an invoice', '!create invoice for Ada', '!create invoices'],
      ['~create an invoice'],
      ['!paint the garage'],
    )
    expect(searches).toMatchObject([
      {
        query: 'create an invoice',
        times: 4,
        kind: 'nothing-found',
        kinds: { 'nothing-found': 3, 'low-confidence': 1 },
        queries: [
          { query: 'create an invoice', times: 2 },
          { query: 'create invoice for Ada', times: 1 },
          { query: 'create invoices', times: 1 },
        ],
        firstAt: '1970-01-01T00:00:01.000Z',
        lastAt: '1970-01-01T00:00:04.000Z',
        candidates: MAIL,
      },
      { query: 'paint the garage', times: 1 },
    ])
  })

  it('does not connect unrelated queries through a chain of similar ones', () => {
    const { searches } = missesOf([
      '!red green',
      '!red green',
      '!green blue pink',
      '!blue pink grey',
    ])
    expect(searches.map(({ query }) => query)).toContain('red green')
    expect(searches.length).toBeGreaterThan(1)
  })

  it('lists tools that no search returned once there were enough searches', () => {
    const seven = missesOf(Array.from({ length: 7 }, () => '?send mail'))
    expect(seven).toMatchObject({ total: 7, neverFound: [], neededSearches: 20 })
    const twenty = missesOf(Array.from({ length: 20 }, () => '?send mail'))
    expect(twenty.neverFound).toEqual([{ name: 'mail__purge', server: 'mail' }])
  })

  it('is empty without activity', () => {
    expect(missesOf()).toMatchObject({ searches: [], neverFound: [], total: 0, missed: 0 })
  })

  it('recognises a repetition within the next 20 searches', () => {
    const others = Array.from({ length: 20 }, (_, at) => `?other${at}`)
    expect(kindsOf('?send mail', ...others.slice(1), '?send mail')).toContain('repeated send mail')
    expect(kindsOf('?send mail', ...others, '?send mail')).not.toContain('repeated send mail')
  })
})
