import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { aiSdk } from '../frameworks/ai-sdk/ai-sdk.ts'
import { aiSdkEmbedder } from '../frameworks/ai-sdk/ai-sdk-embedder.ts'
import { langchainEmbedder } from '../frameworks/langchain/langchain-embedder.ts'
import * as publicApi from '../index.ts'
import {
  createMemoryStore,
  createToolSearch,
  InvalidOptionError,
  type nexo,
  resultFormat,
  type SessionOptions,
  ToolSearchError,
  type ToolSearchOptions,
  unified,
} from '../index.ts'
import { anthropic, mcpToolset } from '../providers/anthropic/anthropic.ts'
import { gemini } from '../providers/gemini/gemini.ts'
import { openai } from '../providers/openai/openai.ts'
import { minimax, openaiCompatible } from '../providers/openai-compatible/openai-compatible.ts'
import {
  bm25Ranker,
  createRemoteVectors,
  endpointEmbedder,
  fieldedRanker,
  functionEmbedder,
  hybridRanker,
} from '../rankers.ts'
import { createFileStore } from '../stores/file-store.ts'

const tools = Array.from({ length: 20 }, (_, i) => ({ name: `t_${i}`, description: 'same words' }))

function errorOf(act: () => unknown): InvalidOptionError {
  try {
    act()
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidOptionError)
    expect(error).toMatchObject({ code: 'invalid_option' })
    return error as InvalidOptionError
  }
  return expect.fail('nothing was thrown')
}

