import {
  type Event,
  Gemini,
  InMemorySessionService,
  LlmAgent,
  LogLevel,
  Runner,
  StreamingMode,
  setLogLevel,
} from '@google/adk'
import {
  type CheckingServer,
  gemini,
  inProcessServer,
  type Reply,
  type Service,
} from 'toolsearch-checking-server'
import { afterEach, vi } from 'vitest'
import type { ToolDefinition } from '../../catalogue/tool.ts'
import { createToolSearch, type ToolSearch } from '../../toolsearch.ts'
import { conversationTools } from '../long-conversation.fixtures.ts'
import { type AdkToolsetOptions, adkToolset } from './index.ts'

export const done: Reply = { text: 'Done.' }

setLogLevel(LogLevel.ERROR)

let running: CheckingServer | undefined
afterEach(async () => {
  vi.unstubAllEnvs()
  await running?.close()
})

export interface StartOptions {
  service?: Service
  replies?: readonly Reply[]
  tools?: readonly ToolDefinition[]
  options?: AdkToolsetOptions
  model?: string
}

export interface Started {
  server: CheckingServer
  /** The names of the tools that ran. */
  ran: string[]
  toolSearch: ToolSearch
  sessionService: InMemorySessionService
  /** Runs the agent to its end and returns its events. */
  say(message: string | object, options?: SayOptions): Promise<Event[]>
  /** Creates the agent again, as another process would. */
  restart(): Promise<void>
}

interface SayOptions {
  stream?: boolean
  abortSignal?: AbortSignal
}

/** An agent of ADK whose model is the checking server. */
export async function start({
  service = gemini(),
  replies = [],
  tools,
  options,
  model = 'gemini-3-pro',
}: StartOptions = {}): Promise<Started> {
  const server = inProcessServer({ service, replies })
  running = server
  // the client of ADK reads the address from here
  vi.stubEnv('GOOGLE_GEMINI_BASE_URL', server.url)
  const ran: string[] = []
  const toolSearch = createToolSearch({
    tools: [...(tools ?? conversationTools(ran))],
    activation: 'always',
  })
  const sessionService = new InMemorySessionService()
  const place = { appName: 'test', userId: 'ann', sessionId: 'a' }
  await sessionService.createSession(place)
  let runner: Runner
  await restart()
  return { server, ran, toolSearch, sessionService, say, restart }

  async function restart(): Promise<void> {
    const agent = new LlmAgent({
      name: 'helper',
      instruction: 'Be brief.',
      model: new Gemini({ model, apiKey: 'any' }),
      tools: [adkToolset(await toolSearch.session('a'), options)],
    })
    runner = new Runner({ appName: 'test', agent, sessionService })
  }

  async function say(message: string | object, { stream, abortSignal }: SayOptions = {}) {
    const part = typeof message === 'string' ? { text: message } : message
    const events: Event[] = []
    for await (const event of runner.runAsync({
      userId: 'ann',
      sessionId: 'a',
      newMessage: { role: 'user', parts: [part] },
      runConfig: { streamingMode: stream ? StreamingMode.SSE : StreamingMode.NONE },
      ...(abortSignal && { abortSignal }),
    })) {
      events.push(event)
      if (event.errorMessage) throw new Error(event.errorMessage)
    }
    return events
  }
}
