import type { Entry } from '../../transcript/entry.ts'
import { foundNames } from '../../transcript/found-names.ts'
import type { ReconcileContext, Repair, RepairedEntries } from '../provider.ts'
import { foundText } from '../repair-texts.ts'
import { read } from './read.ts'
import { reference } from './results.ts'

/** Replaces references that the request cannot resolve with text. */
export function reconcile(entries: readonly Entry[], context: ReconcileContext): RepairedEntries {
  const { mode, isDeferred, isListed } = context
  const repairs: Repair[] = []
  const resolves = (name: string) =>
    mode.reveal === 'reference' && (isDeferred(name) || isListed(name))
  const reconciled = entries.map((entry) => {
    const [result] = entry.parts
    const names = result?.type === 'result' ? foundNames(result) : []
    const kept = names.filter(resolves)
    if (kept.length === names.length) return entry
    for (const about of names) {
      if (!resolves(about)) repairs.push({ kind: 'reference-to-text', about, at: entry.at })
    }
    const content =
      kept.length > 0 ? kept.map((name) => reference({ name })) : foundText(names, context)
    return read({ ...entry.native, content }, entry.at)
  })
  return { entries: reconciled, repairs }
}
