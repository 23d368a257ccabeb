import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAnthropic } from '@ai-sdk/anthropic'
import { query } from '@anthropic-ai/claude-agent-sdk'
import {
  Gemini,
  InMemorySessionService,
  LlmAgent,
  LogLevel,
  Runner,
  setLogLevel,
} from '@google/adk'
import { ChatAnthropic } from '@langchain/anthropic'
import { MemorySaver } from '@langchain/langgraph'
import { Agent as MastraAgent } from '@mastra/core/agent'
import { MockMemory } from '@mastra/core/memory'
import {
  MemorySession,
  Agent as OpenAIAgent,
  OpenAIProvider,
  Runner as OpenAIRunner,
} from '@openai/agents'
import { generateText, isStepCount, jsonSchema, type ModelMessage, type ToolSet, tool } from 'ai'
import { createAgent } from 'langchain'
import type { Tool, ToolSearch } from 'toolsearch'
import { adkToolset } from 'toolsearch/adk'
import { aiSdk } from 'toolsearch/ai-sdk'
import { claudeAgentSdk } from 'toolsearch/claude-agent-sdk'
import { toolSearchMiddleware } from 'toolsearch/langchain'
import { toolSearchProcessor } from 'toolsearch/mastra'
import { openaiAgents } from 'toolsearch/openai-agents'
import {
  anthropicMessages,
  gemini,
  openaiResponses,
  type Service,
} from 'toolsearch-checking-server'
import { claudeEnv } from '../../packages/toolsearch/src/frameworks/claude-agent-sdk/claude-agent.fixtures.ts'
import {
  bridgeHabits,
  type ModelHabits,
} from '../../packages/toolsearch/src/frameworks/long-conversation.fixtures.ts'

/** A framework whose agent talks to the server at `url`. */
export interface FrameworkRunner {
  readonly name: string
  readonly service: () => Service
  readonly habits: ModelHabits
  /** Resolves to a function that runs the agent until it has answered a message. */
  start(url: string, toolSearch: ToolSearch): Promise<(text: string) => Promise<unknown>>
}

const SYSTEM = 'You are careful.'
const CLAUDE = 'claude-opus-5'

/** The agent of each framework as its documentation creates it, with the first provider it names. */
export const frameworkRunners: readonly FrameworkRunner[] = [
  {
    name: 'AI SDK, Anthropic',
    service: anthropicMessages,
    habits: bridgeHabits,
    async start(url, toolSearch) {
      const session = await toolSearch.session('a')
      const model = createAnthropic({ apiKey: 'any', baseURL: `${url}/v1` })(CLAUDE)
      const messages: ModelMessage[] = []
      return async (content) => {
        messages.push({ role: 'user', content })
        const tools = Object.fromEntries(
          toolSearch.catalogue.tools().map((tool) => [tool.name, asSdkTool(tool)]),
        )
        const { responseMessages } = await generateText({
          model,
          instructions: SYSTEM,
          messages,
          ...aiSdk(session, { tools }),
          stopWhen: isStepCount(10),
        })
        messages.push(...responseMessages)
      }
    },
  },
  {
    name: 'LangChain, Anthropic',
    service: anthropicMessages,
    habits: bridgeHabits,
    async start(url, toolSearch) {
      const agent = createAgent({
        model: new ChatAnthropic({ model: CLAUDE, apiKey: 'any', anthropicApiUrl: url }),
        systemPrompt: SYSTEM,
        middleware: [toolSearchMiddleware(toolSearch)],
        checkpointer: new MemorySaver(),
      })
      const config = { configurable: { thread_id: 'a' } }
      return (content) => agent.invoke({ messages: [{ role: 'user', content }] }, config)
    },
  },
  {
    name: 'Mastra, Anthropic',
    service: anthropicMessages,
    habits: bridgeHabits,
    async start(url, toolSearch) {
      const model = createAnthropic({ apiKey: 'any', baseURL: `${url}/v1` })(CLAUDE)
      const agent = new MastraAgent({
        id: 'a',
        name: 'a',
        instructions: SYSTEM,
        // Mastra runs models of AI SDK 7, but its types describe them differently.
        model: model as never,
        inputProcessors: [toolSearchProcessor(toolSearch)],
        memory: new MockMemory({ options: { lastMessages: 1000 } }),
      })
      const memory = { thread: 'a', resource: 'b' }
      return (text) => agent.generate(text, { memory, maxSteps: 10 })
    },
  },
  {
    name: 'OpenAI Agents SDK, OpenAI',
    service: openaiResponses,
    habits: bridgeHabits,
    async start(url, toolSearch) {
      const session = new MemorySession()
      const settings = await openaiAgents(await toolSearch.session('a'), { instructions: SYSTEM })
      const agent = new OpenAIAgent({ name: 'a', model: 'gpt-5.4', ...settings })
      const runner = new OpenAIRunner({
        modelProvider: new OpenAIProvider({ apiKey: 'any', baseURL: `${url}/v1` }),
        tracingDisabled: true,
        toolNotFoundBehavior: 'return_error_to_model',
      })
      return (text) => runner.run(agent, text, { session })
    },
  },
  {
    name: 'Google ADK, Gemini',
    service: gemini,
    habits: bridgeHabits,
    async start(url, toolSearch) {
      setLogLevel(LogLevel.ERROR)
      process.env.GOOGLE_GEMINI_BASE_URL = url
      const sessionService = new InMemorySessionService()
      await sessionService.createSession({ appName: 'a', userId: 'b', sessionId: 'c' })
      const agent = new LlmAgent({
        name: 'helper',
        instruction: SYSTEM,
        model: new Gemini({ model: 'gemini-3-pro', apiKey: 'any' }),
        tools: [adkToolset(await toolSearch.session('a'))],
      })
      const runner = new Runner({ appName: 'a', agent, sessionService })
      return async (text) => {
        const newMessage = { role: 'user', parts: [{ text }] }
        for await (const { errorMessage } of runner.runAsync({
          userId: 'b',
          sessionId: 'c',
          newMessage,
        })) {
          if (errorMessage) throw new Error(errorMessage)
        }
      }
    },
  },
  {
    name: 'Claude Agent SDK, Anthropic',
    service: anthropicMessages,
    habits: {
      search: (text) => ({
        calls: [{ name: 'mcp__tools__tool_search', arguments: { query: text } }],
      }),
      call: (name, input) => ({ ...bridgeHabits.call(name, input), name: 'mcp__tools__call_tool' }),
    },
    async start(url, toolSearch) {
      const home = mkdtempSync(join(tmpdir(), 'toolsearch-bench-'))
      process.once('exit', () => rmSync(home, { recursive: true, force: true }))
      const server = claudeAgentSdk(await toolSearch.session('a'))
      let resume: string | undefined
      return async (prompt) => {
        const replies = query({
          prompt,
          options: {
            ...(resume !== undefined && { resume }),
            mcpServers: { tools: server },
            allowedTools: ['mcp__tools'],
            systemPrompt: SYSTEM,
            model: CLAUDE,
            tools: [],
            settingSources: [],
            cwd: home,
            env: claudeEnv(url, home),
          },
        })
        for await (const message of replies) resume = message.session_id
      }
    },
  },
]

function asSdkTool({ description, inputSchema, execute }: Tool): ToolSet[string] {
  return tool({
    description,
    inputSchema: jsonSchema(inputSchema),
    execute: (input) => execute!(input as Record<string, unknown>, undefined as never),
  })
}
