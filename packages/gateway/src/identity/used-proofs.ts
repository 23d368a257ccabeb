import { createHash } from 'node:crypto'
import type { SharedState } from '../state/shared-state.ts'

/** Remembers which DPoP proofs have been used. None is forgotten while it could be accepted. */
export interface UsedProofs {
  /**
   * Resolves to whether a proof is used for the first time, on all replicas. Rejects if that cannot be known or
   * remembered, so that the proof must not be accepted.
   *
   * @param ttlMs how long proofs are accepted
   */
  use(proof: Proof, ttlMs: number): Promise<boolean>
}

interface Proof {
  readonly person: string
  /** The thumbprint of the key. */
  readonly jkt: string
  /** The id of the proof, which is unique for the key. */
  readonly jti: string
}

/** What was used in a period of at least `ttlMs`, by person. */
interface Generation {
  readonly used: Map<string, Set<string>>
  total: number
}

/** Beyond that, a person who has used an equal share of it has to wait. It takes about 50 MB. */
const MAX_PROOFS = 500_000

export function createUsedProofs(
  state: SharedState,
  { maxProofs = MAX_PROOFS, now = Date.now }: { maxProofs?: number; now?: () => number } = {},
): UsedProofs {
  let current = newGeneration()
  let previous = newGeneration()
  let beganAt = now()

  /** Forgets the previous generation once the current one is old enough to take its place. */
  function age(ttlMs: number): void {
    if (now() - beganAt < ttlMs) return
    previous = current
    current = newGeneration()
    beganAt = now()
  }

  function isFullFor(person: string): boolean {
    if (current.total + previous.total < maxProofs) return false
    const [own, before] = [current.used.get(person), previous.used.get(person)]
    const people = Math.max(current.used.size, previous.used.size)
    return (own?.size ?? 0) + (before?.size ?? 0) >= maxProofs / people
  }

  return {
    async use({ person, jkt, jti }, ttlMs) {
      age(ttlMs)
      const id = `${jkt}:${createHash('sha256').update(jti).digest('base64url')}`
      const own = current.used.get(person) ?? new Set()
      if (own.has(id) || previous.used.get(person)?.has(id)) return false
      if (isFullFor(person)) throw new Error(`${person} has used too many in a short time.`)
      current.used.set(person, own.add(id))
      current.total += 1
      return state.isShared ? isFirstAnywhere(id, ttlMs) : true
    },
  }

  async function isFirstAnywhere(id: string, ttlMs: number): Promise<boolean> {
    let isKnown = false
    await state.update(
      `proof:${id}`,
      (value) => {
        isKnown = value !== undefined
        return 'used'
      },
      ttlMs,
    )
    return !isKnown
  }
}

function newGeneration(): Generation {
  return { used: new Map(), total: 0 }
}
