import { describe, expect, it } from 'vitest'
import {
  claudeCodeWiki,
  cortex,
  createToolSearch,
  dirge,
  everruns,
  everrunsLatest,
  nexo,
  resultFormat,
  type ToolSearchOptions,
} from '../index.ts'
import { providers } from './all-providers.fixtures.ts'
import { type Conversation, startConversation } from './converse.fixtures.ts'
import { sampleTools } from './provider.fixtures.ts'

const deferral = { mcp: 'deferred' } as const
const query = 'approve invoice'

/** A conversation after one search, and the text of its result. */
async function search(
  provider: (typeof providers)[0],
  options: Omit<ToolSearchOptions, 'tools'>,
  mode?: string,
): Promise<{ chat: Conversation; text: string }> {
  const chat = await startConversation(provider, { search: options, ...(mode && { mode }) })
  const name = options.preset?.searchTool.name ?? 'tool_search'
  await chat.turn({ calls: [{ name, arguments: { query } }] })
  await chat.turn({ text: 'Found.' })
  const { problem } = chat.server.requests.at(-1)!
  expect(problem).toBeUndefined()
  return { chat, text: JSON.stringify(chat.messages).replaceAll('\\', '') }
}

function listOf({ server }: Conversation): string {
  const { tools, config } = server.requests.at(-1)!.body as Record<string, unknown>
  return JSON.stringify(tools ?? config)
}

describe.each(providers)('results of presets: $name', (provider) => {
  it.each([
    [
      nexo,
      /"query_kind":"keyword","total_deferred_tools":40,"matches":\[\{"name":"invoice_approve","score":/,
    ],
    [dirge, /"parameter_summary": ?"\{subject: string\}"/],
    [cortex, /Loaded, callable on the next turn:n- invoice_approve/],
  ])('$preset lists the tools it finds, and its results are its own', async (preset, own) => {
    const { chat, text } = await search(provider, { preset, deferral, activation: 'always' })
    expect(chat.adapter.mode).toBe('append')
    expect(text).toMatch(own)
    expect(listOf(chat)).toContain('"invoice_approve"')
    expect(listOf(chat)).not.toContain('call_tool')
    await chat.close()
  })

  it.each([nexo, cortex])(
    '$preset removes the tools it lists from those to search for',
    async (preset) => {
      const { chat } = await search(provider, { preset, deferral, activation: 'always' })
      const [before, after] = [chat.server.requests.at(0)!, chat.server.requests.at(-1)!].map(
        ({ text }) => /- branch_create.*?- photo_create/.exec(text)![0],
      )
      expect(before).toContain('- invoice_approve')
      expect(after).toContain('- calendar_create')
      expect(after).not.toContain('- invoice_approve')
      await chat.close()
    },
  )

  it.each([everruns, everrunsLatest])('$preset keeps its stubs and its results', async (preset) => {
    const { chat, text } = await search(provider, { preset })
    expect(chat.adapter.mode).toBe('stub')
    expect(text).toMatch(
      /"query":"approve invoice","tools":\[\{"name":"invoice_approve","description":"[^"]*","parameters":\{/,
    )
    await chat.turn({ calls: [{ name: 'tool_search', arguments: { query: 'zzqx' } }] })
    expect(JSON.stringify(chat.messages).replaceAll('\\', '')).toContain('"tools":[],"message":')
    await chat.close()
  })

  it('results with schemas stay those of the preset in any mode where the model reads them', async () => {
    for (const [preset, own] of [
      [nexo, '"matches":[{"name":"invoice_approve"'],
      [claudeCodeWiki, '"loaded":[{"name":"invoice_approve"'],
    ] as const) {
      const options = { preset, deferral, activation: 'always' } as const
      const { chat, text } = await search(provider, options, 'bridge')
      expect(text).toContain(own)
      // and the adapter knows them: the tool is not listed as well
      expect(listOf(chat)).not.toContain('invoice_approve')
      await chat.close()
    }
  })

  it('the option result is used in every mode, or refused', async () => {
    const result: ToolSearchOptions['result'] = ({ hits }) => {
      const text = `Found by me: ${hits.map(({ tool }) => tool.name).join(', ')}`
      return { text, data: text, isError: false }
    }
    const session = await createToolSearch({ tools: sampleTools, result }).session('a')
    for (const mode of provider.modes) {
      if (mode === 'native' || mode === 'hosted') {
        expect(() => provider.adapter(session, { mode })).toThrow('the option result has no effect')
        continue
      }
      const chat = await startConversation(provider, { search: { result }, mode })
      await chat.turn(provider.search(mode, query, ['invoice_approve']))
      await chat.turn({ text: 'Found.' })
      expect(chat.server.requests.at(-1)!.problem).toBeUndefined()
      expect(JSON.stringify(chat.messages)).toContain('Found by me: invoice_approve')
      await chat.close()
    }
  })
})

it('the option result can be another budget for the default format', async () => {
  const result = resultFormat({ detail: 'schemas', budget: 100_000 })
  const { chat, text } = await search(providers[1]!, { result }, 'bridge')
  expect(text).toContain('"inputSchema"')
  expect(listOf(chat)).not.toContain('invoice_approve')
  await chat.close()
})
