import { describe, expect, it } from 'vitest'
import { readDefinition } from '../../catalogue/read-definition.ts'
import { describeRanker, partsOf, scoresOf } from '../../ranking/ranker.cases.ts'
import { NEXO_WEIGHTS, nexoNameParts, nexoRanker } from './nexo-ranker.ts'

describe('nexoRanker', () => {
  describeRanker(() => nexoRanker())

  it.each<[string, [string, number][]]>([
    [
      'file edit',
      [
        ['FileEdit', 24],
        ['FileRead', 12],
      ],
    ],
    [
      'slack',
      [
        ['mcp__slack__send_message', 14],
        ['mcp__slack__list_channels', 12],
        ['ToolB', 4],
        ['ToolA', 2],
        ['mcp__email__send', 2],
      ],
    ],
    [
      '+slack send',
      [
        ['mcp__slack__send_message', 28],
        ['mcp__email__send', 16],
        ['mcp__slack__list_channels', 12],
        ['ToolB', 8],
        ['ToolA', 2],
      ],
    ],
    ['+glob match', [['Glob', 14]]],
    [
      'send',
      [
        ['mcp__email__send', 14],
        ['mcp__slack__send_message', 14],
        ['ToolB', 4],
      ],
    ],
    [
      'chan',
      [
        ['mcp__slack__list_channels', 8],
        ['mcp__slack__send_message', 2],
      ],
    ],
  ])('scores %j as nexo does', (text, scores) => {
    const ranker = nexoRanker()
    for (const definition of [
      { name: 'FileEdit', description: 'Edit a file' },
      { name: 'FileRead', description: 'Read a file' },
      { name: 'Glob', description: 'Match by glob' },
      { name: 'ToolA', description: 'this description mentions slack indirectly' },
      { name: 'ToolB', description: 'totally unrelated', searchHint: 'send a slack message' },
      { name: 'mcp__slack__send_message', description: 'Send a message to a Slack channel' },
      { name: 'mcp__slack__list_channels', description: 'List channels' },
      { name: 'mcp__email__send', description: 'Send email via slack bridge' },
    ]) {
      ranker.set(readDefinition(definition))
    }
    expect(scoresOf(ranker, text)).toEqual(scores)
  })

  it('counts a term at every place, but a name part once', () => {
    const ranker = nexoRanker()
    ranker.set(readDefinition({ name: 'send_sender', description: 'send', searchHint: 'send' }))
    expect(partsOf(ranker, 'send', 'send_sender')).toEqual([
      { term: 'send', field: 'name', match: 'exact', weight: 10 },
      { term: 'send', field: 'hint', match: 'contains', weight: 4 },
      { term: 'send', field: 'description', match: 'contains', weight: 2 },
    ])
  })

  it('takes other weights', () => {
    const ranker = nexoRanker({ ...NEXO_WEIGHTS, exactPart: 1, hint: 50 })
    ranker.set(readDefinition({ name: 'send' }))
    ranker.set(readDefinition({ name: 'other', searchHint: 'send' }))
    expect(scoresOf(ranker, 'send')).toEqual([
      ['other', 50],
      ['send', 1],
    ])
  })
})

describe('nexoNameParts', () => {
  it.each([
    ['FileEdit', ['file', 'edit']],
    ['send_user_file', ['send', 'user', 'file']],
    ['mcp__slack__send_message', ['slack', 'send', 'message']],
    ['whatsapp.send', ['whatsapp', 'send']],
    ['HTTPServer', ['httpserver']],
    ['getURLFor', ['get', 'urlfor']],
    ['my-srv', ['my-srv']],
    ['ÜberÄndern', ['über', 'ändern']],
    ['_', []],
  ])('takes %s apart as nexo does', (name, parts) => {
    expect(nexoNameParts(name)).toEqual(parts)
  })
})
