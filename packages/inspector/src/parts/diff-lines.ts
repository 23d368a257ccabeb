export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added' | 'gap'
  readonly text: string
}

/** Lines of what stays, shown around what changed. */
const AROUND = 3

/** Beyond so many pairs of lines nobody waits for what they have in common. */
const MOST_PAIRS = 20_000_000

/** A value as lines, its keys in order, so that two of them differ only where they mean something else. */
export function jsonLines(value: unknown): string[] {
  return JSON.stringify(inOrder(value), null, 2).split('\n')
}

/** What must be taken away and added to make the second out of the first, with a little of what stays. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end++
  const same = (texts: readonly string[]) => texts.map((text) => ({ kind: 'same' as const, text }))
  return withoutLongStretches([
    ...same(before.slice(0, start)),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...same(before.slice(before.length - end)),
  ])
}

/** By the longest common subsequence; the table has a cell for every pair of lines. */
function middle(before: readonly string[], after: readonly string[]): DiffLine[] {
  if (before.length * after.length > MOST_PAIRS) {
    return [...before.map(removed), ...after.map(added)]
  }
  const width = after.length + 1
  const common = new Uint32Array((before.length + 1) * width)
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      common[i * width + j] =
        before[i] === after[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)
    }
  }
  const lines: DiffLine[] = []
  let i = 0
  let j = 0
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push({ kind: 'same', text: before[i++]! })
      j++
    } else if (
      j >= after.length ||
      (i < before.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!)
    ) {
      lines.push(removed(before[i++]!))
    } else lines.push(added(after[j++]!))
  }
  return lines
}

function removed(text: string): DiffLine {
  return { kind: 'removed', text }
}

function added(text: string): DiffLine {
  return { kind: 'added', text }
}

function withoutLongStretches(lines: readonly DiffLine[]): DiffLine[] {
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ kind }) => kind !== 'same'),
  )
  return lines.flatMap((line, at): DiffLine[] => {
    if (isNear[at]) return [line]
    return at > 0 && !isNear[at - 1] ? [] : [{ kind: 'gap', text: '…' }]
  })
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, inOrder(inner)]))
}
