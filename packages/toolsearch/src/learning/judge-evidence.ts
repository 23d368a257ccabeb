/** What similar requests say about a tool. */
export interface Recalled {
  /** From 0 to 1. */
  readonly strength: number
  /** The strength without `supporter`: what no single other person decides. */
  readonly backed: number
  /** The other person whose uses count most. Undefined if only the person who searches used the tool. */
  readonly supporter: string | undefined
  /** How many similar requests used it. */
  readonly requests: number
  /** When the latest of them did, in milliseconds since 1970. */
  readonly newest: number
}

/** The similar requests that used a tool. */
export interface Evidence {
  /** By person, how much the most similar request counts, from 0 to 1. */
  readonly people: Map<string, number>
  requests: number
  newest: number
}

/** How far the uses of one person can raise a tool: those of the person who searches, and of another. */
const OWN_TRUST = 0.75
const OTHERS_TRUST = 0.5
/** How many tools are recalled at most. */
const MAX_RECALLED = 30

/**
 * The more people agree, the stronger. A tool that fewer of them use counts for less: compared with the
 * most used one, but without its supporter, so that a tool which only one
 * person uses weakens no other.
 *
 * @param self the person who searches
 */
export function judgeEvidence(
  byTool: ReadonlyMap<string, Evidence>,
  self: string,
): ReadonlyMap<string, Recalled> {
  const weighed = [...byTool].map(([tool, evidence]) => ({
    tool,
    evidence,
    ...weigh(evidence, self),
  }))
  const most = weighed.reduce((largest, { backedSupport }) => Math.max(largest, backedSupport), 0)
  const share = (support: number) => (most === 0 ? 1 : Math.min(1, support / most))
  return new Map(
    weighed
      .sort((a, b) => b.support - a.support)
      .slice(0, MAX_RECALLED)
      .map(({ tool, evidence, support, doubt, supporter, backedSupport, backedDoubt }) => [
        tool,
        {
          strength: (1 - doubt) * share(support),
          backed: (1 - backedDoubt) * share(backedSupport),
          supporter,
          requests: Math.max(1, evidence.requests),
          newest: evidence.newest,
        },
      ]),
  )
}

function weigh({ people }: Evidence, self: string) {
  const own = people.get(self) ?? 0
  let backedDoubt = 1 - OWN_TRUST * own
  let backedSupport = own
  let supporter: string | undefined
  let largest = 0
  for (const [person, similarity] of people) {
    if (person === self) continue
    // The supporter is left out. Once someone else takes that role, the previous supporter counts.
    const other = Math.min(similarity, largest)
    backedDoubt *= 1 - OTHERS_TRUST * other
    backedSupport += other
    if (similarity <= largest) continue
    largest = similarity
    supporter = person
  }
  return {
    supporter,
    backedSupport,
    backedDoubt,
    support: backedSupport + largest,
    doubt: backedDoubt * (1 - OTHERS_TRUST * largest),
  }
}
