import type { Server } from '@modelcontextprotocol/server'
import { wantsLog } from '../offering/log-levels.ts'
import type { UpstreamSet } from '../offering/upstream-set.ts'
import type { Era } from '../protocol/versions.ts'
import { type News, watchNews } from './watch-news.ts'

export interface TellNewsOptions {
  readonly era: Era
  /** Whether this connection wants to hear of a resource. */
  readonly isWatching: (uri: string) => boolean
  /** Whether there is no other connection. */
  readonly isAlone: () => boolean
}

/** Tells one connection what happens at the servers. Gives what ends it. */
export function tellNews(
  server: Server,
  servers: UpstreamSet,
  { era, isWatching, isAlone }: TellNewsOptions,
): () => void {
  async function tell(news: News): Promise<void> {
    switch (news.kind) {
      case 'resources':
        return server.sendResourceListChanged()
      case 'prompts':
        return server.sendPromptListChanged()
      case 'updated': {
        const uri = String(news.params.uri)
        // in the newer era whoever listens says to what, and the SDK keeps to that
        if (era === 'modern' || isWatching(uri)) return server.sendResourceUpdated({ uri })
        return
      }
      case 'message':
        // whose it is cannot be known, and it may tell of what another does
        if (era === 'modern' || !isAlone() || !wantsLog(server, news.params.level)) return
        return server.sendLoggingMessage(news.params as never, server.transport?.sessionId)
    }
  }

  // a client that was not told of a capability is not told of its changes either
  return watchNews(servers, (news) => void tell(news).catch(() => {}))
}
