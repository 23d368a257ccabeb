import type { ToolDefinition } from 'toolsearch'
import { startConversation } from '../../packages/toolsearch/src/providers/converse.fixtures.ts'
import type { ProviderCase } from '../../packages/toolsearch/src/providers/provider.fixtures.ts'
import { conversation, type Turn } from './conversation.ts'

/** What the service got in one request, in the order the model reads it. */
export interface PlayedRequest {
  readonly prompt: readonly string[]
  readonly body: Readonly<Record<string, unknown>>
  /** The length of what went over the network. */
  readonly bytes: number
}

export interface PlayOptions {
  readonly mode: string
  readonly tools: readonly ToolDefinition[]
  /** Every tool is sent in every request, and the searches fall away. */
  readonly isEager?: boolean
}

/** Plays the conversation through the provider's own client against the checking server. */
export async function playConversation(
  provider: ProviderCase,
  { mode, tools, isEager = false }: PlayOptions,
): Promise<PlayedRequest[]> {
  const results: string[] = []
  const talk = await startConversation(provider, {
    mode,
    tools,
    run: () => results.shift()!,
    search: isEager ? { activation: 'never' } : {},
  })
  try {
    talk.messages = []
    for (const { user, reply } of conversation) {
      if (user !== undefined) talk.say(user)
      results.push(...(reply.calls ?? []).map((call) => call.result))
      await talk.turn({
        ...(reply.text !== undefined && { text: reply.text }),
        ...(reply.search && !isEager && searchReply(provider, mode, reply.search)),
        ...(reply.calls && { calls: reply.calls.map((call) => callReply(mode, call)) }),
      })
    }
    return talk.accepted().map(({ body, text }) => ({
      prompt: provider.service().promptOf(body),
      body,
      bytes: text.length,
    }))
  } finally {
    await talk.close()
  }
}

type Search = NonNullable<Turn['reply']['search']>
type Call = NonNullable<Turn['reply']['calls']>[number]

function searchReply(provider: ProviderCase, mode: string, { query, loads }: Search) {
  const { calls, clientSearch, ...reply } = provider.search(mode, query, loads)
  // the suites ask for one tool, this model leaves the number open
  return {
    ...reply,
    ...(calls && { calls: calls.map((call) => ({ ...call, arguments: { query } })) }),
    ...(clientSearch && { clientSearch: { ...clientSearch, arguments: { query } } }),
  }
}

function callReply(mode: string, { name, arguments: given }: Call) {
  const inner = { name, arguments: given }
  return mode === 'bridge' ? { name: 'call_tool', arguments: inner } : inner
}
