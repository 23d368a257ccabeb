import {
  type CheckingServer,
  type RecordedRequest,
  startCheckingServer,
} from 'toolsearch-checking-server'
import type { ToolDefinition } from '../catalogue/tool.ts'
import type { Session } from '../session/session.ts'
import { createToolSearch, type ToolSearch, type ToolSearchOptions } from '../toolsearch.ts'
import { type AnyWire, fleet, type ProviderCase, type ScriptedReply } from './provider.fixtures.ts'
import type { Step, WireOptions } from './wire.ts'

/** A conversation between a scripted model and a wire, over the provider's own client. */
export interface Conversation {
  readonly toolSearch: ToolSearch
  session: Session
  readonly server: CheckingServer
  /** May be replaced, as an application would after a restart. */
  wire: AnyWire
  messages: unknown[]
  /** Every call that was left to the application, in order. */
  readonly ran: { name: string; arguments: unknown }[]
  /** One request: the model says this, and what it asks for is done. */
  turn(
    reply: ScriptedReply,
    options?: { toolChoice?: string; streamed?: boolean },
  ): Promise<Step<unknown>>
  say(text: string): void
  /** The requests the service accepted. */
  accepted(): readonly RecordedRequest[]
  close(): Promise<void>
}

export interface ConversationOptions extends WireOptions {
  tools?: readonly ToolDefinition[]
  search?: Omit<ToolSearchOptions, 'tools'>
  /** Fields that the endpoint does not know. */
  rejects?: readonly string[]
  /** What a tool gives back. */
  run?: (name: string) => string
}

export async function startConversation(
  provider: ProviderCase,
  {
    tools = fleet,
    rejects = [],
    search,
    run = (name) => `${name} is done.`,
    ...rest
  }: ConversationOptions = {},
): Promise<Conversation> {
  const toolSearch = createToolSearch({ tools, ...search })
  const session = await toolSearch.session('a')
  const queue: ScriptedReply[] = []
  const server = await startCheckingServer({
    service: provider.service({ rejects }),
    replies: Array.from({ length: 400 }, () => () => queue.shift() ?? { text: 'Done.' }),
  })
  /** Whether it is the model's turn. */
  let isOpen = true
  const conversation: Conversation = {
    toolSearch,
    session,
    server,
    wire: provider.wire(session, { model: provider.model, endpoint: server.url, ...rest }),
    messages: [provider.user('Please help me.')],
    ran: [],
    async turn(reply, { toolChoice, streamed = false } = {}) {
      const { wire, ran } = conversation
      if (!isOpen) conversation.say('Go on.')
      const { messages } = conversation
      const request = await wire.request({
        messages,
        system: 'You are careful.',
        ...(toolChoice !== undefined && { toolChoice }),
      })
      queue.length = 0
      queue.push(reply)
      const step = await wire.handle(
        streamed
          ? await collected(wire, await provider.stream(server.url, request))
          : await provider.send(server.url, request),
      )
      const outputs = step.calls.map((call) => {
        ran.push({ name: call.name, arguments: call.arguments })
        return run(call.name)
      })
      conversation.messages = [...provider.messagesOf(request), ...step.messages(outputs)]
      isOpen = step.goesOn
      return step
    },
    say(text) {
      isOpen = true
      conversation.messages = [...conversation.messages, provider.user(text)]
    },
    accepted: () => server.requests.filter((request) => request.problem === undefined),
    close: () => server.close(),
  }
  return conversation
}

async function collected(wire: AnyWire, events: AsyncIterable<unknown>): Promise<unknown> {
  const collector = wire.collect()
  for await (const event of events) collector.add(event)
  return collector.reply()
}
