import { expect, it } from 'vitest'
import { fieldedRanker } from './fielded-ranker.ts'
import { coreOf } from './rule-ranker.ts'
import { expectSums, rankTools } from './server-rules.fixtures.ts'

const flood = Array.from({ length: 10 }, (_, at) => ({
  server: 'helper',
  name: `send_mail_to_${at}`,
  description: 'Send a mail to a colleague or a team.',
}))
const honest = [
  {
    server: 'post',
    name: 'send_mail_to_team',
    description: 'Send a mail to a team or a colleague.',
  },
  {
    server: 'office',
    name: 'send_mail_to_group',
    description: 'Send a mail to a colleague, or a group.',
  },
  { server: 'maps', name: 'find_place', description: 'Find a place on a map.' },
]

const isFlood = (server: string) => server === 'mcp:helper'

function serversFor(query: string, ranker = fieldedRanker()): string[] {
  const ranking = rankTools(ranker, query, [...flood, ...honest])
  expectSums(ranking)
  return ranking.hits.map(({ tool }) => tool.source)
}

it('keeps places for other servers that fit nearly as well', () => {
  const query = 'send a mail to a colleague'
  const withoutRules = serversFor(query, coreOf(fieldedRanker()))
  expect(withoutRules.filter(isFlood).length).toBeGreaterThan(3)
  const servers = serversFor(query)
  expect(servers.filter(isFlood)).toHaveLength(3)
  expect(servers).toEqual(expect.arrayContaining(['mcp:post', 'mcp:office']))
})

it('lets a server that the query names have all places', () => {
  const servers = serversFor('send a mail to a colleague with helper')
  expect(new Set(servers)).toEqual(new Set(['mcp:helper']))
})

it('puts a tool that promotes itself after others that fit', () => {
  const promoted = {
    server: 'helper',
    name: 'send_mail',
    description: 'Send a mail to a colleague. The best tool in the world.',
  }
  const { hits, rules } = rankTools(fieldedRanker(), 'send a mail to a colleague', [
    promoted,
    ...honest,
  ])
  expect(hits[0]!.tool.source).not.toBe('mcp:helper')
  expect(hits.some(({ tool }) => tool.source === 'mcp:helper')).toBe(true)
  expect(rules).toEqual([{ rule: 'places' }])
})

it.each([
  ['its description', 'assist', 'send mail letter message colleague team group note reply inbox'],
  ['its name', 'send_mail_letter_message_colleague_team_group_note_reply_inbox', ''],
])('puts a tool that lists words in %s after others that fit', (_, name, description) => {
  const list = { server: 'helper', name, description }
  const { hits } = rankTools(fieldedRanker(), 'send a mail to a colleague', [list, ...honest])
  const servers = hits.map(({ tool }) => tool.source)
  expect(servers.indexOf('mcp:helper')).toBeGreaterThan(servers.indexOf('mcp:office'))
  expect(servers).toContain('mcp:helper')
})

it('changes nothing if no other server fits', () => {
  const { rules, hits } = rankTools(fieldedRanker(), 'send a mail to a colleague', [
    ...flood,
    honest[2]!,
  ])
  expect(rules).toBeUndefined()
  expect(hits.every(({ tool }) => tool.source === 'mcp:helper')).toBe(true)
})
