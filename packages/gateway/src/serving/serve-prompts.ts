import {
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Prompts } from '../offering/prompts.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import type { Era } from '../protocol/versions.ts'
import { forwardRequest, withProtocolErrors } from './forward-request.ts'
import { reportOf } from './gate-requests.ts'
import { pageOf } from './page-of.ts'
import type { ParkedCalls } from './parked-calls.ts'
import { requestingClient } from './requesting-client.ts'
import { findResource } from './serve-resources.ts'
import type { CallerRequest } from './view-contents.ts'

export interface ServePromptsOptions {
  readonly era: Era
  readonly parked: ParkedCalls
  readonly requestOf: RequestOf
}

/** A request with what its caller may use. */
type RequestOf = (context: ServerContext) => CallerRequest

/** Handles `prompts/list` and `prompts/get` on one connection. */
export function servePrompts(
  server: Server,
  { era, parked, requestOf }: ServePromptsOptions,
): void {
  server.setRequestHandler('prompts/list', async ({ params }, context) => {
    const { prompts } = requestOf(context)
    const { items, ...next } = pageOf(await prompts.list(), params?.cursor)
    return { prompts: items, ...next } as never
  })
  server.setRequestHandler('prompts/get', async ({ params }, context) => {
    const { prompts, resources, caller } = requestOf(context)
    const { upstream, name } = await findPrompt(prompts, params.name, context)
    const renamed = { ...(params as unknown as JsonObject), name }
    const result = await forwardRequest(
      { server, context, era, params: renamed },
      parked,
      (round, options) => upstream.request('prompts/get', round, options),
    )
    resources.learn(upstream.name, result, caller.person.id)
    return result as never
  })
}

/** Handles `completion/complete` for arguments of prompts and of resource templates. */
export function serveCompletion(server: Server, requestOf: RequestOf): void {
  server.setRequestHandler('completion/complete', async ({ params }, context) => {
    const { prompts, resources, caller } = requestOf(context)
    const { ref } = params
    const { upstream, name } =
      ref.type === 'ref/prompt'
        ? await findPrompt(prompts, ref.name, context)
        : { upstream: await findResource(resources, ref.uri, { context, caller }), name: undefined }
    if (upstream.capabilities.completions === undefined) return { completion: { values: [] } }
    const renamed = { ...params, ref: { ...ref, ...(name !== undefined && { name }) } }
    const { options } = requestingClient(server, context)
    const response = upstream.request(
      'completion/complete',
      renamed as unknown as JsonObject,
      options,
    )
    return (await withProtocolErrors(response)) as never
  })
}

async function findPrompt(
  prompts: Prompts,
  name: string,
  context: ServerContext,
): Promise<NonNullable<Awaited<ReturnType<Prompts['find']>>>> {
  const report = reportOf(context)
  const found = await prompts.find(name, {
    ...(report && {
      onDecision: (target, decision) => report.decided({ kind: 'prompt', ...target }, decision),
    }),
  })
  if (found) return found
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown prompt "${name}". Call prompts/list for the available prompts.`,
  )
}
