import { ResourceNotFoundError, type Server } from '@modelcontextprotocol/server'
import type { Resources } from '../offering/resources.ts'
import type { Subscriptions } from '../offering/subscriptions.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import type { Era } from '../protocol/versions.ts'
import { forwardRequest, withProtocolErrors } from './forward-request.ts'
import { pageOf } from './page-of.ts'
import type { ParkedCalls } from './parked-calls.ts'

export interface ServeResourcesOptions {
  readonly era: Era
  readonly parked: ParkedCalls
  readonly subscriptions: Subscriptions
}

/** Handles the `resources/` methods on one connection. Call the returned function when it closes. */
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
    if (!upstream) throw new ResourceNotFoundError(params.uri)
    const result = await forwardRequest(
      { server, context, era, params: params as unknown as JsonObject },
      parked,
      (round, options) => upstream.request('resources/read', round, options),
    )
    resources.learn(upstream.name, result)
    return result as never
  })
  // Modern clients subscribe with `subscriptions/listen`, which the SDK handles.
  if (era === 'modern') return () => {}
  server.setRequestHandler('resources/subscribe', async ({ params }) => {
    const isFound = await withProtocolErrors(subscriptions.add(server, params.uri))
    if (!isFound) throw new ResourceNotFoundError(params.uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', async ({ params }) => {
    await withProtocolErrors(subscriptions.remove(server, params.uri))
    return {}
  })
  return () => subscriptions.forget(server)
}
