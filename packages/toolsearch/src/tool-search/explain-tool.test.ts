import { describe, expect, it } from 'vitest'
import { createToolSearch } from '../index.ts'

const tools = [
  { name: 'mcp__mail__send_mail', description: 'Send an email to somebody' },
  { name: 'mcp__mail__read_mail', description: 'Read an email' },
  { name: 'mcp__mail__list_folders', description: 'List the folders of the mailbox' },
  { name: 'mcp__chat__send_message', description: 'Send a message to a channel' },
  { name: 'mcp__chat__archive', description: 'Archive a channel, with a note by mail to all' },
]
const toolSearch = createToolSearch({ tools, selection: { band: 0.4 } })

describe('toolSearch.explain', () => {
  it('says of a hit what its score is made of, and the parts add up to it', () => {
    const why = toolSearch.explain('send mail', 'mcp__mail__send_mail')
    expect(why).toMatchObject({ verdict: 'returned', rank: 1 })
    expect(why.parts.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(why.score!, 9)
    expect(why.parts.map(({ weight }) => weight)).toEqual(
      why.parts.map(({ weight }) => weight).toSorted((a, b) => b - a),
    )
    expect(why.text).toMatch(/^mcp__mail__send_mail was returned, rank 1 of \d, score [\d.]+: /)
  })

  it('names the word that stood in for one the tool does not have', () => {
    const why = toolSearch.explain('fetch mail', 'mcp__mail__read_mail')
    expect(why.parts).toContainEqual(
      expect.objectContaining({ term: 'fetch', found: 'read', match: 'synonym' }),
    )
    expect(why.text).toContain('"fetch" as "read"')
  })

  it.each([
    ['send mail', 'mcp__mail__send_mial', 'unknown', /close to it: mcp__mail__send_mail/],
    ['+folders send', 'mcp__mail__send_mail', 'lacks-required', /lacks a word of \+folders/],
    ['weather', 'mcp__mail__send_mail', 'no-match', /nothing of the query/],
    ['send mail', 'mcp__chat__archive', 'below-band', /is below [\d.]+, too far behind/],
    ['select:mcp__mail__read_mail', 'mcp__mail__send_mail', 'not-searched', /read as select/],
    ['mcp__mail__send_mail', 'mcp__mail__send_mail', 'returned', /asked for by name/],
    ['repaint the garage door near the channel', 'mcp__chat__archive', 'doubtful', /nothing fits/],
  ] as const)('says for %j of %s: %s', (query, name, verdict, text) => {
    const why = toolSearch.explain(query, name)
    expect(why.verdict).toBe(verdict)
    expect(why.text).toMatch(text)
  })

  it('tells what came after the limit', () => {
    const why = toolSearch.explain('email', 'mcp__mail__send_mail', { limit: 1 })
    expect(why).toMatchObject({ verdict: 'below-limit', rank: 2 })
    expect(why.text).toContain('after the limit of 1')
  })

  it('tells the person who set the policy that a tool was filtered', () => {
    const visible = ['mcp__mail__read_mail']
    const why = toolSearch.explain('send mail', 'mcp__mail__send_mail', { visible })
    expect(why.verdict).toBe('concealed')
  })
})

describe('toolSearch.nearMisses', () => {
  it('tells of the best that were not given, in their order, and why not', () => {
    const misses = toolSearch.nearMisses('send mail', { limit: 1 })
    expect(misses.slice(0, 2).map(({ tool, rank }) => [tool, rank])).toEqual([
      ['mcp__chat__send_message', 2],
      ['mcp__mail__read_mail', 3],
    ])
    expect(misses).toEqual(
      misses.map(({ tool }) => toolSearch.explain('send mail', tool, { limit: 1 })),
    )
    expect(toolSearch.nearMisses('send mail', { limit: 1, count: 1 })).toEqual(misses.slice(0, 1))
  })

  it('tells of tools that lack a required word, and of those that nothing was given of', () => {
    const [lacking] = toolSearch.nearMisses('+folders send mail')
    expect(lacking).toMatchObject({ tool: 'mcp__mail__send_mail', verdict: 'lacks-required' })
    const doubtful = toolSearch.nearMisses('repaint the garage door near the channel')
    expect(doubtful[0]).toMatchObject({ verdict: 'doubtful', rank: 1 })
  })

  it('has nothing to tell of a query for names', () => {
    expect(toolSearch.nearMisses('select:mcp__mail__send_mail')).toEqual([])
    expect(toolSearch.nearMisses('mcp__mail__send_mail')).toEqual([])
    expect(toolSearch.nearMisses(' ')).toEqual([])
  })
})
