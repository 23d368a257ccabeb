import { describe, expect, it } from 'vitest'
import { createActivity } from './create-activity.ts'
import { missReport } from './miss-report.ts'

const MAIL = ['mail__send', 'mail__read']

/**
 * What is missed after a session did this: `?query` finds mail, `!query` finds nothing, `name` calls,
 * `quiet` and `gone` end it.
 */
function missesOf(...sessions: string[][]) {
  let now = 0
  const activity = createActivity({ transport: 'http', now: () => now })
  const done = { milliseconds: 1, size: 1, cost: { eager: 1, listed: 1 } }
  for (const [at, steps] of sessions.entries()) {
    const client = { id: String(at), name: 'test' }
    activity.connected(client)
    for (const step of steps) {
      now += 1_000
      const rest = step.slice(1)
      if (step.startsWith('?')) activity.searched(client, { ...done, query: rest, hits: MAIL })
      else if (step.startsWith('!')) activity.searched(client, { ...done, query: rest, hits: [] })
      else if (step === 'quiet') now += 600_000
      else if (step === 'gone') activity.disconnected(client.id)
      else {
        const server = step.includes('__') ? step.split('__')[0] : undefined
        activity.called(client, { ...done, tool: step, server })
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
    ['a call of what was found', ['?send mail', 'mail__read'], []],
    ['a call after another search', ['?send mail', '?read news', 'mail__send', 'mail__read'], []],
    ['a search whose call may still come', ['?send mail'], []],
    ['a look at definitions, when the call may still come', ['?send mail', 'describe_tools'], []],
    ['nothing found', ['!send mail'], ['nothing-found send mail']],
    [
      'nothing found, and found by other words',
      ['!post', '?mail', 'mail__send'],
      ['nothing-found post'],
    ],
    ['the same again', ['?send mail', '?send mails', 'mail__send'], ['repeated send mail']],
    [
      'the same again after a look at definitions',
      ['?send mail', 'describe_tools', '?send mail', 'mail__send'],
      ['repeated send mail'],
    ],
    ['the same again after a call', ['?send mail', 'mail__send', '?send mail', 'mail__send'], []],
    ['another search and no call', ['?send mail', '?weather now'], ['not-called send mail']],
    [
      'another search, and a call of something else',
      ['?send mail', '?weather now', 'sky__look'],
      ['not-called send mail'],
    ],
    ['a call of something else that was known', ['?send mail', 'sky__look'], []],
    ['silence', ['?send mail', 'quiet'], ['not-called send mail']],
    ['an end', ['?send mail', 'gone'], ['not-called send mail']],
    ['an end after a call', ['?send mail', 'mail__send', 'gone'], []],
  ])('judges %s', (_, steps, expected) => {
    expect(kindsOf(...steps)).toEqual(expected)
  })

  it('does not take one session for another', () => {
    const { searches } = missesOf(['?send mail', 'gone'], ['?send mail', 'mail__send'])
    expect(searches).toMatchObject([{ kind: 'not-called', times: 1 }])
  })

  it('puts the most frequent first, then the latest, and shows the last hits', () => {
    const { searches, total } = missesOf(['!a', '!b', '!c'], ['!A '], ['!c', '!b', '!b'])
    expect(searches.map(({ query, times }) => [query, times])).toEqual([
      ['b', 3],
      ['c', 2],
      ['A ', 2],
    ])
    expect(searches[0]!.lastAt).toBe('1970-01-01T00:00:07.000Z')
    expect(total).toBe(7)
  })

  it('names tools that no search gave, once there was a search', () => {
    expect(missesOf(['mail__send']).neverFound).toEqual([])
    expect(missesOf(['?send mail']).neverFound).toEqual([{ name: 'mail__purge', server: 'mail' }])
    expect(missesOf(['!nothing']).neverFound).toHaveLength(3)
  })

  it('is empty when nothing happened', () => {
    expect(missesOf()).toEqual({ searches: [], neverFound: [], total: 0 })
  })

  // to look further is to compare every search of a long session with every other
  it('looks for the same again among the next 20 searches', () => {
    const others = Array.from({ length: 20 }, (_, at) => `?other${at}`)
    expect(kindsOf('?send mail', ...others.slice(1), '?send mail')).toContain('repeated send mail')
    expect(kindsOf('?send mail', ...others, '?send mail')).not.toContain('repeated send mail')
  })
})
