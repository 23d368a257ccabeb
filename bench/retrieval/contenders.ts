import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { BENCH } from '../bench-command.ts'
import { RANKERS } from '../evaluation/rankers.ts'
import { InputError } from '../input-error.ts'
import { installPeers, pinnedVersions } from '../install-peers.ts'
import type { Contender } from './contender.ts'
import { rankWith } from './rank-with.ts'

const OURS = [
  'unified',
  'unified-hybrid',
  'fielded',
  'hybrid',
  'bm25',
  'nexo',
  'cortex',
  'term-count',
  'weighted-terms',
  'bigram',
]

/** All contenders, in the order of the table. */
export const CONTENDERS: readonly Contender[] = [
  ...OURS.map(ours),
  peer('Ratel', '@ratel-ai/sdk', () => import('../peers/ratel.ts')),
  { ...peer('Mastra', '@mastra/core', () => import('../peers/mastra.ts')), node: '22.13.0' },
  peer('AI SDK', 'ai', () => import('../peers/ai-sdk.ts')),
  peer('MiniSearch', 'minisearch', () => import('../peers/minisearch.ts')),
  peer('Orama', '@orama/orama', () => import('../peers/orama.ts')),
]

/** The contenders with these names, such as `ai-sdk`. @throws InputError if there is none with a name */
export function chooseContenders(names: readonly string[]): readonly Contender[] {
  const idOf = (name: string) => name.toLowerCase().replaceAll(' ', '-')
  const unknown = names.find((name) => !CONTENDERS.some((one) => idOf(one.name) === idOf(name)))
  if (unknown !== undefined) {
    const all = CONTENDERS.map(({ name }) => idOf(name)).join(', ')
    throw new InputError(`There is no search "${unknown}". Choose some of ${all}.`)
  }
  return CONTENDERS.filter(({ name }) => names.some((one) => idOf(one) === idOf(name)))
}

const PEERS = resolve(BENCH, 'peers')

/** Installs the packages of these contenders, unless they already are. @throws InputError */
export function installPeersOf(
  contenders: readonly Contender[],
  report: (step: string) => void,
): void {
  const pinned = pinnedVersions(PEERS)
  if (contenders.some((contender) => Object.hasOwn(pinned, contender.package ?? ''))) {
    installPeers({ folder: PEERS, size: '360 MB', report })
  }
}

/** Our version and those of the peers, by package. */
export function versionsOf(contenders: readonly Contender[]): Record<string, string> {
  const read = (file: string) => JSON.parse(readFileSync(resolve(BENCH, file), 'utf8'))
  // MiniSearch and Orama are dependencies of the benchmarks themselves.
  const pinned = { ...read('package.json').devDependencies, ...pinnedVersions(PEERS) }
  const peers = contenders.flatMap((contender) => contender.package ?? [])
  return {
    toolsearch: read('../packages/toolsearch/package.json').version,
    ...Object.fromEntries(peers.map((name) => [name, pinned[name] ?? 'unknown'])),
  }
}

function ours(name: string): Contender {
  return { name, side: 'ours', load: async () => rankWith(RANKERS[name]!) }
}

function peer(name: string, packageName: string, load: Contender['load']): Contender {
  return { name, side: 'peer', package: packageName, load }
}
