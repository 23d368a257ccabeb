import type { Server } from '@modelcontextprotocol/server'
import type { Prompts } from '../offering/prompts.ts'
import type { Resources } from '../offering/resources.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import { answerOf } from './answer-of.ts'
import { callerOf } from './caller.ts'

/** Completes arguments of prompts and of templates, by the server that has them. */
export function serveCompletion(server: Server, prompts: Prompts, resources: Resources): void {
  server.setRequestHandler('completion/complete', async ({ params }, context) => {
    const { ref } = params
    const { upstream, name } =
      ref.type === 'ref/prompt'
        ? await prompts.find(ref.name)
        : { upstream: await resources.find(ref.uri), name: undefined }
    if (upstream.capabilities.completions === undefined) return { completion: { values: [] } }
    const there = { ...params, ref: { ...ref, ...(name !== undefined && { name }) } }
    const { options } = callerOf(server, context)
    const asked = upstream.request('completion/complete', there as unknown as JsonObject, options)
    return (await answerOf(asked)) as never
  })
}
