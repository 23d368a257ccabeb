import type { Server } from '@modelcontextprotocol/server'
import { pageOf } from '../offering/page-of.ts'
import type { Resources } from '../offering/resources.ts'
import type { Subscriptions } from '../offering/subscriptions.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import type { Era } from '../protocol/versions.ts'
import { answerOf } from './answer-of.ts'
import type { ParkedCalls } from './parked-calls.ts'
import { passOn } from './pass-on.ts'

export interface ServeResourcesOptions {
  readonly era: Era
  readonly parked: ParkedCalls
  readonly subscriptions: Subscriptions
}

/** Lists, reads and watches resources on one connection. Gives what ends it. */
export function serveResources(
  server: Server,
  resources: Resources,
  { era, parked, subscriptions }: ServeResourcesOptions,
): () => void {
  server.setRequestHandler('resources/list', async ({ params }) => {
    const { items, ...next } = pageOf(await resources.list(), params?.cursor)
    return { resources: items, ...next } as never
  })
  server.setRequestHandler('resources/templates/list', async ({ params }) => {
    const { items, ...next } = pageOf(await resources.templates(), params?.cursor)
    return { resourceTemplates: items, ...next } as never
  })
  server.setRequestHandler('resources/read', async ({ params }, context) => {
    const upstream = await resources.find(params.uri)
    const incoming = { server, context, era, params: params as unknown as JsonObject }
    const result = passOn(incoming, parked, (round, options) =>
      upstream.request('resources/read', round, options),
    )
    const given = await answerOf(result)
    resources.learn(upstream.name, given)
    return given as never
  })
  // the newer era subscribes by listening, which the SDK answers
  if (era === 'modern') return () => {}
  server.setRequestHandler('resources/subscribe', async ({ params }) => {
    await answerOf(subscriptions.add(server, params.uri))
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', async ({ params }) => {
    await answerOf(subscriptions.remove(server, params.uri))
    return {}
  })
  return () => subscriptions.forget(server)
}