describe('createToolSearch', () => {
  it.each<[unknown, string, string]>([
    [{ activation: { toolcount: 3 } }, 'activation.toolcount', 'Did you mean "toolCount"?'],
    [{ activation: { toolCount: Number.NaN } }, 'activation.toolCount', 'is NaN'],
    [{ activation: { definitionShare: 10 } }, 'activation.definitionShare', '(10 % is 0.1)'],
    [{ activation: 15 }, 'activation', 'activation is 15; use "auto"'],
    [{ activaton: 'always' }, 'activaton', 'Did you mean "activation"?'],
    [{ colour: 'red' }, 'colour', 'There is no option "colour". The options are activation,'],
    [{ tools: 'read_file' }, 'tools', 'use an array of tools'],
    [{ tools: null }, 'tools', 'tools is null'],
    [{ contextWindow: '200k' }, 'contextWindow', 'is "200k"; use a number, 1 or more'],
    [{ contextWindow: Number.NaN }, 'contextWindow', 'is NaN'],
    [{ store: {} }, 'store', 'store is {}; use a store, such as createMemoryStore()'],
    [{ countTokens: 4 }, 'countTokens', 'use a function'],
    [{ validate: true }, 'validate', 'use a function'],
    [{ toJsonSchema: 'zod' }, 'toJsonSchema', 'use a function'],
    [{ now: 0 }, 'now', 'use a function'],
    [{ onLoaded: 'log' }, 'onLoaded', 'use a function'],
    [{ loading: 'lazy' }, 'loading', 'use "sticky", "until-compaction" or "none"'],
    [{ ranker: fieldedRanker() }, 'ranker', 'such as () => fieldedRanker()'],
    [{ ranker: () => ({}) }, 'the result of ranker()', 'return an object with set, delete and'],
    [{ ranker: () => undefined }, 'the result of ranker()', 'is undefined'],
    [{ result: {} }, 'result', 'use a function'],
    [{ unloadedCalls: 'deny' }, 'unloadedCalls', 'use "answer" or "allow"'],
    [{ rateLimit: { calls: 5 } }, 'rateLimit.windowMs', 'is undefined; use a number'],
    [{ rateLimit: { calls: -1, windowMs: 1 } }, 'rateLimit.calls', 'whole number, 0 or more'],
    [{ deferral: { mcp: 'auto' } }, 'deferral.mcp', 'use "eager" or "deferred"'],
    [{ deferral: { alwaysOn: 'shell' } }, 'deferral.alwaysOn', 'use an array of strings'],
    [{ deferral: { sources: { 'mcp:a': 'no' } } }, 'deferral.sources.mcp:a', 'use "auto"'],
    [{ deferral: { allwaysOn: [] } }, 'deferral.allwaysOn', 'Did you mean "alwaysOn"?'],
    [{ searchTool: { name: '' } }, 'searchTool.name', 'use a non-empty string'],
    [{ searchTool: { inputSchema: {} } }, 'searchTool.inputSchema', 'A preset decides it'],
    [{ selection: { defaultLimit: 1.5 } }, 'selection.defaultLimit', 'whole number, 0 or more'],
    [{ selection: { band: 40 } }, 'selection.band', 'use a share from 0 to 1'],
    [
      { selection: { confidence: { sure: 1, doubtful: 30 } } },
      'selection.confidence.doubtful',
      'use a share from 0 to 1',
    ],
    [{ selection: { limit: 5 } }, 'selection.limit', 'There is no option "limit" in selection'],
    [
      { syntax: { select: false } },
      'syntax',
      'A preset decides it: pass { preset: { ...unified, finders } }.',
    ],
    [{ skills: true }, 'skills', 'pass { preset: { ...unified, skills } }.'],
    [
      { selection: { ties: 'name' } },
      'selection.ties',
      'There is no option "ties" in selection. A preset',
    ],
    [{ selection: { badLimit: 'error' } }, 'selection.badLimit', 'A preset decides it'],
    [{ announcement: { style: 'name' } }, 'announcement.style', '"names"'],
    [
      { announcement: { text: () => '' } },
      'announcement.text',
      'pass { preset: { ...unified, announcement: { ...unified.announcement, text } } }.',
    ],
    [{ announcement: { budget: -1 } }, 'announcement.budget', 'use a number, 0 or more'],
  ])('rejects %j', (options, option, message) => {
    const error = errorOf(() => createToolSearch(options as ToolSearchOptions))
    expect(error.option).toBe(option)
    expect(error.message).toContain(message)
  })

  it.each([null, 7, 'nexo', []])('rejects %j instead of options', (options) => {
    const error = errorOf(() => createToolSearch(options as ToolSearchOptions))
    expect(error.message).toContain('; use an object')
  })

  it('says how to pass a preset', () => {
    const error = errorOf(() => createToolSearch({ preset: 'nexo' as never }))
    expect(error.message).toBe(
      `preset is "nexo"; import the preset and pass it: import { nexo } from 'toolsearch'`,
    )
  })

  it.each<[string, object, string]>([
    ['without a ranker', { ranker: undefined }, 'preset.ranker is undefined; use a function'],
    ['without a part of a group', { selection: { band: 0 } }, 'preset.selection.defaultLimit is'],
    [
      'with something else than finders',
      { finders: ['words'] },
      'preset.finders is ["words"]; use',
    ],
    ['with a wrong reader', { readQuery: 'words' }, 'preset.readQuery is "words"; use a function'],
    [
      'with a wrong text',
      { announcement: { ...unified.announcement, text: 'Tools:' } },
      'preset.announcement.text is "Tools:"; use a function',
    ],
    [
      'with a wrong schema',
      { searchTool: { ...unified.searchTool, inputSchema: [] } },
      'preset.searchTool.inputSchema is []; use a JSON Schema object',
    ],
    ['with a misspelt setting', { anouncement: {} }, 'Did you mean "announcement"?'],
    [
      'with a wrong value',
      { activation: { toolCount: '3' } },
      'preset.activation.toolCount is "3"',
    ],
  ])('rejects a preset %s', (_, change, message) => {
    const preset = { ...unified, ...change } as typeof unified
    expect(errorOf(() => createToolSearch({ preset })).message).toContain(message)
  })

  it('treats an explicit undefined as not given', () => {
    const options = { tools: undefined, activation: undefined, selection: { band: undefined } }
    const { preset } = createToolSearch(options as unknown as ToolSearchOptions)
    expect(preset.activation).toEqual(unified.activation)
    expect(preset.selection).toEqual(unified.selection)
  })

  it('accepts Infinity where it means no limit', () => {
    const selection = { maxLimit: Infinity }
    expect(() => createToolSearch({ selection, announcement: { budget: Infinity } })).not.toThrow()
  })

  it('throws only its own errors for any options', async () => {
    const keys = ['tools', 'preset', 'activation', 'selection', 'store', 'ranker', 'deferral', 'x']
    const key = fc.constantFrom(...keys)
    const value = fc.anything({ withBigInt: true, withNullPrototype: true, withDate: true })
    await checkProperty(
      fc.property(fc.oneof(value, fc.dictionary(key, value)), (options) => {
        try {
          createToolSearch(options as ToolSearchOptions)
        } catch (error) {
          expect(error).toBeInstanceOf(ToolSearchError)
        }
      }),
    )
  })
})

