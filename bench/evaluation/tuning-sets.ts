import { existsSync } from 'node:fs'
import type { Tool } from 'toolsearch'
import type { EvaluationQuery } from '../../packages/toolsearch/src/evaluation/evaluation-set.ts'
import { HALVES, type SetShare } from '../data/halves.ts'
import { findSets, setFiles } from '../data/read-sets.ts'
import { InputError } from '../input-error.ts'
import { type EvaluationSet, readEvaluationSet } from './evaluation-set.ts'
import { halfOf, isOwnSet, OWN_SETS } from './own-sets.ts'

export interface TuningSet extends Omit<SetShare, 'set' | 'queries'> {
  /** The name of the set, with the half of its queries: `requests/a`. */
  readonly name: string
  readonly tools: readonly Tool[]
  /** Queries with relevant tools. */
  readonly queries: readonly EvaluationQuery[]
  /** Queries without relevant tools. Most sets have none. */
  readonly unserved: readonly EvaluationQuery[]
}

export interface TuningSetsOptions {
  /** The folder with the public sets. */
  readonly folder: string
  /** How many queries with relevant tools a set may have; the rest is left out at equal distances. */
  readonly count: number
  /** Names of sets; all if empty. */
  readonly only?: readonly string[]
  /** Gets a message for each set that is left out. */
  readonly report: (message: string) => void
}

/** Reads the sets of both halves. @throws InputError if a half has none */
export function readTuningSets({
  folder,
  count,
  only = [],
  report,
}: TuningSetsOptions): TuningSet[] {
  reportUnknown(folder, report)
  const sets = HALVES.filter(({ set }) => only.length === 0 || only.includes(set)).flatMap(
    (share) => {
      const set = readSet(folder, share)
      if (set === undefined) report(`${nameOf(share)} is missing`)
      return set ? [toTuningSet(share, set, count)] : []
    },
  )
  for (const half of ['one', 'two']) {
    if (sets.some((set) => set.half === half)) continue
    throw new InputError(
      `Half ${half} has no sets. bench/data/halves.ts lists the sets of each half.`,
    )
  }
  return sets
}

function reportUnknown(folder: string, report: (message: string) => void): void {
  for (const { name } of findSets(folder)) {
    if (HALVES.some(({ set }) => set === name)) continue
    report(`${name} is left out: bench/data/halves.ts does not assign it to a half`)
  }
}

function readSet(folder: string, { set, queries: half }: SetShare): EvaluationSet | undefined {
  if (isOwnSet(set)) {
    return half ? halfOf(OWN_SETS[set](), half) : OWN_SETS[set]()
  }
  const { tools, queries } = setFiles(folder, set)
  if (!existsSync(tools) || !existsSync(queries)) return undefined
  return readEvaluationSet({ tools: [tools], queries: [queries] })
}

function toTuningSet(share: SetShare, { tools, queries }: EvaluationSet, count: number): TuningSet {
  const { half, group, weight } = share
  return {
    name: nameOf(share),
    half,
    group,
    weight,
    tools,
    queries: pickEvenly(queries.filter(isServed), count),
    unserved: queries.filter((query) => !isServed(query)),
  }
}

function nameOf({ set, queries }: SetShare): string {
  return queries ? `${set}/${queries}` : set
}

function isServed({ relevant, groups = [] }: EvaluationQuery): boolean {
  return relevant.length + groups.length > 0
}

/** Returns `count` of the items at equal distances, or all if there are fewer. */
export function pickEvenly<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (items.length <= count) return items
  return Array.from({ length: count }, (_, at) => items[Math.floor((at * items.length) / count)]!)
}
