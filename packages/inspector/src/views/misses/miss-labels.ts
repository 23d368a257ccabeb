import type { MissKind } from '../../api/contract.ts'

/** What was wrong with a missed search. */
export const missLabels: Record<MissKind, string> = {
  'nothing-found': 'found nothing',
  'low-confidence': 'low confidence',
  repeated: 'retried',
  'not-called': 'results unused',
}
