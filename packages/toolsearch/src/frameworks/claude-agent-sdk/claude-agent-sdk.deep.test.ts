import type { Options } from '@anthropic-ai/claude-agent-sdk'
import { anthropicMessages, type Reply, startCheckingServer } from 'toolsearch-checking-server'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ToolDefinition } from '../../catalogue/tool.ts'
import type { Session } from '../../session/session.ts'
import { createToolSearch } from '../../toolsearch.ts'
import {
  addedTool,
  bridgeHabits,
  conversationTools,
  EXPECTED,
  longConversation,
  type ModelHabits,
  prefixBreaks,
} from '../long-conversation.fixtures.ts'
import { createHome, hasClaudeCode, startClaudeCode } from './claude-agent.fixtures.ts'
import { claudeAgentSdk, expectHook } from './claude-agent-sdk.ts'

// Claude Code starts in half a second on an idle machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 30_000 })

const SEARCH = 'mcp__tools__tool_search'
const CALL = 'mcp__tools__call_tool'
const done = { text: 'Done.' }
const mcpHabits: ModelHabits = {
  search: (query) => ({ calls: [{ name: SEARCH, arguments: { query } }] }),
  call: (name, input) => ({ ...bridgeHabits.call(name, input), name: CALL }),
}

type Started = Awaited<ReturnType<typeof start>>

/** Starts Claude Code with a model that says what is in `script`, then "Done." */
async function start(
  tools: ToolDefinition[],
  options: (session: Session) => Options = () => ({ allowedTools: [SEARCH, CALL] }),
) {
  const home = await createHome()
  const script: Reply[] = []
  const replies = Array.from({ length: 200 }, () => () => script.shift() ?? done)
  const server = await startCheckingServer({ service: anthropicMessages(), replies })
  const toolSearch = createToolSearch({ tools, activation: 'always' })
  const session = await toolSearch.session('a')
  const run = (more: Options = {}) => {
    const mcpServers = { tools: claudeAgentSdk(session) }
    return startClaudeCode({
      url: server.url,
      home: home.path,
      options: { mcpServers, ...options(session), ...more },
    })
  }
  let claude = run()
  return {
    script,
    requests: server.requests,
    catalogue: toolSearch.catalogue,
    say: (text: string) => claude.say(text),
    interrupt: () => claude.interrupt(),
    async restart(options: Options) {
      await claude.close()
      claude = run(options)
    },
    async close() {
      await claude.close()
      await server.close()
      await home.remove()
    },
  }
}

async function survive20Turns(started: Started, ran: string[], expects: boolean): Promise<void> {
  const { script, requests, catalogue } = started
  const turns = longConversation(mcpHabits, { expects })
  for (const { say, change, replies, runs } of turns) {
    if (change?.add) catalogue.add(addedTool(ran))
    if (change?.remove) catalogue.remove(change.remove)
    ran.length = 0
    script.push(...replies, done)
    const messages = await started.say(say)
    expect(messages.at(-1)).toMatchObject({ subtype: 'success' })
    expect(ran, say).toEqual(runs)
  }
  expect(requests.filter(({ problem }) => problem)).toEqual([])
  expect(requests).toHaveLength(turns.flatMap(({ replies }) => [...replies, done]).length)
  expect(prefixBreaks(anthropicMessages(), requests)).toEqual([])
  const [first, last] = [requests[0]!, requests.at(-1)!]
  expect(last.body.tools).toEqual(first.body.tools)
  expect(first.text).toContain('send_letter')
  expect(last.text).toContain('play_chess')
  expect(last.text.split(EXPECTED)).toHaveLength(expects ? 2 : 1)
}

