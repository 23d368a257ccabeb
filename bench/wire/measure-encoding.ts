import { createToolSearch, type ToolDefinition } from 'toolsearch'
import { providers } from '../../packages/toolsearch/src/providers/all-providers.fixtures.ts'
import type {
  AnyAdapter,
  ProviderCase,
} from '../../packages/toolsearch/src/providers/provider.fixtures.ts'
import { median } from '../statistics.ts'

/** How long it takes to build a request, in milliseconds. */
export interface EncodingTime {
  readonly way: string
  /** The first request of a conversation. */
  readonly first: number
  /** Each further request with a history of 20 messages. */
  readonly short: number
  /** Each further request with a history of 200 messages. */
  readonly long: number
}

const ROUNDS = 300

/** Builds the same request many times in every mode. */
export async function measureEncoding(tools: readonly ToolDefinition[]): Promise<EncodingTime[]> {
  const times: EncodingTime[] = []
  for (const provider of providers) {
    for (const mode of provider.modes) {
      const session = await createToolSearch({ tools }).session('a')
      const adapter = provider.adapter(session, { model: provider.model, mode })
      const first = await timed(adapter, [provider.user('Hello.')])
      const messages = await grow(provider, adapter, mode, tools)
      times.push({
        way: `${provider.name}, ${mode}`,
        first,
        short: await repeat(adapter, messages.slice(0, 20)),
        long: await repeat(adapter, messages),
      })
    }
  }
  return times
}

/** A history of 200 messages: the model searches four times and calls the tools it found. */
async function grow(
  provider: ProviderCase,
  adapter: AnyAdapter,
  mode: string,
  tools: readonly ToolDefinition[],
): Promise<unknown[]> {
  const messages: unknown[] = []
  const callable = tools.filter((tool) => !(tool.inputSchema as { required?: unknown })?.required)
  for (let round = 0; messages.length < 200; round++) {
    const { name } = callable[round % 4]!
    const called = { name, arguments: {} }
    const call = mode === 'bridge' ? { name: 'call_tool', arguments: called } : called
    const reply = round < 4 ? provider.search(mode, `select:${name}`, [name]) : { calls: [call] }
    messages.push(provider.user(`Message ${round}.`))
    const request = await adapter.request({ messages, system: SYSTEM })
    const body = request as Record<string, unknown>
    const step = await adapter.handle(provider.service().encode(reply, body))
    messages.push(...step.messages(step.calls.map(() => 'The tool is done.')))
  }
  return messages.slice(0, 200)
}

async function repeat(adapter: AnyAdapter, messages: readonly unknown[]): Promise<number> {
  const measured: number[] = []
  for (let round = 0; round < ROUNDS; round++) measured.push(await timed(adapter, messages))
  return median(measured)
}

const SYSTEM = 'You are careful.'

async function timed(adapter: AnyAdapter, messages: readonly unknown[]): Promise<number> {
  const start = performance.now()
  await adapter.request({ messages, system: SYSTEM })
  return performance.now() - start
}