describe('session', () => {
  const toolSearch = createToolSearch({ tools })

  it.each<[string, unknown, string]>([
    ['undefined', undefined, 'visible is undefined; use an array or a set of tool names'],
    ['null', null, 'visible is null; use an array'],
    ['a bare string', 't_1', 'visible is "t_1"; use an array'],
    ['true', true, 'visible is true; use an array'],
    ['an object', { t_1: true }, 'visible is {"t_1":true}; use an array'],
    ['a list with other values', ['t_1', 7], 'an item of visible is 7; use an array'],
  ])('rejects %s as visible, in session, restore and explain', async (_, visible, message) => {
    const options = { visible } as SessionOptions
    const snapshot = await (await toolSearch.session('a')).snapshot()
    await expect(toolSearch.session('a', options)).rejects.toThrow(message)
    await expect(toolSearch.restore(snapshot, options)).rejects.toThrow(message)
    expect(errorOf(() => toolSearch.explain('words', 't_1', options)).message).toContain(message)
  })

  it.each([undefined, null, 'mcp:a', [7]])('rejects %j as visibleSources', async (sources) => {
    const options = { visibleSources: sources } as SessionOptions
    await expect(toolSearch.session('a', options)).rejects.toThrow(InvalidOptionError)
  })

  it.each([undefined, null, '', ' ', 7, {}])('rejects %j as id', async (id) => {
    await expect(toolSearch.session(id as string)).rejects.toThrow(InvalidOptionError)
    await expect(toolSearch.session(id as string)).rejects.toThrow(/^id is .*; use a non-empty/)
  })

  it.each<[unknown, string]>([
    [{ visable: [] }, 'There is no option "visable". Did you mean "visible"?'],
    [{ onCall: 1 }, 'onCall is 1; use a function'],
    [null, 'options is null; use an object'],
  ])('rejects the options %j', async (options, message) => {
    const snapshot = await (await toolSearch.session('a')).snapshot()
    await expect(toolSearch.session('a', options as SessionOptions)).rejects.toThrow(message)
    await expect(toolSearch.restore(snapshot, options as SessionOptions)).rejects.toThrow(message)
  })

  it.each<[unknown, string]>([
    [{ usedTokens: Number.NaN }, 'usedTokens is NaN; use a number, 0 or more'],
    [{ toolChoice: { name: 'a' } }, 'toolChoice is {"name":"a"}; use a string'],
    [{ canSearch: 'no' }, 'canSearch is "no"; use true or false'],
    [{ appendOnly: null }, 'appendOnly is null; use an object'],
    [{ appendOnly: { revealed: 't_1' } }, 'appendOnly.revealed is "t_1"; use a set'],
    [{ appendOnly: { reveal: 'stubs' } }, 'appendOnly.reveal is "stubs"; use "list"'],
  ])('rejects turn(%j)', async (options, message) => {
    const session = await toolSearch.session('a')
    await expect(session.turn(options as never)).rejects.toThrow(message)
  })

  it('rejects wrong options for calls', async () => {
    const session = await toolSearch.session('a')
    const call = { name: 't_1' }
    const run = { kind: 'run', tool: session.tool('t_1')!, arguments: {} } as const
    await expect(session.answer(call, { result: 'text' as never })).rejects.toThrow(
      'result is "text"; use a function',
    )
    const signal = { signal: new AbortController() as never }
    for (const attempt of [session.run(call, signal), session.execute(run, signal)]) {
      await expect(attempt).rejects.toThrow('signal is {}; use an AbortSignal')
    }
    await expect(session.run(call, { singal: undefined } as never)).rejects.toThrow('"signal"')
    await expect(session.run(call, null as never)).rejects.toThrow('options is null')
  })

  it('rejects wrong arguments of its methods', async () => {
    const session = await toolSearch.session('a')
    await expect(session.load('t_1' as never)).rejects.toThrow('names is "t_1"; use an array')
    await expect(session.rebuild(null as never)).rejects.toThrow('messages is null; use an array')
    await expect(session.fork('')).rejects.toThrow('id is ""; use a non-empty string')
    await expect(session.fork('b', { load: true } as never)).rejects.toThrow('option "load"')
    expect(errorOf(() => session.withTools({} as never)).message).toContain('use an array')
  })

  it('rejects a source state of another shape', () => {
    const set = (state: unknown) => errorOf(() => toolSearch.sources.set(state as never)).message
    expect(set('mcp:mail')).toBe('state is "mcp:mail"; use an object')
    expect(set({ source: 'mcp:mail' })).toContain('state.state is undefined; use "connecting"')
  })
})

