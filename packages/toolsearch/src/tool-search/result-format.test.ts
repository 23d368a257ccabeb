import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { readDefinition } from '../catalogue/read-definition.ts'
import { estimateTokens } from '../tokens/estimate-tokens.ts'
import { context, noHits } from './result-format.fixtures.ts'
import { resultFormat } from './result-format.ts'
import type { HitStatus, SearchHit } from './search-outcome.ts'

function hit(name: string, status: HitStatus = 'loaded', description = `About ${name}`): SearchHit {
  const inputSchema = {
    type: 'object',
    properties: { path: { type: 'string' }, limit: { type: 'integer' } },
    required: ['path'],
  }
  return { tool: readDefinition({ name, description, inputSchema }), status, score: 1 }
}

const some = { ...context, visible: () => [readDefinition({ name: 'git_log' })] }

describe('resultFormat', () => {
  it('contains a signature of each loaded tool by default', () => {
    const answer = resultFormat()({ ...noHits, hits: [hit('git_log')] }, context)
    expect(answer).toEqual({
      isError: false,
      data: {
        query: 'git',
        loaded: [
          {
            name: 'git_log',
            description: 'About git_log',
            arguments: '{path: string, limit?: integer}',
          },
        ],
        message: '1 tool loaded. You can call it now.',
      },
      text: expect.any(String),
    })
    expect(JSON.parse(answer.text)).toEqual(answer.data)
  })

  it('contains full schemas with detail: schemas', () => {
    const found = hit('git_log')
    const answer = resultFormat({ detail: 'schemas' })({ ...noHits, hits: [found] }, context)
    expect(answer.data).toMatchObject({
      loaded: [
        {
          name: 'git_log',
          description: 'About git_log',
          inputSchema: found.tool.inputSchema,
        },
      ],
    })
  })

  it('contains only names with detail: names', () => {
    const hits = [hit('git_log'), hit('git_diff')]
    const answer = resultFormat({ detail: 'names' })({ ...noHits, hits }, context)
    expect(answer.data).toEqual({
      query: 'git',
      loaded: ['git_log', 'git_diff'],
      message: '2 tools loaded. You can call them now.',
    })
  })

  it('contains no metadata or search hints', () => {
    const tool = readDefinition({ name: 'a', metadata: { key: 'secret' }, searchHint: 'secret' })
    const hits: SearchHit[] = [{ tool, status: 'loaded' }]
    for (const detail of ['schemas', 'signatures', 'names'] as const) {
      expect(resultFormat({ detail })({ ...noHits, hits }, context).text).not.toContain('secret')
    }
  })

  it('lists already loaded and always available tools without their schemas', () => {
    const hits = [hit('git_log', 'already-loaded'), hit('shell', 'always-on'), hit('git_diff')]
    const answer = resultFormat({ detail: 'schemas' })({ ...noHits, hits }, context)
    expect(answer.data).toMatchObject({
      loaded: [{ name: 'git_diff' }],
      already_loaded: ['git_log'],
      always_available: ['shell'],
      message: '1 tool loaded. You can call it now.',
    })
    expect(answer.text.match(/inputSchema/g)).toHaveLength(1)
  })

  it('says so if all hits are already available', () => {
    const hits = [hit('git_log', 'already-loaded')]
    expect(resultFormat()({ ...noHits, hits }, context).data).toEqual({
      query: 'git',
      already_loaded: ['git_log'],
      message: 'You already have this tool. Call it directly.',
    })
    const two = [...hits, hit('git_diff', 'always-on')]
    expect(resultFormat()({ ...noHits, hits: two }, context).data).toMatchObject({
      message: 'You already have these tools. Call them directly.',
    })
  })

  it('describes the hits of a session that loads nothing', () => {
    const hits = [hit('git_log', 'found')]
    const { data } = resultFormat({ detail: 'names' })({ ...noHits, hits }, context)
    expect(data).toMatchObject({
      loaded: ['git_log'],
      message: '1 tool found. You can call it now.',
    })
  })

  const doubtful = { ...noHits, confidence: 'low' } as const

  it('lists candidates with the first sentence of their descriptions, and says how to go on', () => {
    const description = `Show the ${'very '.repeat(30)}long history. With dates.`
    const candidates = [
      { tool: readDefinition({ name: 'git_log', description }), status: 'candidate' } as const,
      { tool: readDefinition({ name: 'git_blame' }), status: 'candidate' } as const,
    ]
    const outcome = { ...doubtful, candidates, suggestion: 'commit history' }
    const { data, isError } = resultFormat()(outcome, some)
    expect(isError).toBe(false)
    expect(data).toEqual({
      query: 'git',
      confidence: 'low',
      candidates: [
        { name: 'git_log', summary: `Show the ${'very '.repeat(18)}…`.replace(' …', '…') },
        { name: 'git_blame' },
      ],
      message:
        'No sure match. The candidates are only the nearest tools, and none of them is loaded. To ' +
        'use one, call tool_search with "select:git_log" first. If none fits, search again with a ' +
        'few other words, in the language of the tools, for example "commit history".',
    })
  })

  it('marks candidates that the model already has', () => {
    const candidates = [hit('git_log', 'always-on'), hit('git_blame', 'candidate')]
    const format = resultFormat({ annotate: () => ({ effect: 'read' }) })
    const { data } = format({ ...doubtful, candidates }, some)
    expect(data).toMatchObject({
      candidates: [
        { name: 'git_log', available: true, effect: 'read' },
        { name: 'git_blame', effect: 'read' },
      ],
      message:
        'No sure match. The candidates are only the nearest tools. To use one, call tool_search ' +
        'with "select:git_blame" first. If none fits, search again with a few other words, in the ' +
        'language of the tools.',
    })
    expect(data).toHaveProperty('candidates.1', expect.not.objectContaining({ available: true }))
    const known = resultFormat()({ ...doubtful, candidates: [hit('git_log', 'always-on')] }, some)
    expect(known.text).not.toContain('select:')
  })

  it('says that loaded hits are doubtful', () => {
    const { data } = resultFormat()({ ...doubtful, hits: [hit('git_log')] }, some)
    expect(data).toMatchObject({ message: 'No sure match. 1 tool loaded. You can call it now.' })
  })

  it('says what kinds of tools there are if nothing matches and there are many', () => {
    const visible = Array.from({ length: 30 }, (_, at) =>
      readDefinition({ name: `tool_${at}`, source: at < 20 ? 'mcp:git' : 'mcp:mail' }),
    )
    const many = { ...context, visible: () => visible }
    expect(resultFormat()(noHits, many).data).toEqual({
      query: 'git',
      kinds: { git: 20, mail: 10 },
      message:
        'No matching tools. kinds says what tools there are, and how many. To find one, search again ' +
        'with a few other words, in the language of the tools.',
    })
    expect(resultFormat({ overview: 'names' })(noHits, many).data).toMatchObject({
      some_tools: visible.slice(0, 20).map(({ name }) => name),
      message: 'No matching tools. Try tool_search again with different words.',
    })
  })

  it.each(['connecting', 'failed', 'needs-sign-in'] as const)(
    'says that no tools are connected yet if the only server is %s',
    (state) => {
      const notReady = [{ source: 'mcp:hub', state } as const]
      const { data } = resultFormat()({ ...noHits, notReady }, context)
      expect(data).toMatchObject({
        not_ready: [{ server: 'hub', state }],
        message:
          'No tools are available, so there is nothing to find. The servers in not_ready are not ' +
          'connected: tools of theirs may be missing here and become available later.',
      })
    },
  )

  it('suggests similar names if there are no hits', () => {
    const answer = resultFormat()({ ...noHits, closest: ['git_log'] }, some)
    expect(answer).toMatchObject({
      isError: false,
      data: {
        query: 'git',
        close: ['git_log'],
        message: 'No matching tools. Try tool_search again with different words.',
      },
    })
  })

  it('lists some visible tools if there are neither hits nor similar names', () => {
    const visible = Array.from({ length: 30 }, (_, index) => readDefinition({ name: `t${index}` }))
    const withTools = { ...context, visible: () => visible }
    expect(resultFormat()(noHits, withTools).data).toMatchObject({
      some_tools: visible.slice(0, 20).map(({ name }) => name),
    })
    const missing = [{ name: 'a', closest: [] }]
    const candidates = [hit('git_log', 'candidate')]
    const others = [
      { closest: ['git_log'] },
      { hits: [hit('git_log')] },
      { missing },
      { candidates },
    ]
    for (const more of others) {
      expect(resultFormat()({ ...noHits, ...more }, withTools).data).not.toHaveProperty(
        'some_tools',
      )
    }
  })

  it('mentions the search tool by its configured name', () => {
    const answer = resultFormat()(noHits, { ...some, searchToolName: 'FindTools' })
    expect(answer.text).toContain('FindTools')
    expect(answer.text).not.toContain('tool_search')
  })

  it('lists the missing names of a select query with similar names', () => {
    const missing = [
      { name: 'git_lgo', closest: ['git_log'] },
      { name: 'zzz', closest: [] },
    ]
    const answer = resultFormat()({ ...noHits, form: 'select', missing }, context)
    expect(answer.data).toEqual({
      query: 'git',
      missing: [{ name: 'git_lgo', closest: ['git_log'] }, { name: 'zzz' }],
      message: '2 names not found.',
    })
  })

  it.each([
    ['select', '3 names ignored: too many names in one select. Search for the rest separately.'],
    ['prefix', '3 more tools match. Use a longer prefix or ask for more results.'],
    ['browse', '3 more tools not listed. Describe what you need.'],
    [
      'words',
      '3 named tools left out because of the limit or a required word. Search for the rest separately.',
    ],
  ] as const)('names what a %s query asks for but did not get', (form, sentence) => {
    const omitted = { count: 3, names: ['b', 'c'] }
    const answer = resultFormat()({ ...noHits, form, hits: [hit('a')], omitted }, context)
    expect(answer.data).toMatchObject({
      omitted: ['b', 'c'],
      message: `1 tool loaded. You can call it now. ${sentence}`,
    })
  })

  it('names at most 20 omitted tools and counts all of them', () => {
    const names = Array.from({ length: 30 }, (_, index) => `t${index}`)
    const omitted = { count: 30, names }
    const { data } = resultFormat()({ ...noHits, form: 'select', omitted }, context)
    expect(data).toMatchObject({
      omitted: names.slice(0, 20),
      message: expect.stringContaining('30 names ignored'),
    })
  })

  it('lists the servers that could not be searched and why', () => {
    const answer = resultFormat()(
      {
        ...noHits,
        notReady: [
          { source: 'mcp:hub', state: 'connecting' },
          { source: 'mcp:mail', state: 'needs-sign-in', detail: 'open https://example.com/login' },
          { source: 'mcp:wiki', state: 'failed', detail: 'exit code 1' },
        ],
      },
      context,
    )
    expect(answer.data).toMatchObject({
      not_ready: [
        { server: 'hub', state: 'connecting' },
        { server: 'mail', state: 'needs-sign-in', detail: 'open https://example.com/login' },
        { server: 'wiki', state: 'failed', detail: 'exit code 1' },
      ],
      message: expect.stringContaining('are not connected'),
    })
  })

  it('omits the detail of a server that has none', () => {
    const notReady = [{ source: 'mcp:hub', state: 'connecting' }] as const
    const { data } = resultFormat()({ ...noHits, hits: [hit('a')], notReady }, context)
    expect(data).toHaveProperty('not_ready', [{ server: 'hub', state: 'connecting' }])
    expect(data).toHaveProperty('message', expect.stringContaining('are not connected'))
  })

  it.each([
    [1, 'You already ran this search once, and nothing has changed since.'],
    [3, 'You already ran this search 3 times, and nothing has changed since.'],
  ])('tells the model that it repeats a search (%i)', (repeats, sentence) => {
    const hits = [hit('git_log', 'already-loaded')]
    const { data } = resultFormat()({ ...noHits, hits, repeats }, context)
    expect(data).toMatchObject({ message: expect.stringContaining(sentence) })
  })

  it('returns an error when the search was refused', () => {
    const problem = { code: 'blank_query', message: 'Enter a query.' } as const
    expect(resultFormat()({ ...noHits, query: ' ', problem }, context)).toEqual({
      isError: true,
      data: { query: ' ', error: 'Enter a query.' },
      text: '{"query":" ","error":"Enter a query."}',
    })
  })

  it('returns identical bytes for identical outcomes', () => {
    const outcome = { ...noHits, hits: [hit('a'), hit('b', 'already-loaded')], closest: ['c'] }
    const format = resultFormat({ detail: 'schemas' })
    expect(format(outcome, context).text).toBe(format(structuredClone(outcome), context).text)
  })
})

