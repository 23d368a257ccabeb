import { compareNames } from '../catalogue/compare-names.ts'
import type { Tool } from '../catalogue/tool.ts'
import { createBigramProfile } from '../words/bigram-profile.ts'
import {
  type BigramSignatures,
  bigramSignatures,
  resemblanceFilter,
} from '../words/bigram-signatures.ts'

const MIN_SIMILARITY = 0.45

/**
 * The names most similar to a name that does not exist, so that a model can correct its call.
 * Compares the full names and, for MCP tools, the names without the server prefix.
 */
export function closestNames(name: string, tools: readonly Tool[], limit = 3): string[] {
  const wanted = name.toLowerCase()
  const wantedTail = wanted.slice(tailStart(wanted))
  const profile = createBigramProfile(wanted)
  const tailProfile = createBigramProfile(wantedTail)
  const { names, tails } = signaturesOf(tools)
  const mayResemble = resemblanceFilter(wanted, MIN_SIMILARITY, names)
  const mayResembleTail = resemblanceFilter(wantedTail, MIN_SIMILARITY, tails)
  const close: { name: string; similarity: number }[] = []
  for (let at = 0; at < tools.length; at++) {
    if (!mayResemble(at) && !mayResembleTail(at)) continue
    const { name } = tools[at]!
    const candidate = name.toLowerCase()
    const similarity = Math.max(
      profile.dice(candidate),
      tailProfile.dice(candidate, tailStart(candidate)),
    )
    if (similarity >= MIN_SIMILARITY) close.push({ name, similarity })
  }
  return close
    .sort((a, b) => b.similarity - a.similarity || compareNames(a.name, b.name))
    .slice(0, limit)
    .map((close) => close.name)
}

interface Signatures {
  readonly names: BigramSignatures
  readonly tails: BigramSignatures
}

const cache = new WeakMap<readonly Tool[], Signatures>()

/** Cached, because the list stays the same until the catalogue changes. */
function signaturesOf(tools: readonly Tool[]): Signatures {
  let signatures = cache.get(tools)
  if (signatures === undefined) {
    const names = tools.map(({ name }) => name.toLowerCase())
    const tails = names.map((name) => name.slice(tailStart(name)))
    signatures = { names: bigramSignatures(names), tails: bigramSignatures(tails) }
    cache.set(tools, signatures)
  }
  return signatures
}

/** Where the name without the server prefix starts. */
function tailStart(name: string): number {
  const at = name.lastIndexOf('__')
  return at < 0 ? 0 : at + 2
}
