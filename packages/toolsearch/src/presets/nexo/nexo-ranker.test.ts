import { describe, expect, it } from 'vitest'
import { readDefinition } from '../../catalogue/read-definition.ts'
import { describeRanker, partsOf, scoresOf } from '../../ranking/ranker.cases.ts'
import { nexoRanker } from './nexo-ranker.ts'

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
  ])('scores %j like nexo', (text, scores) => {
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

  it('scores a term in every place, but only once in the name', () => {
    const ranker = nexoRanker()
    ranker.set(readDefinition({ name: 'send_sender', description: 'send', searchHint: 'send' }))
    expect(partsOf(ranker, 'send', 'send_sender')).toEqual([
      { term: 'send', field: 'name', match: 'exact', weight: 10 },
      { term: 'send', field: 'hint', match: 'contains', weight: 4 },
      { term: 'send', field: 'description', match: 'contains', weight: 2 },
    ])
  })
})

describe('nexoRanker: name parts', () => {
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
  ])('splits %s like nexo', (name, parts) => {
    const ranker = nexoRanker()
    ranker.set(readDefinition({ name }))
    const isPart = (word: string) => partsOf(ranker, word, name)?.[0]?.match === 'exact'
    expect(new Set(wordsWithin(name.toLowerCase()).filter(isPart))).toEqual(new Set(parts))
  })
})

/** Every substring that a query could contain as one word. */
function wordsWithin(text: string): string[] {
  const words: string[] = []
  for (let start = 0; start < text.length; start++) {
    for (let end = start + 1; end <= text.length; end++) words.push(text.slice(start, end))
  }
  return words.filter((word) => /^[\p{L}\p{N}](.*[\p{L}\p{N}])?$/u.test(word))
}
