import { createToolSearch, type ToolDefinition } from 'toolsearch'
import { providers } from '../../packages/toolsearch/src/providers/all-providers.fixtures.ts'
import { median } from '../statistics.ts'

/** How long it takes to build a request, in milliseconds. */
export interface EncodingTime {
  readonly way: string
  readonly first: number
  readonly median: number
}

const ROUNDS = 300

/** Builds the same request many times in every mode, with a history of 20 messages. */
export async function measureEncoding(tools: readonly ToolDefinition[]): Promise<EncodingTime[]> {
  const times: EncodingTime[] = []
  for (const provider of providers) {
    for (const mode of provider.modes) {
      const session = await createToolSearch({ tools }).session('a')
      const adapter = provider.adapter(session, { model: provider.model, mode })
      const messages = Array.from({ length: 20 }, (_, at) => provider.user(`Message ${at}.`))
      const measured: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const start = performance.now()
        await adapter.request({ messages, system: 'You are careful.' })
        measured.push(performance.now() - start)
      }
      const [first = 0, ...rest] = measured
      times.push({ way: `${provider.name}, ${mode}`, first, median: median(rest) })
    }
  }
  return times
}
