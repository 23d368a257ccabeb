import type { Options } from '@anthropic-ai/claude-agent-sdk'
import {
  anthropicMessages,
  type CheckingServer,
  type Reply,
  startCheckingServer,
} from 'toolsearch-checking-server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isDeep } from '../../../../../testing/deep.ts'
import type { ToolDefinition } from '../../catalogue/tool.ts'
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
import {
  type ClaudeCode,
  createHome,
  hasClaudeCode,
  startClaudeCode,
} from './claude-agent.fixtures.ts'
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

let home: Awaited<ReturnType<typeof createHome>>
let server: CheckingServer | undefined
let claude: ClaudeCode | undefined
beforeEach(async () => {
  home = await createHome()
})
afterEach(async () => {
  await claude?.close()
  await server?.close()
  await home.remove()
})

async function start(replies: readonly Reply[], tools: ToolDefinition[], options: Options = {}) {
  const prepared = await prepare(replies, tools, options)
  return { ...prepared, claude: prepared.run() }
}

async function prepare(replies: readonly Reply[], tools: ToolDefinition[], options: Options = {}) {
  server = await startCheckingServer({ service: anthropicMessages(), replies })
  const toolSearch = createToolSearch({ tools, activation: 'always' })
  const session = await toolSearch.session('a')
  const run = (more: Options = {}) => {
    claude = startClaudeCode({
      url: server!.url,
      home: home.path,
      options: {
        mcpServers: { tools: claudeAgentSdk(session) },
        allowedTools: [SEARCH, CALL],
        ...options,
        ...more,
      },
    })
    return claude
  }
  return { run, toolSearch, session, server }
}

const accepted = ({ requests }: CheckingServer) =>
  requests.filter(({ problem }) => problem === undefined)

