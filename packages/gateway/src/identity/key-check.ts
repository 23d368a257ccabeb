import type { ApiKeys, KeyOwner } from './api-keys.ts'
import type { Authentication } from './identity.ts'
import { profileIn } from './profile-in.ts'
import { forbidden, type Refusals, unavailable } from './refusals.ts'

/** Finds out who sends an API key. Answers at once for a key that it has seen a moment ago. */
export type KeyCheck = (key: string, path: string) => Authentication | Promise<Authentication>

export interface KeyCheckOptions {
  readonly refusals: Refusals
  readonly warn: (message: string) => void
}

/** @param keys undefined if API keys are not accepted */
export function createKeyCheck(
  keys: ApiKeys | undefined,
  { refusals, warn }: KeyCheckOptions,
): KeyCheck {
  function admit(owner: KeyOwner, path: string): Authentication {
    if ('problem' in owner) {
      const { problem, cause, claimed } = owner
      const refusal = refusals.invalid(path, problem)
      return { refusal: { ...refusal, credential: { cause, claimed } } }
    }
    const { person } = owner
    const { profiles } = person.scope ?? {}
    const profile = profileIn(path)
    if (profiles && (profile === undefined || !profiles.includes(profile))) {
      const refusal = forbidden('This API key is for other addresses of the gateway.')
      return { refusal: { ...refusal, credential: { cause: 'profile', claimed: person.id } } }
    }
    return { person }
  }

  return (key, path) => {
    if (!keys) return { refusal: refusals.invalid(path, 'API keys are not accepted.') }
    const owner = keys.check(key)
    if (!(owner instanceof Promise)) return admit(owner, path)
    return owner.then(
      (found) => admit(found, path),
      (error: Error) => {
        warn(`API keys cannot be checked. ${error.message}`)
        return { refusal: unavailable('The API key cannot be checked now. Try again later.') }
      },
    )
  }
}