describe('search', () => {
  const toolSearch = createToolSearch({ tools })

  it.each([1.5, Number.NaN, -1, '5', Infinity, null])('rejects the limit %j', async (limit) => {
    const options = { limit: limit as number }
    const message = '; use a whole number, 0 or more'
    expect(errorOf(() => toolSearch.search('words', options)).message).toContain(message)
    expect(errorOf(() => toolSearch.explain('words', 't_1', options)).message).toContain(message)
    const session = await toolSearch.session('a')
    await expect(session.search({ query: 'words' }, options)).rejects.toThrow(message)
  })

  it('returns as many tools as the program asks for, also beyond maxLimit', () => {
    const few = createToolSearch({ tools, selection: { maxLimit: 3, defaultLimit: 3, band: 0 } })
    expect(few.search('same words').hits).toHaveLength(3)
    expect(few.search('same words', { limit: 10 }).hits).toHaveLength(10)
    expect(few.search('same words', { limit: 0 }).hits).toEqual([])
  })

  it.each([null, undefined, 7, ['a'], {}])('rejects the query %j', (query) => {
    expect(errorOf(() => toolSearch.search(query as string)).option).toBe('query')
    expect(errorOf(() => toolSearch.explain(query as string, 't_1')).option).toBe('query')
    expect(errorOf(() => toolSearch.explain('words', query as string)).option).toBe('name')
  })
})

describe('functions of the program', () => {
  const rankerReturning = (ranking: unknown) => ({
    name: 'mine',
    set() {},
    delete() {},
    rank: () => ranking as never,
  })

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'is undefined'],
    ['a list of tools', tools, 'is [{"name":"t_0"'],
    ['a promise', Promise.resolve({ hits: [] }), 'is a promise'],
    ['no hits', { tools: [] }, 'is {"tools":[]}'],
    ['tools without scores', { hits: tools }, 'is {"hits":[{"name":"t_0"'],
  ])('names the ranker that returned %s', async (_, ranking, shown) => {
    const mine = rankerReturning(ranking)
    const vectors = { id: 'a', dimensions: 1, embed: () => undefined }
    const message = `the result of rank() of the ranker "mine" ${shown}`
    for (const ranker of [() => mine, () => hybridRanker({ vectors, lexical: mine })]) {
      const toolSearch = createToolSearch({ tools, ranker })
      const error = errorOf(() => toolSearch.search('words'))
      expect(error.message).toContain(message)
      expect(error.message).toContain('; return { hits: [{ tool, score }] }')
      expect(errorOf(() => toolSearch.explain('words', 't_1')).message).toContain(message)
      const session = await toolSearch.session('a')
      await expect(session.search({ query: 'words' })).rejects.toThrow(message)
    }
  })

  it.each<[string, unknown]>([
    ['NaN', Number.NaN],
    ['-1', -1],
    ['Infinity', Infinity],
    ['undefined', undefined],
    ['"5"', '5'],
    ['a promise', Promise.resolve(5)],
  ])('says that countTokens returned %s', async (shown, tokens) => {
    const countTokens = () => tokens as number
    const activation = { definitionShare: 0.1 }
    const session = await createToolSearch({ tools, countTokens, activation }).session('a')
    await expect(session.turn()).rejects.toThrow(InvalidOptionError)
    await expect(session.turn()).rejects.toThrow(
      `the result of countTokens() is ${shown}; return a number, 0 or more`,
    )
  })
})

