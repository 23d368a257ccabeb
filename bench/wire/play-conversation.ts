import type { ToolDefinition } from 'toolsearch'
import { startConversation } from '../../packages/toolsearch/src/providers/converse.fixtures.ts'
import type { ProviderCase } from '../../packages/toolsearch/src/providers/provider.fixtures.ts'
import { conversation, type Turn } from './conversation.ts'

/** One request as the service received it. */
export interface PlayedRequest {
  /** In the order in which the model reads it. */
  readonly prompt: readonly string[]
  readonly body: Readonly<Record<string, unknown>>
  /** Size of the request body. */
  readonly bytes: number
}

export interface PlayOptions {
  readonly mode: string
  readonly tools: readonly ToolDefinition[]
  /** Sends every tool in every request, without searches. */
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
  // The provider fixtures request a fixed number of tools; this model leaves the limit out.
  return {
    ...reply,
    ...(calls && { calls: calls.map((call) => ({ ...call, arguments: { query } })) }),
    ...(clientSearch && { clientSearch: { ...clientSearch, arguments: { query } } }),
  }
}

function callReply(mode: string, { name, arguments: args }: Call) {
  const call = { name, arguments: args }
  return mode === 'bridge' ? { name: 'call_tool', arguments: call } : call
}