describe.skipIf(!hasClaudeCode())(
  'claudeAgentSdk with Claude Code (skipped where npm installed none)',
  () => {
    const rows: [string, boolean][] = [
      [' with expect', true],
      ['', false],
    ]
    it.each(isDeep ? rows : rows.slice(0, 1))(
      'survives 20 turns%s with parallel calls, mistakes and changes, and never breaks the prefix',
      async (_, expects) => {
        const ran: string[] = []
        const turns = longConversation(mcpHabits, { expects })
        const replies = turns.flatMap((turn) => [...turn.replies, done])
        const { run, toolSearch, server, session } = await prepare(replies, conversationTools(ran))
        const hooks = { UserPromptSubmit: [expectHook(session)] }
        claude = run(expects ? { hooks } : {})
        for (const { say, change, runs } of turns) {
          if (change?.add) toolSearch.catalogue.add(addedTool(ran))
          if (change?.remove) toolSearch.catalogue.remove(change.remove)
          ran.length = 0
          const messages = await claude.say(say)
          expect(messages.at(-1)).toMatchObject({ subtype: 'success' })
          expect(ran, say).toEqual(runs)
        }
        expect(server.requests.filter(({ problem }) => problem)).toEqual([])
        expect(server.requests).toHaveLength(replies.length)
        expect(prefixBreaks(anthropicMessages(), server.requests)).toEqual([])
        const [first, last] = [server.requests[0]!, server.requests.at(-1)!]
        expect(last.body.tools).toEqual(first.body.tools)
        expect(first.text).toContain('send_letter')
        expect(last.text).toContain('play_chess')
        expect(last.text.split(EXPECTED)).toHaveLength(expects ? 2 : 1)
      },
    )

    it('continues a conversation with resume, in the same session', async () => {
      const ran: string[] = []
      const replies = [
        mcpHabits.search('send a letter'),
        done,
        { calls: [mcpHabits.call('send_letter', { to: 'Ann' })] },
      ]
      const first = await start(replies, conversationTools(ran))
      const messages = await first.claude.say('Find a tool')
      await first.claude.close()
      const resume = messages.at(-1)!.session_id!
      const messagesAfter = await first.run({ resume }).say('Write to Ann')
      expect(messagesAfter.at(-1)).toMatchObject({ subtype: 'success' })
      expect(ran).toEqual(['send_letter'])
      expect(accepted(first.server)).toHaveLength(4)
      expect(prefixBreaks(anthropicMessages(), first.server.requests)).toEqual([])
    })

    it('passes the result of an MCP tool whole: images, links, structured content and errors', async () => {
      const pixel =
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
      const image = { type: 'image', data: pixel, mimeType: 'image/png' }
      const tools: ToolDefinition[] = [
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
      ]
      const calls = tools.map(({ name }) => mcpHabits.call(name, {}))
      const { claude, server } = await start(
        [mcpHabits.search('select:draw,fail,count'), { calls }],
        tools,
      )
      await claude.say('Draw')
      const results = toolResults(server.requests.at(-1)!.body)
      expect(results).toMatchObject([
        { content: [{ text: 'Drawn.' }, { type: 'image', source: { data: pixel } }, {}] },
        { content: 'No ink.', is_error: true },
        { content: '{"lines":3}' },
      ])
    })

    it('adds news to the next result, even if it has structured content', async () => {
      const tool = {
        name: 'count',
        execute: () => ({
          content: [{ type: 'text', text: '3' }],
          structuredContent: { lines: 3 },
        }),
      }
      const { claude, server, toolSearch } = await start(
        [mcpHabits.search('count'), done, { calls: [mcpHabits.call('count', {})] }],
        [tool],
      )
      await claude.say('Search')
      toolSearch.catalogue.add(addedTool([]))
      await claude.say('Count')
      expect(JSON.stringify(toolResults(server.requests.at(-1)!.body))).toContain('play_chess')
    })

    it('lets canUseTool decide by the name of the called tool', async () => {
      const ran: string[] = []
      const asked: unknown[] = []
      const { claude, server } = await start(
        [
          mcpHabits.search('select:send_letter,weather_report'),
          {
            calls: [
              mcpHabits.call('send_letter', { to: 'Ann' }),
              mcpHabits.call('weather_report', { city: 'Ulm' }),
            ],
          },
        ],
        conversationTools(ran),
        {
          allowedTools: [SEARCH],
          canUseTool: async (toolName, input) => {
            asked.push([toolName, input.name])
            return input.name === 'weather_report'
              ? { behavior: 'allow', updatedInput: input }
              : { behavior: 'deny', message: 'Ask me first.' }
          },
        },
      )
      await claude.say('Do both')
      expect(asked).toEqual([
        [CALL, 'send_letter'],
        [CALL, 'weather_report'],
      ])
      expect(ran).toEqual(['weather_report'])
      expect(toolResults(server.requests.at(-1)!.body)[0]).toMatchObject({ is_error: true })
    })

    it('passes the id of the call to a running tool, and aborts it when the query is interrupted', async () => {
      const signals: AbortSignal[] = []
      const ids: (string | undefined)[] = []
      const wait: ToolDefinition = {
        name: 'wait',
        execute(_input, { signal, callId }) {
          signals.push(signal)
          ids.push(callId)
          return new Promise((resolve) =>
            signal.addEventListener('abort', () => resolve('Stopped.')),
          )
        },
      }
      const { claude } = await start(
        [mcpHabits.search('wait'), { calls: [mcpHabits.call('wait', {})] }],
        [wait],
      )
      const said = claude.say('Wait')
      await vi.waitFor(() => expect(signals).toHaveLength(1), 10_000)
      expect(ids).toEqual([expect.stringMatching(/^toolu_/)])
      await claude.interrupt()
      await said
      await vi.waitFor(() => expect(signals[0]!.aborted).toBe(true))
    })

    it('lists tools that are never hidden, also one that is added during the conversation', async () => {
      const eager = {
        name: 'now',
        description: 'Tells the time',
        loading: 'eager',
        execute: () => 1,
      }
      const { claude, server, toolSearch } = await start(
        [{ calls: [{ name: 'mcp__tools__now', arguments: {} }] }, done, mcpHabits.search('letter')],
        [eager as ToolDefinition, ...conversationTools([])],
        { allowedTools: ['mcp__tools'] },
      )
      await claude.say('What time is it?')
      expect(toolResults(server.requests.at(-1)!.body)).toMatchObject([
        { content: [{ text: '1' }] },
      ])
      toolSearch.catalogue.add({ ...eager, name: 'today' } as ToolDefinition)
      await claude.say('Search')
      await claude.say('Hello')
      expect(toolNames(server.requests[0]!.body)).toEqual([CALL, 'mcp__tools__now', SEARCH])
      // Claude Code adds it with a message, so the prefix stays the same.
      const addition = { type: 'tool_reference', name: 'mcp__tools__today' }
      expect(server.requests.at(-1)!.text).toContain(JSON.stringify(addition))
      expect(prefixBreaks(anthropicMessages(), server.requests)).toEqual([])
    })

    it('shortens a list that Claude Code would cut, and says so', async () => {
      const { claude, server } = await start([], conversationTools([], 350))
      await claude.say('Hello')
      const prompt = JSON.stringify(server.requests[0]!.body)
      expect(prompt).toContain('This list is incomplete.')
      expect(prompt).not.toContain('[truncated]')
    })

    it('answers a call to a tool that it cannot run', async () => {
      const { claude, server } = await start(
        [mcpHabits.search('remote'), { calls: [mcpHabits.call('remote', {})] }],
        [{ name: 'remote' }],
      )
      await claude.say('Call it')
      expect(toolResults(server.requests.at(-1)!.body)).toMatchObject([
        { content: expect.stringContaining('has no execute function'), is_error: true },
      ])
    })
  },
)

it('rejects a value that is not a session', () => {
  expect(() => claudeAgentSdk({} as never)).toThrow('pass a session')
})

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
