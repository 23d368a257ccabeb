import { ProtocolErrorCode, type Server } from '@modelcontextprotocol/server'
import type { Era, JsonObject } from '../upstreams/upstream.ts'
import { answerOf } from './answer-of.ts'
import type { CallOptions, Gateway } from './gateway.ts'
import { pageOf } from './page-of.ts'
import type { ParkedCalls } from './parked-calls.ts'
import { passOn } from './pass-on.ts'

export interface ServeToolsOptions extends Required<Pick<CallOptions, 'onResult'>> {
  readonly era: Era
  readonly parked: ParkedCalls
}

/** Lists and calls tools on one connection. Gives what ends it. */
export function serveTools(
  server: Server,
  gateway: Gateway,
  { era, parked, onResult }: ServeToolsOptions,
): () => void {
  // in the newer era a list must not depend on what happened in the connection
  const mayGrow = () => era === 'legacy' && gateway.isDynamic
  /** What was found in this connection, in the order in which it was. */
  const found = new Set<string>()
  const tellChanged = () => void server.sendToolListChanged().catch(() => {})

  // a client of the older era has to open an address then; the newer one knows no such error
  const rejectsWith: CallOptions['rejectsWith'] = ({ code }, isDirect) =>
    code === ProtocolErrorCode.UrlElicitationRequired ? era === 'legacy' : isDirect

  function join(names: readonly string[]): void {
    if (!mayGrow()) return
    const before = gateway.listTools(found).length
    for (const name of names) found.add(name)
    if (gateway.listTools(found).length > before) tellChanged()
  }

  server.setRequestHandler('tools/list', ({ params }) => {
    const list = gateway.listTools(mayGrow() ? found : [])
    const { items: tools, ...next } = pageOf(list, params?.cursor)
    return { tools, ...next } as never
  })
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const incoming = { server, context, era, params: params as unknown as JsonObject }
    const result = passOn(incoming, parked, (round, options) =>
      gateway.callTool(round, { ...options, onFound: join, onResult, rejectsWith }),
    )
    return (await answerOf(result)) as never
  })
  return gateway.onListChanged(tellChanged)
}
