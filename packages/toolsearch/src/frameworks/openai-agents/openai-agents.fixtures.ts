import {
  Agent,
  OpenAIProvider,
  Runner,
  type Session as SdkSession,
  toolNamespace,
  toolSearchTool,
} from '@openai/agents'
import {
  type CheckingServer,
  inProcessServer,
  openaiResponses,
  type Reply,
  type Service,
} from 'toolsearch-checking-server'
import { afterEach } from 'vitest'
import type { ToolDefinition } from '../../catalogue/tool.ts'
import type { Session } from '../../session/session.ts'
import { createToolSearch, type ToolSearch } from '../../toolsearch.ts'
import { conversationTools } from '../long-conversation.fixtures.ts'
import type { NativeSearch, OpenaiAgentsOptions, OpenaiAgentsSettings } from './index.ts'
import { openaiAgents } from './index.ts'

export const native: NativeSearch = { toolSearchTool, toolNamespace }
export const done: Reply = { text: 'Done.' }

let running: CheckingServer | undefined
afterEach(() => running?.close())

export interface StartOptions {
  service?: Service
  replies?: readonly Reply[]
  tools?: readonly ToolDefinition[]
  options?: OpenaiAgentsOptions
}

export interface Started {
  server: CheckingServer
  /** The names of the tools that ran. */
  ran: string[]
  toolSearch: ToolSearch
  session: Session
  settings: OpenaiAgentsSettings
  agent: Agent<unknown>
  runner: Runner
}

/** An agent of the SDK whose model is the checking server. */
export async function start({
  service = openaiResponses(),
  replies = [],
  tools,
  options,
}: StartOptions = {}): Promise<Started> {
  const server = inProcessServer({ service, replies })
  running = server
  const ran: string[] = []
  const toolSearch = createToolSearch({
    tools: [...(tools ?? conversationTools(ran))],
    activation: 'always',
  })
  const session = await toolSearch.session('a')
  const settings = await openaiAgents(session, options)
  const agent = createAgent(settings)
  return {
    server,
    ran,
    toolSearch,
    session,
    settings,
    agent,
    runner: createRunner(server, service),
  }
}

export function createAgent(settings: OpenaiAgentsSettings, name = 'Test'): Agent<unknown> {
  return new Agent({ name, model: 'gpt-5.4', ...settings })
}

export function createRunner(server: CheckingServer, service: Service): Runner {
  const modelProvider = new OpenAIProvider({
    apiKey: 'any',
    baseURL: `${server.url}/v1`,
    useResponses: service.matches('/v1/responses'),
  })
  return new Runner({
    modelProvider,
    tracingDisabled: true,
    toolNotFoundBehavior: 'return_error_to_model',
  })
}

/** Runs the agent to its end. */
export async function say(
  runner: Runner,
  agent: Agent<unknown>,
  text: string,
  { stream, session }: { stream: boolean; session: SdkSession },
): Promise<void> {
  if (!stream) return void (await runner.run(agent, text, { session }))
  const result = await runner.run(agent, text, { session, stream: true })
  for await (const _event of result);
  await result.completed
}
