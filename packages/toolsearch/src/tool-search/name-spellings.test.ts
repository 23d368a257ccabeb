import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { createToolSearch, type SearchOutcome, type ToolDefinition } from '../index.ts'
import { splitIdentifier } from '../words/split-identifier.ts'

const names = (outcome: SearchOutcome) => outcome.hits.map(({ tool }) => tool.name)
/** Tools that the query names have no score. */
const named = ({ hits }: SearchOutcome) =>
  hits.filter(({ score }) => score === undefined).map(({ tool }) => tool.name)

const VERBS = ['search', 'query', 'list', 'trace', 'index']
const NOUNS = ['code', 'graph', 'file', 'project', 'symbol', 'call']
/** Hundreds of names with shared beginnings and ends, plurals, and one letter more or less. */
const lookAlikes: ToolDefinition[] = VERBS.flatMap((verb) =>
  NOUNS.flatMap((noun) => [
    `${verb}_${noun}`,
    `${verb}_${noun}s`,
    `${verb}_${noun}_v2`,
    `re${verb}_${noun}`,
    ...NOUNS.filter((other) => other !== noun).map((other) => `${verb}_${noun}_${other}`),
    `${noun}_${verb}`,
  ]),
).map((name) => ({ name, description: 'Search code, query the graph, list files and symbols' }))
const tools = [
  ...lookAlikes,
  ...VERBS.map((name) => ({ name, description: 'Search, list or trace' })),
]
const toolSearch = createToolSearch({ tools })

const capitalise = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
const asOneWord: ((parts: readonly string[]) => string)[] = [
  (parts) => parts.join('_'),
  (parts) => parts.join('-'),
  (parts) => parts.join('.'),
  (parts) => parts.join('__'),
  (parts) => parts.join('_').toUpperCase(),
  (parts) => parts.map(capitalise).join('-'),
  (parts) => parts.map(capitalise).join(''),
  (parts) => parts.map((part, at) => (at > 0 ? capitalise(part) : part)).join(''),
]
const someName = fc.constantFrom(...lookAlikes.map(({ name }) => name))
const spelled = fc
  .record({ name: someName, spell: fc.constantFrom(...asOneWord) })
  .map(({ name, spell }) => ({ name, text: spell(splitIdentifier(name)) }))
const around = fc.array(
  fc.constantFrom(
    'please',
    'use',
    'the',
    'to',
    'find',
    'callers',
    'of',
    'main',
    '—',
    '天气',
    '+',
    '"',
  ),
)
const wrap = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => `\`${text}\``,
  (text) => `"${text}",`,
  (text) => `**${text}**:`,
  (text) => `${text}(path)`,
  (text) => `tools.${text}({ path: "main" })`,
  (text) => `{"name":"${text}","arguments":{}}`,
  (text) => `\n- ${text}\n`,
  (text) => `使用${text}查找`,
)

