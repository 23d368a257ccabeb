import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { readDefinition } from '../catalogue/read-definition.ts'
import { estimateTokens } from '../tokens/estimate-tokens.ts'
import { resultFormat } from './result-format.ts'
import type { ResultContext } from './search-answer.ts'
import type { HitStatus, SearchHit, SearchOutcome } from './search-outcome.ts'

const context: ResultContext = {
  visible: () => [],
  searchToolName: 'tool_search',
  countTokens: estimateTokens,
}

/** A search that found nothing. */
const nothing: SearchOutcome = {
  query: 'git',
  form: 'words',
  hits: [],
  missing: [],
  capped: 0,
  closest: [],
  abstained: false,
  notReady: [],
  deferrable: 10,
  remaining: 10,
  repeats: 0,
}

function hit(name: string, status: HitStatus = 'loaded', description = `About ${name}`): SearchHit {
  const inputSchema = {
    type: 'object',
    properties: { path: { type: 'string' }, limit: { type: 'integer' } },
    required: ['path'],
  }
  return { tool: readDefinition({ name, description, inputSchema }), status, score: 1 }
}

describe('resultFormat', () => {
  it('tells a signature of each tool that was loaded, unless told otherwise', () => {
    const answer = resultFormat()({ ...nothing, hits: [hit('git_log')] }, context)
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
        message: '1 tool loaded: call what you need.',
      },
      text: expect.any(String),
    })
    expect(JSON.parse(answer.text)).toEqual(answer.data)
  })

  it('tells whole schemas', () => {
    const found = hit('git_log')
    const answer = resultFormat({ detail: 'schemas' })({ ...nothing, hits: [found] }, context)
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

  it('tells only names', () => {
    const hits = [hit('git_log'), hit('git_diff')]
    const answer = resultFormat({ detail: 'names' })({ ...nothing, hits }, context)
    expect(answer.data).toEqual({
      query: 'git',
      loaded: ['git_log', 'git_diff'],
      message: '2 tools loaded: call what you need.',
    })
  })

  it('tells nothing that a request does not carry', () => {
    const tool = readDefinition({ name: 'a', metadata: { key: 'secret' }, searchHint: 'secret' })
    const hits: SearchHit[] = [{ tool, status: 'loaded' }]
    for (const detail of ['schemas', 'signatures', 'names'] as const) {
      expect(resultFormat({ detail })({ ...nothing, hits }, context).text).not.toContain('secret')
    }
  })

  it('says what was loaded already and what is always there, and repeats no schema of it', () => {
    const hits = [hit('git_log', 'already-loaded'), hit('shell', 'always-on'), hit('git_diff')]
    const answer = resultFormat({ detail: 'schemas' })({ ...nothing, hits }, context)
    expect(answer.data).toMatchObject({
      loaded: [{ name: 'git_diff' }],
      already_loaded: ['git_log'],
      always_available: ['shell'],
      message: '1 tool loaded: call what you need.',
    })
    expect(answer.text.match(/inputSchema/g)).toHaveLength(1)
  })

  it('says so when everything was there already', () => {
    const hits = [hit('git_log', 'already-loaded')]
    expect(resultFormat()({ ...nothing, hits }, context).data).toEqual({
      query: 'git',
      already_loaded: ['git_log'],
      message: 'You have these tools already: call them.',
    })
  })

  it('gives what was found where nothing is loaded', () => {
    const hits = [hit('git_log', 'found')]
    const { data } = resultFormat({ detail: 'names' })({ ...nothing, hits }, context)
    expect(data).toMatchObject({ loaded: ['git_log'] })
  })

  it('names close tools when nothing was found', () => {
    const answer = resultFormat()({ ...nothing, closest: ['git_log'] }, context)
    expect(answer).toMatchObject({
      isError: false,
      data: {
        query: 'git',
        close: ['git_log'],
        message: 'No tool fits. Try tool_search with other words for the same thing.',
      },
    })
  })

  it('names some tools the caller may see when not even a close one is known', () => {
    const visible = Array.from({ length: 30 }, (_, index) => readDefinition({ name: `t${index}` }))
    const seeing = { ...context, visible: () => visible }
    expect(resultFormat()(nothing, seeing).data).toMatchObject({
      some_tools: visible.slice(0, 20).map(({ name }) => name),
    })
    const missing = [{ name: 'a', closest: [] }]
    for (const more of [{ closest: ['git_log'] }, { hits: [hit('git_log')] }, { missing }]) {
      expect(resultFormat()({ ...nothing, ...more }, seeing).data).not.toHaveProperty('some_tools')
    }
  })

  it('calls the search tool by its name', () => {
    const answer = resultFormat()(nothing, { ...context, searchToolName: 'FindTools' })
    expect(answer.text).toContain('FindTools')
    expect(answer.text).not.toContain('tool_search')
  })

  it('names what a select did not find, with what comes close', () => {
    const missing = [
      { name: 'git_lgo', closest: ['git_log'] },
      { name: 'zzz', closest: [] },
    ]
    const answer = resultFormat()({ ...nothing, form: 'select', missing }, context)
    expect(answer.data).toEqual({
      query: 'git',
      missing: [{ name: 'git_lgo', closest: ['git_log'] }, { name: 'zzz' }],
      message: '2 names not found.',
    })
  })

  it('says how many names of a select were not looked at', () => {
    const answer = resultFormat()({ ...nothing, hits: [hit('a')], capped: 3 }, context)
    expect(answer.data).toMatchObject({
      message: '1 tool loaded: call what you need. 3 names over the limit of one select ignored.',
    })
  })

  it('names servers that could not be searched, and why', () => {
    const answer = resultFormat()(
      {
        ...nothing,
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
      message: expect.stringContaining('could not be searched'),
    })
  })

  it('says of a single server no more than is known', () => {
    const notReady = [{ source: 'mcp:hub', state: 'connecting' }] as const
    const { data } = resultFormat()({ ...nothing, hits: [hit('a')], notReady }, context)
    expect(data).toHaveProperty('not_ready', [{ server: 'hub', state: 'connecting' }])
    expect(data).toHaveProperty('message', expect.stringContaining('could not be searched'))
  })

  it.each([
    [1, 'You have made this search once before and nothing has changed since.'],
    [3, 'You have made this search 3 times before and nothing has changed since.'],
  ])('tells a model that searched the same before, %i times', (repeats, sentence) => {
    const hits = [hit('git_log', 'already-loaded')]
    const { data } = resultFormat()({ ...nothing, hits, repeats }, context)
    expect(data).toMatchObject({ message: expect.stringContaining(sentence) })
  })

  it('says why there was no search, as an error', () => {
    const problem = { code: 'blank_query', message: 'Say something.' } as const
    expect(resultFormat()({ ...nothing, query: ' ', problem }, context)).toEqual({
      isError: true,
      data: { query: ' ', error: 'Say something.' },
      text: '{"query":" ","error":"Say something."}',
    })
  })

  it('gives the same bytes for the same outcome', () => {
    const outcome = { ...nothing, hits: [hit('a'), hit('b', 'already-loaded')], closest: ['c'] }
    const format = resultFormat({ detail: 'schemas' })
    expect(format(outcome, context).text).toBe(format(structuredClone(outcome), context).text)
  })
})

