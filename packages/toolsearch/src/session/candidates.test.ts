import { describe, expect, it } from 'vitest'
import { createToolSearch, type SearchEvent } from '../index.ts'
import { openai } from '../providers/openai/openai.ts'

const tools = [
  { name: 'git_log', description: 'Show the history of a branch. Newest first.' },
  { name: 'git_diff', description: 'Show what changed' },
]
const query = 'grow tomatoes on a branch behind the garden shed'

async function start() {
  const events: SearchEvent[] = []
  const toolSearch = createToolSearch({
    tools,
    activation: 'always',
    onSearch: (event) => void events.push(event),
  })
  return { events, session: await toolSearch.session('a') }
}

describe('a search with low confidence', () => {
  it('loads nothing until the model selects a candidate', async () => {
    const { session, events } = await start()
    await session.turn()
    const { outcome, answer } = await session.search({ query })
    expect(outcome).toMatchObject({ hits: [], confidence: 'low', remaining: 2 })
    expect(outcome.candidates).toMatchObject([{ tool: { name: 'git_log' }, status: 'candidate' }])
    expect(answer.data).toMatchObject({
      confidence: 'low',
      candidates: [{ name: 'git_log', summary: 'Show the history of a branch' }],
    })
    expect(events[0]!.outcome).toBe(outcome)
    expect(session.loaded).toEqual([])
    await session.search({ query: 'select:git_log' })
    expect(session.loaded).toEqual(['git_log'])
  })

  it('marks candidates that are loaded already', async () => {
    const { session } = await start()
    await session.load(['git_log'])
    const { outcome, answer } = await session.search({ query })
    expect(outcome.candidates).toMatchObject([{ status: 'already-loaded' }])
    expect(answer.data).toMatchObject({ candidates: [{ name: 'git_log', available: true }] })
  })

  it('loads candidates on request', async () => {
    const { session } = await start()
    const { outcome } = await session.search({ query }, { loadsCandidates: true })
    expect(outcome).toMatchObject({ confidence: 'low', candidates: [], remaining: 1 })
    expect(outcome.hits).toMatchObject([{ tool: { name: 'git_log' }, status: 'loaded' }])
    expect(session.loaded).toEqual(['git_log'])
  })

  it('is recognised when it is repeated', async () => {
    const { session } = await start()
    await session.search({ query })
    expect((await session.search({ query })).outcome.repeats).toBe(1)
  })

  it('does not load its candidates when a history is read', async () => {
    const { session } = await start()
    const { answer } = await session.search({ query })
    const call = { id: 'c', type: 'function', function: { name: 'tool_search', arguments: '{}' } }
    const loaded = await session.rebuild([
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: answer.text },
    ])
    expect(loaded).toEqual([])
  })

  it('tells the model about its candidates where search results are lists of definitions', async () => {
    const { session } = await start()
    const adapter = openai(session, { model: 'gpt-5.4' })
    await adapter.request({ messages: [{ role: 'user', content: 'Hello' }] })
    const item = {
      type: 'tool_search_call',
      id: 'ts_1',
      call_id: 'c',
      execution: 'client',
      arguments: { query },
      status: 'completed',
    }
    const step = await adapter.handle({ output: [item] })
    const text = JSON.stringify(step.messages())
    expect(text).toContain('No sure match')
    expect(text).toContain('git_log')
    expect(session.loaded).toEqual([])
  })
})
