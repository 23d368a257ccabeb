import { jsonSchema, type Tool, tool } from 'ai'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import { z } from 'zod'

/** One scripted reply: calls, or the final text. */
export type ScriptedReply = string | readonly { name: string; input: unknown }[]

type Generated = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>
type Streamed = Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream']
type StreamPart = Streamed extends ReadableStream<infer PART> ? PART : never

const usage: Generated['usage'] = {
  inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
}

let calls = 0

function contentOf(reply: ScriptedReply): Generated['content'] {
  if (typeof reply === 'string') return [{ type: 'text', text: reply }]
  return reply.map(({ name, input }) => ({
    type: 'tool-call',
    toolCallId: `call_${++calls}`,
    toolName: name,
    input: typeof input === 'string' ? input : JSON.stringify(input),
  }))
}

/** A model with scripted replies, complete or streamed. */
export function scriptedModel(...script: readonly ScriptedReply[]): MockLanguageModelV4 {
  const left = [...script]
  const next = () => {
    const reply = left.shift()
    if (reply === undefined) throw new Error('The script has no more replies.')
    const unified = typeof reply === 'string' ? ('stop' as const) : ('tool-calls' as const)
    return { content: contentOf(reply), finishReason: { unified, raw: undefined }, usage }
  }
  return new MockLanguageModelV4({
    doGenerate: async () => ({ ...next(), warnings: [] }),
    doStream: async () => {
      const { content, ...end } = next()
      const parts = content.flatMap((part): StreamPart[] =>
        part.type === 'text'
          ? [
              { type: 'text-start', id: '1' },
              { type: 'text-delta', id: '1', delta: part.text },
              { type: 'text-end', id: '1' },
            ]
          : [part as Extract<typeof part, { type: 'tool-call' }>],
      )
      return {
        stream: simulateReadableStream<StreamPart>({
          chunks: [{ type: 'stream-start', warnings: [] }, ...parts, { type: 'finish', ...end }],
          initialDelayInMs: null,
          chunkDelayInMs: null,
        }),
      }
    },
  })
}

/** The tool names of each request, in request order. */
export function sentNames(model: MockLanguageModelV4): string[][] {
  const requests = [...model.doGenerateCalls, ...model.doStreamCalls]
  return requests.map(({ tools = [] }) => tools.map(({ name }) => name))
}

/** The results of the model's last calls. */
export function lastResults(model: MockLanguageModelV4): string[] {
  const requests = [...model.doGenerateCalls, ...model.doStreamCalls]
  const last = requests.at(-1)!.prompt.at(-1)!
  if (last.role !== 'tool') return []
  return last.content.map((part) => {
    const value = part.type === 'tool-result' && 'value' in part.output ? part.output.value : ''
    // The SDK prefixes the message with the name of the error.
    return typeof value === 'string' ? value.replace(/^AI_\w+: /, '') : JSON.stringify(value)
  })
}

export const search = (query: string): { name: string; input: unknown } => ({
  name: 'tool_search',
  input: { query },
})

export type SomeTools = {
  zebra: Tool<{ width: number }, string>
  shell: Tool<{ command: string }, string>
  weather: Tool<{ city: string }, string>
  mail: Tool<{ to: string }, string>
  ask: Tool<{ question: string }, string>
}

/** Two eager tools between three deferred ones. Calls are recorded in `ran`. */
export function someTools(ran: unknown[] = []): SomeTools {
  const run = (name: string) => (input: unknown) => {
    ran.push([name, input])
    return `${name} done`
  }
  return {
    zebra: tool({
      description: 'Draws a zebra crossing',
      inputSchema: z.object({ width: z.number() }),
      execute: run('zebra'),
    }),
    shell: tool({
      description: 'Runs a command',
      deferLoading: false,
      inputSchema: z.object({ command: z.string() }),
      execute: run('shell'),
    }),
    weather: tool({
      description: 'Tells the weather of a city',
      inputSchema: z.object({ city: z.string().min(2) }),
      execute: run('weather'),
    }),
    mail: tool({
      description: 'Sends a letter to somebody',
      inputSchema: jsonSchema<{ to: string }>({
        type: 'object',
        properties: { to: { type: 'string' } },
        required: ['to'],
        additionalProperties: false,
      }),
      execute: run('mail'),
    }),
    ask: tool({
      description: 'Asks the user',
      deferLoading: false,
      inputSchema: z.object({ question: z.string() }),
      execute: run('ask'),
    }),
  }
}

/** Many tools, as an agent with several MCP servers has. */
export function manyTools(count: number): Record<string, Tool> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `tool_${index}`,
      tool({
        description: `Does the thing number${index} with care`,
        inputSchema: z.object({ amount: z.number(), reason: z.string().optional() }),
        execute: async () => `did ${index}`,
      }),
    ]),
  )
}