describe('resultFormat within a budget', () => {
  const hits = Array.from({ length: 10 }, (_, index) =>
    hit(`tool_${index}`, 'loaded', `Does the thing number ${index}, and that rather well.`),
  )

  it('tells the last tools in fewer words first', () => {
    const format = resultFormat({ detail: 'schemas', budget: 1_500 })
    const characters = { ...context, countTokens: (text: string) => text.length }
    const { loaded } = format({ ...nothing, hits }, characters).data as { loaded: unknown[] }
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

  it('names every tool it loaded, even without any room, and says of how many it tells less', () => {
    for (const detail of ['schemas', 'signatures'] as const) {
      const answer = resultFormat({ detail, budget: 0 })({ ...nothing, hits }, context)
      expect(answer.data).toEqual({
        query: 'git',
        loaded: hits.map(({ tool }) => tool.name),
        message: '10 tools loaded: call what you need. Less is shown of 10 tools to save room.',
      })
    }
  })

  it('says of how many tools it tells less', () => {
    const format = resultFormat({ detail: 'schemas', budget: 1_500 })
    const characters = { ...context, countTokens: (text: string) => text.length }
    const { loaded, message } = format({ ...nothing, hits }, characters).data as {
      loaded: unknown[]
      message: string
    }
    const less = loaded.filter((entry) => !Object.hasOwn(Object(entry), 'inputSchema')).length
    expect(message).toContain(`Less is shown of ${less} tools to save room.`)
  })

  it('tells less of a single tool, and only when it must', () => {
    const one = hits.slice(0, 1)
    const { name, description, inputSchema } = one[0]!.tool
    const characters = { ...context, countTokens: (text: string) => text.length }
    const budget = JSON.stringify({ name, description, inputSchema }).length
    const enough = resultFormat({ detail: 'schemas', budget })
    expect(enough({ ...nothing, hits: one }, characters).text).not.toContain('Less is shown')
    const scarce = resultFormat({ detail: 'schemas', budget: budget - 1 })
    expect(scarce({ ...nothing, hits: one }, characters).text).toContain('Less is shown of 1 tool ')
  })

  it('has nothing to take from names', () => {
    const format = resultFormat({ detail: 'names', budget: 0 })
    expect(format({ ...nothing, hits }, context).data).toMatchObject({
      loaded: hits.map(({ tool }) => tool.name),
      message: '10 tools loaded: call what you need.',
    })
  })

  it('leaves a result alone that fits', () => {
    const wide = resultFormat({ detail: 'schemas', budget: 1e9 })({ ...nothing, hits }, context)
    const usual = resultFormat({ detail: 'schemas' })({ ...nothing, hits }, context)
    expect(usual.text).toBe(wide.text)
    expect(usual.text).not.toContain('Less is shown')
  })

  it('has a budget of 8,000 tokens unless told otherwise', () => {
    const long = Array.from({ length: 25 }, (_, index) =>
      hit(`tool_${index}`, 'loaded', `word${index} `.repeat(400)),
    )
    const answer = resultFormat({ detail: 'schemas' })(
      { ...nothing, hits: long },
      {
        ...context,
        countTokens,
      },
    )
    const tokens = countTokens(answer.text)
    expect(tokens).toBeGreaterThan(5_000)
    expect(tokens).toBeLessThan(8_200)
  })

  it('counts with the tokenizer it was given', () => {
    const dear = { ...context, countTokens: (text: string) => 10_000 * text.length }
    expect(resultFormat()({ ...nothing, hits }, dear).data).toMatchObject({
      message: expect.stringContaining('Less is shown of 10 tools'),
    })
  })

  it('keeps to the budget when the query itself is longer', () => {
    const query = 'find me something '.repeat(10_000)
    const answer = resultFormat()({ ...nothing, query, hits }, context)
    expect(estimateTokens(answer.text)).toBeLessThan(8_200)
  })
})
