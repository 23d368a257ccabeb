import { createOwnedValues } from '../state/owned-values.ts'
import type { SharedState } from '../state/shared-state.ts'
import { createIdTokens, type IdTokens } from './id-tokens.ts'
import type { Person } from './person.ts'
import { createSealedRecords, type SealedRecords } from './sealed-records.ts'
import { createUsedProofs, type UsedProofs } from './used-proofs.ts'

/** What outlives a change of the settings. Each part has a limit of its own, so that none takes the place of another. */
export interface IdentityStores {
  readonly pageSessions: SealedRecords<Person>
  readonly idTokens: IdTokens
  readonly usedProofs: UsedProofs
}

/** In characters. A session takes as much as the token of the person, mostly 1,000 to 2,000. */
const PAGE_SESSIONS = 20_000_000

export function createIdentityStores(state: SharedState): IdentityStores {
  const kind = 'page-session'
  const sessions = createOwnedValues(state, { kind, capacity: PAGE_SESSIONS })
  return {
    pageSessions: createSealedRecords(sessions, kind),
    idTokens: createIdTokens(state),
    usedProofs: createUsedProofs(state),
  }
}
