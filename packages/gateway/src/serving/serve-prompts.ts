import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
} from '@modelcontextprotocol/server'
import type { Prompts } from '../offering/prompts.ts'
import type { Resources } from '../offering/resources.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import type { Era } from '../protocol/versions.ts'
import { callerOf } from './caller.ts'
import { forwardRequest, withProtocolErrors } from './forward-request.ts'
import { pageOf } from './page-of.ts'
import type { ParkedCalls } from './parked-calls.ts'

export interface ServePromptsOptions {
  readonly era: Era
  readonly parked: ParkedCalls
  /** Receives the unmodified result of a server. */
  readonly onResult: (server: string, result: JsonObject) => void
}

/** Handles `prompts/list` and `prompts/get` on one connection. */
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
    const { upstream, name } = await findPrompt(prompts, params.name)
    const renamed = { ...(params as unknown as JsonObject), name }
    const result = await forwardRequest(
      { server, context, era, params: renamed },
      parked,
      (round, options) => upstream.request('prompts/get', round, options),
    )
    onResult(upstream.name, result)
    return result as never
  })
}

/** Handles `completion/complete` for arguments of prompts and of resource templates. */
export function serveCompletion(server: Server, prompts: Prompts, resources: Resources): void {
  server.setRequestHandler('completion/complete', async ({ params }, context) => {
    const { ref } = params
    const { upstream, name } =
      ref.type === 'ref/prompt'
        ? await findPrompt(prompts, ref.name)
        : { upstream: await resources.find(ref.uri), name: undefined }
    if (!upstream) throw new ResourceNotFoundError((ref as { uri: string }).uri)
    if (upstream.capabilities.completions === undefined) return { completion: { values: [] } }
    const renamed = { ...params, ref: { ...ref, ...(name !== undefined && { name }) } }
    const { options } = callerOf(server, context)
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
): Promise<NonNullable<Awaited<ReturnType<Prompts['find']>>>> {
  const found = await prompts.find(name)
  if (found) return found
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown prompt "${name}". Call prompts/list for the available prompts.`,
  )
}
