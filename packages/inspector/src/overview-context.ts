import { type Context, createContext } from 'preact'
import { useCallback, useContext } from 'preact/hooks'
import { applyToOverview } from './api/apply-event.ts'
import type { LiveEvent, Overview } from './api/contract.ts'
import { useLiveEvent } from './api/gateway-context.ts'
import { type Answer, useAnswer } from './api/use-answer.ts'

/** The overview, fetched once for all views: servers, their order, rankers. */
export const OverviewContext: Context<Answer<Overview> | undefined> = createContext<
  Answer<Overview> | undefined
>(undefined)

/** Fetches the overview and keeps it up to date. */
export function useLiveOverview(): Answer<Overview> {
  const answer = useAnswer('overview', (client, signal) => client.overview(signal))
  const { update, reload } = answer
  useLiveEvent(
    useCallback(
      (event: LiveEvent) => {
        if (event.kind === 'servers') update((overview) => applyToOverview(overview, event))
        if (event.kind === 'servers' || event.kind === 'tools' || event.kind === 'config') reload()
      },
      [update, reload],
    ),
  )
  return answer
}

export function useOverview(): Answer<Overview> {
  const answer = useContext(OverviewContext)
  if (answer === undefined) throw new Error('useOverview must be used inside the app.')
  return answer
}