describe('a name in any spelling among hundreds of look-alikes', () => {
  it('is found first, and no shorter or similar name with it', async () => {
    await checkProperty(
      fc.property(around, spelled, wrap, around, (before, { name, text }, wrapped, after) => {
        const query = [...before, wrapped(text), ...after].join(' ')
        const outcome = toolSearch.search(query)
        expect(names(outcome)[0]).toBe(name)
        expect(named(outcome)).toEqual([name])
      }),
    )
  })

  it('is found when its parts are separate words', async () => {
    await checkProperty(
      fc.property(someName, fc.boolean(), fc.boolean(), (name, isUpper, isAlone) => {
        const parts = splitIdentifier(name)
        const words = (isUpper ? parts.map(capitalise) : parts).join(' ')
        expect(
          names(toolSearch.search(isAlone ? words : `please use ${words} for main`)),
        ).toContain(name)
      }),
    )
  })

  it('is found first when its parts are the whole query, unless it differs only in the plural', () => {
    for (const { name } of lookAlikes.filter(({ name }) => !name.endsWith('s'))) {
      expect(names(toolSearch.search(name.replaceAll('_', ' ')))[0]).toBe(name)
    }
  })

  it('is found with all other names, in the order of the query; the rest is omitted', async () => {
    const list = fc.uniqueArray(spelled, {
      minLength: 2,
      maxLength: 9,
      selector: ({ name }) => name,
    })
    const join = fc.constantFrom<(texts: readonly string[]) => string>(
      (texts) => texts.join(' '),
      (texts) => texts.join(','),
      (texts) => `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`,
      (texts) => JSON.stringify(texts),
      (texts) => texts.map((text) => `\n* \`${text}\``).join(''),
    )
    await checkProperty(
      fc.property(list, join, (wanted, joined) => {
        const outcome = toolSearch.search(joined(wanted.map(({ text }) => text)))
        const inOrder = wanted.map(({ name }) => name)
        expect(names(outcome).slice(0, inOrder.length)).toEqual(inOrder.slice(0, 5))
        expect(outcome.omitted).toEqual({
          count: Math.max(0, inOrder.length - 5),
          names: inOrder.slice(5),
        })
      }),
    )
  })
})

describe('a name that is part of another name', () => {
  it.each([
    ['use search_code_graph now', ['search_code_graph']],
    ['use searchCodeGraph now', ['search_code_graph']],
    ['use SEARCH_CODE now', ['search_code']],
    ['use search_code_graphs now', []],
    ['use my_search_code now', []],
    ['use `search` now', ['search']],
    ['search()', ['search']],
  ])('is not named by %j', (query, expected) => {
    expect(named(toolSearch.search(query))).toEqual(expected)
  })
})

describe('exact spelling', () => {
  const similar = createToolSearch({
    tools: ['get_Item', 'getItem', 'get_item'].map((name) => ({ name })),
  })

  it('beats other spellings', () => {
    expect(named(similar.search('call getItem with 7'))).toEqual(['getItem'])
    expect(names(similar.search('get_item'))).toEqual(['get_item'])
  })

  it('is not needed: all tools that differ only in spelling are found', () => {
    expect(names(similar.search('GET-ITEM'))).toEqual(['get_Item', 'getItem', 'get_item'])
  })
})

describe('a name that several servers have', () => {
  const servers = createToolSearch()
  for (const server of ['tracker', 'github', 'code-hub']) {
    servers.catalogue.add([
      { name: `mcp__${server}__create_issue`, description: 'Open a ticket' },
      { name: `mcp__${server}__search`, description: 'Find tickets' },
    ])
  }
  servers.catalogue.sync('mcp:mail', [{ name: 'send_message', description: 'Send a message' }])

  it('finds all of them in catalogue order', () => {
    const all = ['tracker', 'github', 'code-hub'].map((server) => `mcp__${server}__create_issue`)
    expect(names(servers.search('create_issue'))).toEqual(all)
    expect(named(servers.search('please call createIssue for this bug'))).toEqual(all)
  })

  it('gives each name of a query a place before the second tool of a name', () => {
    const outcome = servers.search('create_issue, sendMessage', { limit: 2 })
    expect(names(outcome)).toEqual(['mcp__tracker__create_issue', 'send_message'])
    expect(outcome.omitted.count).toBe(2)
  })

  it.each([
    'github create_issue',
    'create_issue on GitHub',
    'file a bug with create_issue (github)',
  ])('puts the tool of a named server first: %j', (query) => {
    expect(named(servers.search(query))[0]).toBe('mcp__github__create_issue')
  })

  it('recognises a server of two words', () => {
    expect(named(servers.search('create_issue in Code Hub'))[0]).toBe('mcp__code-hub__create_issue')
  })

  it.each([
    'github.create_issue',
    'github/create_issue',
    'github:create_issue',
    'github__create_issue',
    'github_create_issue',
    'githubCreateIssue',
    'GITHUB_CREATE_ISSUE',
    'MCP__GitHub__CREATE_ISSUE',
    'mcp_github_create_issue',
    '`github.createIssue()`',
  ])('finds only the tool of the server in front of it: %j', (query) => {
    expect(names(servers.search(query))).toEqual(['mcp__github__create_issue'])
  })

  it('recognises a server in front of an ordinary word', () => {
    expect(named(servers.search('call github.search for open bugs'))).toEqual([
      'mcp__github__search',
    ])
  })

  it.each(['mail.send_message', 'mcp__mail__send_message', 'mailSendMessage'])(
    'recognises the server of a tool that does not have it in its name: %j',
    (query) => {
      expect(names(servers.search(query))).toEqual(['send_message'])
    },
  )

  it('leaves the choice to the ranking if many servers have a tool named by ordinary words', () => {
    const many = createToolSearch({
      tools: Array.from({ length: 30 }, (_, at) => ({
        name: `mcp__server${at}__create_issue`,
        description: at === 20 ? 'Opens a bug in the kitchen tracker' : 'Opens a bug',
      })),
    })
    expect(names(many.search('create issue in the kitchen tracker'))[0]).toBe(
      'mcp__server20__create_issue',
    )
    expect(many.search('call `create_issue` now').omitted.count).toBe(15)
  })
})

