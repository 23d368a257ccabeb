import { CLIENT_INFO_META_KEY, type Server } from '@modelcontextprotocol/server'
import { pageOf } from '../offering/page-of.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import type { Era } from '../protocol/versions.ts'
import { answerOf } from './answer-of.ts'
import type { ConnectionList } from './connection-list.ts'
import type { ParkedCalls } from './parked-calls.ts'
import { passOn } from './pass-on.ts'
import type { ConnectionCalls } from './shortcut/connection-calls.ts'

export interface ServeToolsOptions {
  readonly era: Era
  readonly parked: ParkedCalls
  readonly list: ConnectionList
  readonly calls: ConnectionCalls
}

/** Lists and calls tools on one connection. */
export function serveTools(server: Server, { era, parked, list, calls }: ServeToolsOptions): void {
  server.setRequestHandler('tools/list', ({ params }) => {
    const { items: tools, ...next } = pageOf(list.tools(), params?.cursor)
    return { tools, ...next } as never
  })
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { id, envelope } = context.mcpReq
    const begun = calls.takeOver(id)
    const clientInfo = (envelope as JsonObject | undefined)?.[CLIENT_INFO_META_KEY]
    const incoming = { server, context, era, params: params as unknown as JsonObject }
    const result = passOn(incoming, parked, (round, options) =>
      begun ? begun.goOn(options) : calls.run(round, options, clientInfo),
    )
    return (await answerOf(result)) as never
  })
}
