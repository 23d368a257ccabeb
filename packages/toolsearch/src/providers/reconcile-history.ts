import type { IndexedRepair, Provider, ReconcileContext, Repaired } from './provider.ts'

/** Runs the second step of a repair and reports the changes of both steps. */
export function reconcileHistory<Message>(
  { reconcile }: Pick<Provider<Message, never, never>, 'reconcile'>,
  { messages, repairs, indexes }: IndexedRepair<Message>,
  context: ReconcileContext,
): Repaired<Message> {
  const reconciled = reconcile?.(messages, context)
  if (reconciled === undefined || reconciled.repairs.length === 0) return { messages, repairs }
  const moved = reconciled.repairs.map((repair) => ({
    ...repair,
    at: indexes?.[repair.at] ?? repair.at,
  }))
  return { messages: reconciled.messages, repairs: [...repairs, ...moved] }
}
