import type { EncodeRequest } from './worker-messages.ts'

/** The requests of a worker, a few texts at a time, queries first. */
export interface RequestQueue {
  add(request: EncodeRequest): void
  /** Removes a request. Does nothing if it is complete. */
  cancel(id: number): void
  /** The texts to encode next: all of the oldest query, or a few of the oldest request for documents. */
  next(): readonly string[]
  /** Takes the vectors of the texts from `next`, and returns the request if that completes it. */
  complete(vectors: readonly Float32Array[]): readonly CompleteRequest[]
}

interface CompleteRequest {
  readonly id: number
  readonly vectors: readonly Float32Array[]
}

interface Pending {
  readonly request: EncodeRequest
  readonly vectors: Float32Array[]
}

/** A query waits for this many documents at most. */
const MAX_DOCUMENTS = 4

export function createRequestQueue(): RequestQueue {
  const queries: Pending[] = []
  const documents: Pending[] = []
  let current: Pending[] = []

  return {
    add(request) {
      const pending = { request, vectors: [] }
      if (request.kind === 'query') queries.push(pending)
      else documents.push(pending)
    },
    cancel: remove,
    next() {
      // Several short queries together take less time than one after the other.
      current = queries.length > 0 ? [...queries] : documents.slice(0, 1)
      return current.flatMap(remaining)
    },
    complete(vectors) {
      let from = 0
      const complete: CompleteRequest[] = []
      for (const pending of current) {
        const count = remaining(pending).length
        pending.vectors.push(...vectors.slice(from, from + count))
        from += count
        if (pending.vectors.length < pending.request.texts.length) continue
        remove(pending.request.id)
        complete.push({ id: pending.request.id, vectors: pending.vectors })
      }
      return complete
    },
  }

  function remove(id: number): void {
    for (const list of [queries, documents]) {
      const at = list.findIndex(({ request }) => request.id === id)
      if (at >= 0) list.splice(at, 1)
    }
  }
}

function remaining({ request, vectors }: Pending): readonly string[] {
  const limit = request.kind === 'query' ? request.texts.length : MAX_DOCUMENTS
  return request.texts.slice(vectors.length, vectors.length + limit)
}