describe.skipIf(!hasClaudeCode())(
  'claudeAgentSdk with Claude Code (skipped where npm installed none)',
  () => {
    const ran: string[] = []
    const asked: unknown[] = []
    const waiting: { signal: AbortSignal; callId: string | undefined }[] = []
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const image = { type: 'image', data: pixel, mimeType: 'image/png' }
    const eager: ToolDefinition = {
      name: 'now',
      description: 'Tells the time',
      loading: 'eager',
      execute: () => 1,
    }
    const tools: ToolDefinition[] = [
      eager,
      { name: 'draw', execute: () => ({ content: [{ type: 'text', text: 'Drawn.' }, image] }) },
      {
        name: 'fail',
        execute: () => ({ content: [{ type: 'text', text: 'No ink.' }], isError: true }),
      },
      {
        name: 'count',
        execute: () => ({
          content: [{ type: 'text', text: '{"lines":3}' }],
          structuredContent: { lines: 3 },
        }),
      },
      { name: 'remote' },
      {
        name: 'wait',
        execute(_input, { signal, callId }) {
          waiting.push({ signal, callId })
          return new Promise((resolve) =>
            signal.addEventListener('abort', () => resolve('Stopped.')),
          )
        },
      },
      // more than Claude Code reads of a server's instructions
      ...conversationTools(ran, 350),
    ]
    // One conversation for all tests, because each start costs more than a second of CPU time.
    let started: Started
    beforeAll(async () => {
      started = await start(tools, (session) => ({
        allowedTools: [SEARCH, 'mcp__tools__now'],
        canUseTool: async (toolName, input) => {
          asked.push([toolName, input.name])
          return input.name === 'fail' && asked.length === 1
            ? { behavior: 'deny', message: 'Ask me first.' }
            : { behavior: 'allow', updatedInput: input }
        },
        hooks: { UserPromptSubmit: [expectHook(session)] },
      }))
    })
    afterAll(() => started.close())

    /** Says something that the model answers with `replies`. */
    const ask = async (text: string, ...replies: Reply[]) => {
      started.script.push(...replies, done)
      const messages = await started.say(text)
      expect(messages.at(-1)).toMatchObject({ subtype: 'success' })
      const last = started.requests.at(-1)!
      return { messages, last, results: toolResults(last.body) }
    }

    it('survives 20 turns with expect, parallel calls, mistakes and changes, and never breaks the prefix', async () => {
      await survive20Turns(started, ran, true)
    })

    it('survives 20 turns without expect', async () => {
      const ran: string[] = []
      const other = await start(conversationTools(ran))
      await survive20Turns(other, ran, false).finally(other.close)
    })

    it('shortens a list that Claude Code would cut, and says so', async () => {
      const { last } = await ask('Hello')
      expect(last.text).toContain('This list is incomplete.')
      expect(last.text).not.toContain('[truncated]')
    })

    it('lets canUseTool decide by the name of the called tool', async () => {
      asked.length = 0
      ran.length = 0
      const calls = [mcpHabits.call('fail', {}), mcpHabits.call('send_letter', { to: 'Ann' })]
      const { results } = await ask('Do both', mcpHabits.search('select:fail'), { calls })
      expect(asked).toEqual([
        [CALL, 'fail'],
        [CALL, 'send_letter'],
      ])
      expect(ran).toEqual(['send_letter'])
      expect(results).toMatchObject([
        { content: 'Ask me first.', is_error: true },
        { content: [{ text: 'send_letter is done.' }] },
      ])
    })

    it('passes the result of an MCP tool whole: images, links, structured content and errors', async () => {
      const calls = ['draw', 'fail', 'count'].map((name) => mcpHabits.call(name, {}))
      const search = mcpHabits.search('select:draw,fail,count')
      const { results } = await ask('Draw', search, { calls })
      expect(results).toMatchObject([
        { content: [{ text: 'Drawn.' }, { type: 'image', source: { data: pixel } }, {}] },
        { content: 'No ink.', is_error: true },
        { content: '{"lines":3}' },
      ])
    })

    it('answers a call to a tool that it cannot run', async () => {
      const { results } = await ask('Call it', mcpHabits.search('select:remote'), {
        calls: [mcpHabits.call('remote', {})],
      })
      expect(results).toMatchObject([
        { content: expect.stringContaining('has no execute function'), is_error: true },
      ])
    })

    it('lists tools that are never hidden, also one that is added during the conversation', async () => {
      const now = { calls: [{ name: 'mcp__tools__now', arguments: {} }] }
      const { results } = await ask('What time is it?', now)
      expect(results).toMatchObject([{ content: [{ text: '1' }] }])
      started.catalogue.add({ ...eager, name: 'today' })
      await ask('Search', mcpHabits.search('letter'))
      const { last } = await ask('Hello')
      const { requests } = started
      expect(toolNames(requests[0]!.body)).toEqual([CALL, 'mcp__tools__now', SEARCH])
      // Claude Code adds it with a message, so the prefix stays the same.
      const addition = { type: 'tool_reference', name: 'mcp__tools__today' }
      expect(last.text).toContain(JSON.stringify(addition))
      expect(requests.filter(({ problem }) => problem)).toEqual([])
      expect(prefixBreaks(anthropicMessages(), requests)).toEqual([])
    })

    it('continues a conversation with resume, in the same session', async () => {
      const { messages } = await ask('Find a tool', mcpHabits.search('send a letter'))
      await started.restart({ resume: messages.at(-1)!.session_id!, hooks: {} })
      ran.length = 0
      await ask('Write to Ann', { calls: [mcpHabits.call('send_letter', { to: 'Ann' })] })
      expect(ran).toEqual(['send_letter'])
      expect(prefixBreaks(anthropicMessages(), started.requests)).toEqual([])
    })

    it('adds news to the next result, even if it has structured content', async () => {
      // The hook is gone, so nothing tells the news earlier.
      await ask('Search', mcpHabits.search('select:count'))
      started.catalogue.add({ name: 'play_go', execute: () => 1 })
      const { results } = await ask('Count', { calls: [mcpHabits.call('count', {})] })
      expect(JSON.stringify(results)).toContain('play_go')
    })

    it('passes the id of the call to a running tool, and aborts it when the query is interrupted', async () => {
      started.script.push(mcpHabits.search('select:wait'), { calls: [mcpHabits.call('wait', {})] })
      const said = started.say('Wait')
      await expect.poll(() => waiting).toHaveLength(1)
      expect(waiting[0]!.callId).toMatch(/^toolu_/)
      await started.interrupt()
      await said
      await expect.poll(() => waiting[0]!.signal.aborted).toBe(true)
    })
  },
)

interface Block {
  readonly type: string
}

/** The results in the last user message that has any. */
function toolResults(body: Record<string, unknown>): readonly Block[] {
  const messages = body.messages as { content: string | Block[] }[]
  const results = messages.map(({ content }) =>
    typeof content === 'string' ? [] : content.filter(({ type }) => type === 'tool_result'),
  )
  return results.findLast((list) => list.length > 0) ?? []
}

function toolNames(body: Record<string, unknown>): readonly string[] {
  const tools = body.tools as { name: string; defer_loading?: boolean }[]
  // Claude Code adds a deferred placeholder of its own.
  return tools.filter((tool) => !tool.defer_loading).map((tool) => tool.name)
}
