import type { SearchOutcome } from 'toolsearch'
import type { Learning } from 'toolsearch/learning'
import { LOCAL_CALLER } from '../identity/caller.ts'
import type { CallOptions, FoundTools } from './gateway-view.ts'

/** Reports searches and successful calls to the memory of uses. */
export interface UseFollower {
  /** The key of the person who searches. */
  personOf(options: CallOptions): string
  /** @param outcome the results of all searches as one */
  searched(
    searches: readonly FoundTools[],
    outcome: Pick<SearchOutcome, 'confidence'>,
    options: CallOptions,
  ): void
  called(tool: string, options: CallOptions): void
}

const SELECT = /^\s*select\s*:/i

/** A conversation is what one person does with one client, because requests need not have a session. */
export function createUseFollower(learning: Learning): UseFollower {
  const followed = (options: CallOptions) => ({
    sessionId: JSON.stringify([personOf(options), options.client?.id]),
    tracker: learning.follow(personOf(options)),
  })
  return {
    personOf,
    searched(searches, { confidence }, options) {
      const { sessionId, tracker } = followed(options)
      for (const { query, hits, candidates } of searches) {
        const form = SELECT.test(query) ? 'select' : 'words'
        const outcome = {
          query,
          form,
          confidence,
          hits: hits.map(toHit),
          candidates: candidates.map(toHit),
        } as const
        tracker.onSearch({ sessionId, outcome })
      }
      // They belong to one reply.
      tracker.onCall({ sessionId, result: { kind: 'answered', reason: 'search' } })
    },
    called(tool, options) {
      const { sessionId, tracker } = followed(options)
      tracker.onCall({
        sessionId,
        result: { kind: 'executed', tool: { name: tool }, isError: false },
      })
    },
  }
}

function personOf({ caller = LOCAL_CALLER }: CallOptions): string {
  return caller.person.id
}

function toHit(name: string): { readonly tool: { readonly name: string } } {
  return { tool: { name } }
}