describe('resultFormat: token budget', () => {
  const hits = Array.from({ length: 10 }, (_, index) =>
    hit(`tool_${index}`, 'loaded', `Performs operation number ${index} on the given file.`),
  )

  it('shortens the lowest-ranked tools first', () => {
    const format = resultFormat({ detail: 'schemas', budget: 1_500 })
    const characters = { ...context, countTokens: (text: string) => text.length }
    const { loaded } = format({ ...noHits, hits }, characters).data as { loaded: unknown[] }
    const levels = loaded.map((entry) => {
      if (typeof entry === 'string') return 2
      return Object.hasOwn(entry as object, 'inputSchema') ? 0 : 1
    })
    expect(levels).toHaveLength(10)
    expect(levels[0]).toBe(0)
    expect(levels[9]).toBeGreaterThan(0)
    expect(levels).toEqual(levels.toSorted())
    const spent = loaded.reduce<number>((sum, entry) => sum + JSON.stringify(entry).length, 0)
    expect(spent).toBeLessThanOrEqual(1_500)
    expect(spent).toBeGreaterThan(1_200)
  })

  it('keeps the name of every loaded tool even with a budget of 0', () => {
    for (const detail of ['schemas', 'signatures'] as const) {
      const answer = resultFormat({ detail, budget: 0 })({ ...noHits, hits }, context)
      expect(answer.data).toEqual({
        query: 'git',
        loaded: hits.map(({ tool }) => tool.name),
        message:
          '10 tools loaded. You can call them now. Details of 10 tools omitted to save tokens.',
      })
    }
  })

  it('says how many tools are shortened', () => {
    const format = resultFormat({ detail: 'schemas', budget: 1_500 })
    const characters = { ...context, countTokens: (text: string) => text.length }
    const { loaded, message } = format({ ...noHits, hits }, characters).data as {
      loaded: unknown[]
      message: string
    }
    const shortened = loaded.filter((entry) => !Object.hasOwn(Object(entry), 'inputSchema')).length
    expect(message).toContain(`Details of ${shortened} tools omitted to save tokens.`)
  })

  it('shortens a single tool only if it exceeds the budget', () => {
    const one = hits.slice(0, 1)
    const { name, description, inputSchema } = one[0]!.tool
    const characters = { ...context, countTokens: (text: string) => text.length }
    const budget = JSON.stringify({ name, description, inputSchema }).length
    const enough = resultFormat({ detail: 'schemas', budget })
    expect(enough({ ...noHits, hits: one }, characters).text).not.toContain(
      'omitted to save tokens',
    )
    const scarce = resultFormat({ detail: 'schemas', budget: budget - 1 })
    expect(scarce({ ...noHits, hits: one }, characters).text).toContain('Details of 1 tool omitted')
  })

  it('does not shorten names', () => {
    const format = resultFormat({ detail: 'names', budget: 0 })
    expect(format({ ...noHits, hits }, context).data).toMatchObject({
      loaded: hits.map(({ tool }) => tool.name),
      message: '10 tools loaded. You can call them now.',
    })
  })

  it('does not change a result that fits the budget', () => {
    const wide = resultFormat({ detail: 'schemas', budget: 1e9 })({ ...noHits, hits }, context)
    const usual = resultFormat({ detail: 'schemas' })({ ...noHits, hits }, context)
    expect(usual.text).toBe(wide.text)
    expect(usual.text).not.toContain('omitted to save tokens')
  })

  it('has a default budget of 8,000 tokens', () => {
    const long = Array.from({ length: 25 }, (_, index) =>
      hit(`tool_${index}`, 'loaded', `word${index} `.repeat(400)),
    )
    const answer = resultFormat({ detail: 'schemas' })(
      { ...noHits, hits: long },
      {
        ...context,
        countTokens,
      },
    )
    const tokens = countTokens(answer.text)
    expect(tokens).toBeGreaterThan(5_000)
    expect(tokens).toBeLessThan(8_200)
  })

  it('counts with the given tokenizer', () => {
    const expensive = { ...context, countTokens: (text: string) => 10_000 * text.length }
    expect(resultFormat()({ ...noHits, hits }, expensive).data).toMatchObject({
      message: expect.stringContaining('Details of 10 tools omitted'),
    })
  })

  it('marks where it cut a long query', () => {
    const { data } = resultFormat()({ ...noHits, query: 'find me something '.repeat(100) }, context)
    const { query } = data as { query: string }
    expect(query).toHaveLength(300)
    expect(query).toMatch(/…$/)
  })

  it('stays within the budget even if the query is longer than that', () => {
    const query = 'find me something '.repeat(10_000)
    const answer = resultFormat()({ ...noHits, query, hits }, context)
    expect(estimateTokens(answer.text)).toBeLessThan(8_200)
  })
})