describe('catalogue', () => {
  const { catalogue } = createToolSearch()

  it.each<[string, () => unknown, string]>([
    ['a wrong value', () => catalogue.add([], { problems: 'ignore' as 'skip' }), 'use "throw" or'],
    [
      'a misspelt option',
      () => catalogue.add([], { duplicate: 'replace' } as never),
      '"duplicates"',
    ],
    ['no list', () => catalogue.sync('mcp:a', undefined as never), 'definitions is undefined'],
    ['no source', () => catalogue.sync('' as never, []), 'use a name such as "mcp:github"'],
    ['no source', () => catalogue.removeSource(undefined as never), 'source is undefined'],
    ['no listener', () => catalogue.subscribe(undefined as never), 'listener is undefined; use a'],
    ['a number', () => catalogue.remove(7 as never), 'names is 7; use a name or an array'],
  ])('rejects %s', (_, act, message) => {
    expect(errorOf(act).message).toContain(message)
  })
})

describe('factories', () => {
  const vectors = { id: 'a', dimensions: 1, embed: () => undefined }
  const embedder = { id: 'a', dimensions: 1, embed: async () => [[1]] }
  const endpoint = { baseUrl: 'http://127.0.0.1/v1', model: 'a', dimensions: 1 }
  const embedQuery = async () => [1]
  const embedDocuments = async () => [[1]]
  const doEmbed = async () => ({ embeddings: [[1]] })

  it.each<[string, () => unknown, string]>([
    ['createMemoryStore', () => createMemoryStore({ maxSessions: 0 }), 'whole number, 1 or more'],
    ['createMemoryStore', () => createMemoryStore({ ttl: 5 } as never), 'no option "ttl"'],
    ['createFileStore', () => createFileStore({} as never), 'options.folder is undefined'],
    ['resultFormat', () => resultFormat({ detail: 'full' as 'names' }), '"signatures" or "names"'],
    ['bm25Ranker', () => bm25Ranker({ b: 75 }), 'b is 75; use a share from 0 to 1'],
    ['hybridRanker', () => hybridRanker({} as never), 'options.vectors is undefined'],
    ['hybridRanker', () => hybridRanker({ vectors, lexcal: 1 } as never), '"lexical"'],
    [
      'hybridRanker',
      () => hybridRanker({ vectors, weights: {} } as never),
      'The options are lexical',
    ],
    ['createRemoteVectors', () => createRemoteVectors(undefined as never), 'options is undefined'],
    [
      'createRemoteVectors',
      () => createRemoteVectors({} as never),
      'options.embedder is undefined',
    ],
    [
      'createRemoteVectors',
      () => createRemoteVectors({ embedder: 5 as never }),
      'embedder is 5; use an embedder, such as endpointEmbedder()',
    ],
    [
      'createRemoteVectors',
      () => createRemoteVectors({ embedder: { ...embedder, dimensions: 0 } }),
      'embedder.dimensions is 0; use a whole number, 1 or more',
    ],
    [
      'createRemoteVectors',
      () => createRemoteVectors({ embedder, timeoutMs: Infinity }),
      'timeoutMs is Infinity; use a number',
    ],
    ['endpointEmbedder', () => endpointEmbedder(undefined as never), 'options is undefined'],
    ['endpointEmbedder', () => endpointEmbedder({} as never), 'options.baseUrl is undefined'],
    ['endpointEmbedder', () => endpointEmbedder({ ...endpoint, dimensions: 0 }), 'dimensions is 0'],
    [
      'endpointEmbedder',
      () => endpointEmbedder({ ...endpoint, baseURL: '' } as never),
      'Did you mean "baseUrl"?',
    ],
    [
      'endpointEmbedder',
      () => endpointEmbedder({ ...endpoint, baseUrl: 'localhost:11434/v1' }),
      'baseUrl is "localhost:11434/v1"; use a URL such as "http://127.0.0.1:11434/v1"',
    ],
    [
      'functionEmbedder',
      () => functionEmbedder(5 as never, embedder),
      'embed is 5; use a function',
    ],
    [
      'functionEmbedder',
      () => functionEmbedder(embedder.embed, undefined as never),
      'options is undefined; use an object',
    ],
    [
      'langchainEmbedder',
      () => langchainEmbedder(undefined as never, { id: 'a', dimensions: 1 }),
      'embeddings is undefined; use an Embeddings object of LangChain',
    ],
    [
      'langchainEmbedder',
      () => langchainEmbedder({ embedQuery, embedDocuments }, { dimensions: 1 } as never),
      'options.id is undefined',
    ],
    [
      'aiSdkEmbedder',
      () => aiSdkEmbedder(undefined as never, { dimensions: 1 }),
      'model is undefined; use an embedding model of the AI SDK',
    ],
    [
      'aiSdkEmbedder',
      () => aiSdkEmbedder({ modelId: 'a', doEmbed }, { dimension: 1 } as never),
      'Did you mean "dimensions"?',
    ],
    ['mcpToolset', () => mcpToolset({ server: '' }), 'server is ""; use a non-empty string'],
  ])('%s rejects wrong options', (_, act, message) => {
    expect(errorOf(act).message).toContain(message)
  })

  it('the adapters reject wrong options', async () => {
    const session = await createToolSearch({ tools }).session('a')
    for (const adapter of [anthropic, openai, openaiCompatible, gemini] as const) {
      const create = adapter as (
        session: unknown,
        options: unknown,
      ) => { request: CallableFunction }
      expect(errorOf(() => create(session, { modell: 'x' })).message).toContain('"model"')
      expect(errorOf(() => create(session, { onRepair: true })).option).toBe('onRepair')
      await expect(create(session, {}).request({})).rejects.toThrow(
        'messages is undefined; use an array of messages',
      )
    }
    expect(errorOf(() => openaiCompatible(session, { maxTools: Number.NaN })).option).toBe(
      'maxTools',
    )
    expect(errorOf(() => gemini(session, { validated: 1 as never })).option).toBe('validated')
    expect(errorOf(() => anthropic(session, { cacheControl: {} as never })).option).toBe(
      'cacheControl',
    )
    expect(errorOf(() => aiSdk(session, {} as never)).message).toContain('options.tools is')
    expect(errorOf(() => aiSdk(session, { tools: {}, mode: 'stub' as 'append' })).option).toBe(
      'mode',
    )
  })
})

describe('exported presets', () => {
  const presets = Object.entries(publicApi).filter(
    ([, value]) => typeof value === 'object' && 'preset' in value,
  )

  // otherwise the next test could run with an empty list
  it('include all eight presets', () => {
    expect(presets).toHaveLength(8)
  })

  it.each(presets)('%s cannot be changed', (_, preset) => {
    const check = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      expect(Object.isFrozen(value)).toBe(true)
      Object.values(value).forEach(check)
    }
    check(preset)
    expect(createToolSearch({ preset: preset as typeof nexo }).preset).toEqual(preset)
  })

  it('the option sets of endpoints cannot be changed either', () => {
    expect(Object.isFrozen(minimax)).toBe(true)
  })
})
