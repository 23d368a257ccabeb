import {
  ResourceNotFoundError,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Caller } from '../identity/caller.ts'
import type { Resources } from '../offering/resources.ts'
import type { Subscriptions } from '../offering/subscriptions.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import type { Era } from '../protocol/versions.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import { addSubscription, memoryOf, removeSubscription } from './connection-memory.ts'
import { forwardRequest, withProtocolErrors } from './forward-request.ts'
import { reportOf } from './gate-requests.ts'
import { pageOf } from './page-of.ts'
import type { ParkedCalls } from './parked-calls.ts'
import { readSkillResource, withSkillResources } from './serve-skills.ts'
import type { CallerRequest } from './view-contents.ts'

export interface ServeResourcesOptions {
  readonly era: Era
  readonly parked: ParkedCalls
  readonly subscriptions: Subscriptions
  /** A request with the resources that its caller may read. */
  readonly requestOf: (context: ServerContext) => CallerRequest
}

/** Handles the `resources/` methods on one connection. Call the returned function when it closes. */
export function serveResources(
  server: Server,
  { era, parked, subscriptions, requestOf }: ServeResourcesOptions,
): () => void {
  server.setRequestHandler('resources/list', async ({ params }, context) => {
    const { resources, view } = requestOf(context)
    const all = withSkillResources(await resources.list(), view.skills)
    const { items, ...next } = pageOf(all, params?.cursor)
    return { resources: items, ...next } as never
  })
  server.setRequestHandler('resources/templates/list', async ({ params }, context) => {
    const { resources } = requestOf(context)
    const { items, ...next } = pageOf(await resources.templates(), params?.cursor)
    return { resourceTemplates: items, ...next } as never
  })
  server.setRequestHandler('resources/read', async ({ params }, context) => {
    const request = requestOf(context)
    const { resources, caller } = request
    const skill = await withProtocolErrors(readSkillResource(params.uri, request, context))
    if (skill) return skill as never
    const upstream = await findResource(resources, params.uri, { context, caller })
    const result = await forwardRequest(
      { server, context, era, params: params as unknown as JsonObject },
      parked,
      (round, options) => upstream.request('resources/read', round, options),
    )
    resources.learn(upstream.name, result, caller.person.id)
    return result as never
  })
  // Modern clients subscribe with `subscriptions/listen`, which the SDK handles.
  if (era === 'modern') return () => {}
  const memory = memoryOf(server)
  server.setRequestHandler('resources/subscribe', async ({ params }, context) => {
    const { resources, caller } = requestOf(context)
    const upstream = await findResource(resources, params.uri, { context, caller })
    const client = { connection: server, person: caller.person.id }
    await withProtocolErrors(subscriptions.add(client, upstream, params.uri))
    const [oldest] = memory.values.subscriptions
    await memory.change((before) => addSubscription(before, params.uri))
    // There are so many that the oldest one was forgotten.
    if (oldest !== undefined && !memory.values.subscriptions.includes(oldest)) {
      await subscriptions.remove(server, oldest).catch(() => {})
    }
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', async ({ params }) => {
    await withProtocolErrors(subscriptions.remove(server, params.uri))
    await memory.change((before) => removeSubscription(before, params.uri))
    return {}
  })
  return () => subscriptions.forget(server)
}

/** The server that has a resource. Reports the decision to the gates, if there are any. */
export async function findResource(
  resources: Resources,
  uri: string,
  { context, caller }: { readonly context: ServerContext; readonly caller: Caller },
): Promise<Upstream> {
  const report = reportOf(context)
  const upstream = await resources.find(uri, {
    person: caller.person.id,
    ...(report && {
      onDecision: (target, decision) => report.decided({ kind: 'resource', ...target }, decision),
    }),
  })
  if (!upstream) throw new ResourceNotFoundError(uri)
  return upstream
}
