import type { Server } from '@modelcontextprotocol/server'
import { pageOf } from '../offering/page-of.ts'
import type { Prompts } from '../offering/prompts.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import type { Era } from '../protocol/versions.ts'
import { answerOf } from './answer-of.ts'
import type { ParkedCalls } from './parked-calls.ts'
import { passOn } from './pass-on.ts'

export interface ServePromptsOptions {
  readonly era: Era
  readonly parked: ParkedCalls
  /** Gets what a server gave, as it came. */
  readonly onResult: (server: string, result: JsonObject) => void
}

/** Lists and gives prompts on one connection. */
export function servePrompts(
  server: Server,
  prompts: Prompts,
  { era, parked, onResult }: ServePromptsOptions,
): void {
  server.setRequestHandler('prompts/list', async ({ params }) => {
    const { items, ...next } = pageOf(await prompts.list(), params?.cursor)
    return { prompts: items, ...next } as never
  })
  server.setRequestHandler('prompts/get', async ({ params }, context) => {
    const { upstream, name } = await prompts.find(params.name)
    const incoming = {
      server,
      context,
      era,
      params: { ...(params as unknown as JsonObject), name },
    }
    const result = passOn(incoming, parked, (round, options) =>
      upstream.request('prompts/get', round, options),
    )
    const given = await answerOf(result)
    onResult(upstream.name, given)
    return given as never
  })
}
