import {
  type CheckingServer,
  inProcessServer,
  type RecordedRequest,
  type ReplyCall,
} from 'toolsearch-checking-server'
import type { ToolDefinition } from '../catalogue/tool.ts'
import type { Session } from '../session/session.ts'
import { createToolSearch, type ToolSearch, type ToolSearchOptions } from '../toolsearch.ts'
import {
  type AnyAdapter,
  type ProviderCase,
  type ScriptedReply,
  sampleTools,
} from './provider.fixtures.ts'
import type { AdapterOptions } from './provider-adapter.ts'
import type { Step, StepCall } from './step.ts'

/** A conversation between a scripted model and an adapter, over the provider's official client. */
export interface Conversation {
  readonly toolSearch: ToolSearch
  session: Session
  readonly server: CheckingServer
  /** Tests can replace it to simulate a restart of the application. */
  adapter: AnyAdapter
  messages: unknown[]
  /** Every call that the application had to run, in order. */
  readonly ran: { name: string; arguments: unknown }[]
  /** Sends one request, lets the model answer with `reply`, and runs its calls. */
  turn(
    reply: NextReply,
    options?: { toolChoice?: string; streamed?: boolean; expect?: boolean | string },
  ): Promise<Step<unknown>>
  /** What the model replies to the next request, for tests that send it themselves. */
  next(reply: NextReply): void
  /** A reply that calls a tool as the request allows it: by its name, or through `call_tool`. */
  calling(...calls: readonly ReplyCall[]): NextReply
  /** Adds a user message. */
  say(text: string): void
  /** The requests that the service accepted. */
  accepted(): readonly RecordedRequest[]
  close(): Promise<void>
}

/** A reply of the model, or a function of the request that it answers. */
type NextReply = ScriptedReply | ((request: RecordedRequest) => ScriptedReply)

export interface ConversationOptions extends AdapterOptions {
  tools?: readonly ToolDefinition[]
  search?: Omit<ToolSearchOptions, 'tools'>
  /** Used instead of a session over `tools`. */
  session?: Session
  /** Fields that the endpoint rejects as unknown. */
  rejects?: readonly string[]
  /** Returns the output of a tool. */
  run?: (name: string, call: StepCall) => unknown
}

export async function startConversation(
  provider: ProviderCase,
  {
    tools = sampleTools,
    rejects = [],
    search,
    session: given,
    run = (name) => `${name} is done.`,
    ...rest
  }: ConversationOptions = {},
): Promise<Conversation> {
  const toolSearch = createToolSearch({ tools, ...search })
  const session = given ?? (await toolSearch.session('a'))
  const queue: NextReply[] = []
  const server = inProcessServer({
    service: provider.service({ rejects }),
    replies: Array.from({ length: 400 }, () => (request: RecordedRequest) => {
      const reply = queue.shift() ?? { text: 'Done.' }
      return typeof reply === 'function' ? reply(request) : reply
    }),
  })
  let isModelsTurn = true
  const conversation: Conversation = {
    toolSearch,
    session,
    server,
    adapter: provider.adapter(session, { model: provider.model, endpoint: server.url, ...rest }),
    messages: [provider.user('Please help me.')],
    ran: [],
    async turn(reply, { toolChoice, streamed = false, expect } = {}) {
      const { adapter, ran } = conversation
      if (!isModelsTurn) conversation.say('Go on.')
      const { messages } = conversation
      const request = await adapter.request({
        messages,
        system: 'You are careful.',
        ...(toolChoice !== undefined && { toolChoice }),
        ...(expect !== undefined && { expect }),
      })
      conversation.next(reply)
      const step = await adapter.handle(
        streamed
          ? await collected(adapter, await provider.stream(server.url, request))
          : await provider.send(server.url, request),
      )
      const outputs = step.calls.map((call) => {
        ran.push({ name: call.name, arguments: call.arguments })
        return run(call.name, call)
      })
      conversation.messages = [...provider.messagesOf(request), ...step.messages(outputs)]
      isModelsTurn = step.shouldContinue
      return step
    },
    next(reply) {
      queue.length = 0
      queue.push(reply)
    },
    calling:
      (...calls) =>
      ({ body }) => {
        const callable = provider.service().callableTools(body, {})
        return {
          calls: calls.map((call) => {
            const name = conversation.adapter.nameOf(call.name)
            const isListed = callable.some((tool) => tool.name === name)
            return isListed ? { ...call, name } : { name: 'call_tool', arguments: call }
          }),
        }
      },
    say(text) {
      isModelsTurn = true
      conversation.messages = [...conversation.messages, provider.user(text)]
    },
    accepted: () => server.requests.filter((request) => request.problem === undefined),
    close: () => server.close(),
  }
  return conversation
}

async function collected(adapter: AnyAdapter, events: AsyncIterable<unknown>): Promise<unknown> {
  const collector = adapter.collect()
  for await (const event of events) collector.add(event)
  return collector.reply()
}
