import type { UpstreamSet } from '../offering/upstream-set.ts'
import type { JsonObject } from '../protocol/json-object.ts'

/** Something that happened at the servers and belongs to no request. */
export type News =
  | { readonly kind: 'resources' | 'prompts' }
  | { readonly kind: 'updated'; readonly params: JsonObject }
  | { readonly kind: 'message'; readonly params: JsonObject }

/** Tells what the servers tell, and when a list is another because a server came or went. */
export function watchNews(servers: UpstreamSet, listener: (news: News) => void): () => void {
  const lists = ['resources', 'prompts'] as const
  let offering = lists.map((kind) => whoOffers(servers, kind))
  const stops = [
    servers.subscribe(() => {
      const before = offering
      offering = lists.map((kind) => whoOffers(servers, kind))
      for (const [at, kind] of lists.entries()) {
        if (before[at] !== offering[at]) listener({ kind })
      }
    }),
    servers.onNotification((_, method, params) => {
      if (method === 'notifications/resources/list_changed') listener({ kind: 'resources' })
      if (method === 'notifications/prompts/list_changed') listener({ kind: 'prompts' })
      if (method === 'notifications/resources/updated') listener({ kind: 'updated', params })
      if (method === 'notifications/message') listener({ kind: 'message', params })
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

function whoOffers({ upstreams }: UpstreamSet, capability: string): string {
  const names = [...upstreams.values()]
    .filter(({ status, capabilities }) => {
      const isThere = status.state === 'ready' || status.state === 'idle'
      return isThere && capabilities[capability] !== undefined
    })
    .map(({ name }) => name)
  return JSON.stringify(names)
}
