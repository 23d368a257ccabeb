import { openaiProblem } from '../openai/openai-problem.ts'
import type { Problem } from '../problem.ts'
import type { EncodedResponse } from './encode-responses.ts'
import type { Item, ResponsesBody } from './responses-body.ts'

/** The responses that the service stores, unless a request sets `store: false`. */
export interface ResponseStore {
  keep(body: ResponsesBody, response: EncodedResponse): void
  /** The problem if a request refers to something that is not stored. */
  missing(body: ResponsesBody): Problem | undefined
  /** The request with everything that it refers to inserted. */
  resolve(body: ResponsesBody): ResponsesBody
}

/** Lets requests continue a response and reference items instead of sending them again. */
export function createResponseStore(): ResponseStore {
  const conversations = new Map<string, readonly Item[]>()
  const items = new Map<string, Item>()

  const resolve = (body: ResponsesBody): ResponsesBody => {
    const earlier = conversations.get(body.previous_response_id ?? '') ?? []
    const current = itemsIn(body).map(
      (item) => (isReference(item) && items.get(item.id ?? '')) || item,
    )
    return { ...body, input: [...earlier, ...current] }
  }

  return {
    resolve,
    keep(body, response) {
      if (body.store === false) return
      const output = response.output as readonly Item[]
      for (const item of output) items.set(item.id!, item)
      conversations.set(response.id, [...itemsIn(resolve(body)), ...output])
    },
    missing(body) {
      const previous = body.previous_response_id
      if (previous && !conversations.has(previous)) {
        return openaiProblem(400, `Previous response with id '${previous}' not found.`, {
          param: 'previous_response_id',
          code: 'previous_response_not_found',
        })
      }
      const unknown = itemsIn(body).find((item) => isReference(item) && !items.has(item.id ?? ''))
      if (!unknown) return undefined
      return openaiProblem(
        404,
        `Item with id '${unknown.id}' not found. Items are not persisted when \`store\` is set to false.`,
        { param: 'input' },
      )
    },
  }
}

function isReference({ type }: Item): boolean {
  return type === 'item_reference'
}

function itemsIn({ input = [] }: ResponsesBody): readonly Item[] {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : input
}
