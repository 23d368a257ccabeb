import type { DiffLine } from '../api.ts'

const CONTEXT = 3
/** Longer stretches are shown as replaced: comparing every line with every other would take too long. */
const MAX_COMPARED = 400

/** The changed lines of a text, with three unchanged lines around them. */
export function lineDiff(before: string, after: string): DiffLine[] {
  if (before === after) return []
  const [old, current] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < old.length && start < current.length && old[start] === current[start]) start++
  let end = 0
  while (
    end < old.length - start &&
    end < current.length - start &&
    old.at(-1 - end) === current.at(-1 - end)
  ) {
    end++
  }
  const from = Math.max(0, start - CONTEXT)
  const to = current.length - end
  const middle = compare(old.slice(start, old.length - end), current.slice(start, to), start)
  const same = (text: string, line: number): DiffLine => ({ kind: 'same', text, line })
  return [
    ...current.slice(from, start).map((text, index) => same(text, from + index + 1)),
    ...middle,
    ...current.slice(to, to + CONTEXT).map((text, index) => same(text, to + index + 1)),
  ]
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** Compares by the longest common subsequence of lines. */
function compare(old: readonly string[], current: readonly string[], start: number): DiffLine[] {
  const removed = (index: number): DiffLine => ({
    kind: 'removed',
    text: old[index]!,
    line: start + index + 1,
  })
  const added = (index: number, kind: 'added' | 'same' = 'added'): DiffLine => ({
    kind,
    text: current[index]!,
    line: start + index + 1,
  })
  if (old.length * current.length > MAX_COMPARED ** 2) {
    return [...old.keys()].map(removed).concat([...current.keys()].map((index) => added(index)))
  }
  // lengths[i][j]: the longest common subsequence of old from i on and current from j on.
  const lengths = Array.from({ length: old.length + 1 }, () =>
    new Array<number>(current.length + 1).fill(0),
  )
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = current.length - 1; j >= 0; j--) {
      lengths[i]![j] =
        old[i] === current[j]
          ? lengths[i + 1]![j + 1]! + 1
          : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!)
    }
  }
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < current.length) {
    if (i < old.length && j < current.length && old[i] === current[j]) {
      lines.push(added(j, 'same'))
      i++
      j++
    } else if (
      i < old.length &&
      (j === current.length || lengths[i + 1]![j]! >= lengths[i]![j + 1]!)
    ) {
      lines.push(removed(i++))
    } else lines.push(added(j++))
  }
  return lines
}
