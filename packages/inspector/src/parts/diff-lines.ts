// Import only this file of the package: the page must stay small.
import { diffArrays } from 'diff/lib/diff/array.js'

export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added' | 'gap'
  readonly text: string
}

/** Unchanged lines shown around each change. */
const CONTEXT = 3

/** With more differences than this, comparing line by line takes too long and is not useful. */
const MAX_EDITS = 1_000

/** Formats a value as lines of JSON with sorted keys, so that only real differences show. */
export function jsonLines(value: unknown): string[] {
  return JSON.stringify(sortKeys(value), null, 2).split('\n')
}

/** The lines to remove and add to turn `before` into `after`, with some context. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const changes = diffArrays([...before], [...after], { maxEditLength: MAX_EDITS })
  const lines = changes?.flatMap(({ value, added, removed }) =>
    toLines(value, added ? 'added' : removed ? 'removed' : 'same'),
  )
  return collapseUnchanged(lines ?? [...toLines(before, 'removed'), ...toLines(after, 'added')])
}

function toLines(texts: readonly string[], kind: DiffLine['kind']): DiffLine[] {
  return texts.map((text) => ({ kind, text }))
}

function collapseUnchanged(lines: readonly DiffLine[]): DiffLine[] {
  const isNearChange = lines.map((_, at) =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ kind }) => kind !== 'same'),
  )
  return lines.flatMap((line, at): DiffLine[] => {
    if (isNearChange[at]) return [line]
    return at > 0 && !isNearChange[at - 1] ? [] : [{ kind: 'gap', text: '…' }]
  })
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]))
}
