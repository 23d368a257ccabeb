import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import type { OpenGateway } from '../../packages/gateway/src/open-gateway.ts'

/** What an agent with a fixed plan does with a gateway. Counts what its model reads and writes. */
export interface Conversation {
  /** Calls in one turn of the model. Resolves to their texts, and throws if one of them fails. */
  turn(...calls: readonly MetaCall[]): Promise<string[]>
  readonly cost: ConversationCost
}

export interface MetaCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

export interface ConversationCost {
  /** Turns of the model with calls, and the last one with the answer. */
  readonly turns: number
  /** Tokens of the tool list, all calls and all results: how long the context is at the end. */
  readonly context: number
  /** Tokens of the prompts of all turns together, without a prompt cache. */
  readonly processed: number
}

export function createConversation(gateway: OpenGateway): Conversation {
  let context = tokens(JSON.stringify(gateway.listTools()))
  // The first turn reads the tool list.
  let processed = context
  let turns = 1
  return {
    async turn(...calls) {
      const results = await Promise.all(calls.map((call) => gateway.callTool(call)))
      const texts = results.map(({ content = [], isError }) => {
        const text = content.map(({ text }) => String(text ?? '')).join('\n')
        if (isError) throw new Error(`A call failed: ${text}`)
        return text
      })
      for (const call of calls) context += tokens(JSON.stringify(call))
      for (const text of texts) context += tokens(text)
      // The next turn reads everything again.
      processed += context
      turns += 1
      return texts
    },
    get cost() {
      return { turns, context, processed }
    },
  }
}

function tokens(text: string): number {
  return encode(text).length
}