describe('resultFormat: parameters', () => {
  const names = ['alpha', 'bravo', 'charlie', 'delta', 'echo']
  const described = (properties: object, description: string) => (name: string) => ({
    tool: readDefinition({ name, description, inputSchema: { type: 'object', properties } }),
    status: 'loaded' as const,
  })
  const format = (options: object, hits: SearchHit[]) =>
    resultFormat({ detail: 'parameters', ...options })({ ...noHits, hits }, context).data as {
      loaded: Record<string, string>[]
      message: string
    }

  it('contains every parameter in one line', () => {
    const to = { type: 'string', format: 'email', description: 'Who gets the letter' }
    const { loaded, message } = format({}, [described({ to }, 'Sends a letter.')('send')])
    expect(loaded).toEqual([
      {
        name: 'send',
        description: 'Sends a letter.',
        arguments: '{to?: string(email) /* Who gets the letter */}',
      },
    ])
    expect(message).toBe('1 tool loaded. You can call it now.')
  })

  it('shortens the descriptions of all tools before it leaves out the parameters of one', () => {
    const description = 'Explains where the value comes from and how it is used later on. '.repeat(
      4,
    )
    const properties = { a: { type: 'string', description }, b: { enum: ['x', 'y'] } }
    const hits = names.map(described(properties, description))
    const full = format({ budget: 10_000 }, hits)
    const tight = format({ budget: 250 }, hits)
    const tokens = (entries: object[]) =>
      estimateTokens(entries.map((each) => JSON.stringify(each)).join())
    expect(tokens(full.loaded)).toBeGreaterThan(400)
    expect(tokens(tight.loaded)).toBeLessThan(260)
    expect(new Set(tight.loaded.map((entry) => entry.arguments))).toEqual(
      new Set(["{a?: string, b?: 'x'|'y'}"]),
    )
    expect(tight.message).not.toContain('omitted')
  })

  it('leaves out the parameters of the lowest-ranked tools last, and says where they are', () => {
    const properties = { a: { enum: Array.from({ length: 40 }, (_, at) => `value ${at}`) } }
    const hits = names.map(described(properties, 'Chooses a value.'))
    const { loaded, message } = format({ budget: 600, describeWith: 'describe_tools' }, hits)
    expect(loaded.at(0)).toHaveProperty('arguments')
    expect(loaded.at(-1)).toEqual({
      name: 'echo',
      description: 'Chooses a value',
      schema: 'call describe_tools',
    })
    const without = loaded.filter((entry) => entry.arguments === undefined)
    expect(message).toContain(
      `Details of ${without.length} tools omitted to save tokens: call describe_tools to get them.`,
    )
  })

  it('refers to the definition of a tool whose schema cannot be written in one line', () => {
    const inputSchema = { type: 'object', not: { required: ['a'] } }
    const tool = readDefinition({ name: 'odd', description: 'Odd.', inputSchema })
    const { loaded } = format({ describeWith: 'describe_tools' }, [{ tool, status: 'loaded' }])
    expect(loaded).toEqual([{ name: 'odd', description: 'Odd', schema: 'call describe_tools' }])
  })
})