describe('ordinary words', () => {
  const booking = createToolSearch({
    tools: ['check_in', 'set_up', 'e-mail', 'list_rooms'].map((name) => ({ name })),
  })

  it.each(['what is the check-in time of the hotel', 'please set up the room for me tomorrow'])(
    'do not name a tool in %j',
    (query) => {
      expect(named(booking.search(query))).toEqual([])
    },
  )

  it('name a tool when they are marked as code', () => {
    expect(named(booking.search('then `check-in` the guest at the hotel'))).toEqual(['check_in'])
  })
})

describe('names and the tools that a caller sees', () => {
  it('follow the catalogue', () => {
    const { catalogue, search } = createToolSearch({ tools: lookAlikes })
    expect(named(search('use deployApp for main'))).toEqual([])
    catalogue.add({ name: 'deploy_app' })
    catalogue.add({ name: 'deploy_app', description: 'Replaced' }, { duplicates: 'replace' })
    expect(named(search('use deployApp for main'))).toEqual(['deploy_app'])
    catalogue.remove('deploy_app')
    expect(named(search('use deployApp for main'))).toEqual([])
  })

  it('include the own tools of a conversation, which replace shared ones', async () => {
    const shared = createToolSearch({ tools: [...lookAlikes, { name: 'deploy_app' }] })
    const session = await shared.session('a', {
      tools: [{ name: 'deploy_app', description: 'Own' }, { name: 'mcp__ops__roll_back' }],
    })
    const { outcome } = await session.search({ query: 'deployApp ROLL_BACK' })
    expect(outcome.hits.map(({ tool }) => [tool.name, tool.description])).toEqual([
      ['deploy_app', 'Own'],
      ['mcp__ops__roll_back', ''],
    ])
    expect(named(shared.search('use ROLL_BACK for main'))).toEqual([])
  })

  it('never include a tool that the caller may not use', async () => {
    const visible = lookAlikes.map(({ name }) => name).filter((name) => name !== 'search_code')
    const session = await toolSearch.session('limited', { visible })
    const { outcome, answer } = await session.search({ query: 'use searchCode or SEARCH-CODE' })
    expect(named(outcome)).toEqual([])
    expect(outcome.omitted.count).toBe(0)
    expect(JSON.stringify({ ...(answer.data as object), query: '' })).not.toContain('"search_code"')
  })

  it('count as required words', () => {
    expect(names(toolSearch.search('+searchCode +LIST_FILE callers'))).toEqual([
      'search_code',
      'list_file',
    ])
  })
})
