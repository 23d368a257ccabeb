import type { CostReport } from '../inspection/cost-report.ts'
import { formatNumber } from './format.ts'

/** What tool search saves, or what to do if it saves nothing. */
export function savingsText({ savedPerTurn, savedPer100Turns, advice }: CostReport): string {
  if (savedPerTurn > 0) {
    return (
      `Tokens saved                        ${formatNumber(savedPerTurn)} per request, ` +
      `${formatNumber(savedPer100Turns)} in 100 requests`
    )
  }
  return advice ?? 'Tool search neither saves nor costs tokens with these tools.'
}
