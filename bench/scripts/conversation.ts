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
  /** Calls after the search. */
  readonly calls: number
  /** Tokens of the longest result of these calls. */
  readonly largestResult: number
  /** Tokens of the tool list, all calls and all results: how long the context is at the end. */
  readonly context: number
  /** Tokens of the prompts of all turns together, without a prompt cache. */
  readonly processed: number
  /**
   * The price of all turns with a prompt cache, in tokens of uncached input. The tool list is in the
   * cache already.
   */
  readonly price: number
}

/** Prices relative to uncached input, as Anthropic charges them for its current models. */
export const PRICES = { cacheRead: 0.1, cacheWrite: 1.25, output: 5 }

export function createConversation(gateway: OpenGateway): Conversation {
  let context = tokens(JSON.stringify(gateway.listTools().map(readByModel)))
  // The first turn reads the tool list.
  let processed = context
  let price = context * PRICES.cacheRead
  let turns = 1
  let callCount = 0
  let largestResult = 0
  return {
    async turn(...calls) {
      const results = await Promise.all(calls.map((call) => gateway.callTool(call)))
      const texts = results.map(({ content = [], isError }) => {
        const text = content.map(({ text }) => String(text ?? '')).join('\n')
        if (isError) throw new Error(`A call failed: ${text}`)
        return text
      })
      const written = sum(calls.map((call) => tokens(JSON.stringify(call))))
      const sizes = texts.map(tokens)
      const added = written + sum(sizes)
      // The next turn reads everything again; what is new enters the cache.
      price += written * PRICES.output + context * PRICES.cacheRead + added * PRICES.cacheWrite
      context += added
      processed += context
      turns += 1
      if (calls[0]?.name !== 'tool_search') {
        callCount += calls.length
        largestResult = Math.max(largestResult, ...sizes)
      }
      return texts
    },
    get cost() {
      return {
        turns,
        calls: callCount,
        largestResult,
        context,
        processed,
        price: Math.round(price),
      }
    },
  }
}

/** Clients keep annotations and `_meta` for themselves. */
function readByModel({
  name,
  description,
  inputSchema,
}: ReturnType<OpenGateway['listTools']>[number]): object {
  return { name, description, inputSchema }
}

function tokens(text: string): number {
  return encode(text).length
}

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0)
}
