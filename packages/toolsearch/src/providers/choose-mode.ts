import type { Session } from '../session/session.ts'
import { UnknownModeError, UnsupportedModeError } from './adapter-errors.ts'
import type { Provider } from './provider.ts'

export interface ChooseModeOptions {
  readonly provider: Pick<
    Provider<never, never, never>,
    'name' | 'modes' | 'defaultMode' | 'unsupportedReason'
  >
  readonly session: Pick<Session, 'reveal' | 'resultIn'>
  /** The mode that the caller asked for. */
  readonly requested: string | undefined
  readonly model: string | undefined
}

/**
 * The mode of an adapter: the requested one, the one that reveals tools like the system of the preset, or
 * the best one of the provider.
 *
 * @throws UnknownModeError, UnsupportedModeError
 */
export function chooseMode({ provider, session, requested, model }: ChooseModeOptions): string {
  const { name: providerName, modes } = provider
  const known = Object.keys(modes)
  const isLikePreset = (name: string) =>
    modes[name]!.search === 'own' && modes[name]!.reveal === session.reveal
  const supported = known.filter((name) => reasonAgainst(name) === undefined)
  const mode = requested ?? supported.find(isLikePreset) ?? provider.defaultMode(model)
  if (!known.includes(mode)) throw new UnknownModeError(mode, providerName, known)
  const reason = reasonAgainst(mode)
  if (reason !== undefined) throw new UnsupportedModeError(mode, reason, supported)
  return mode

  function reasonAgainst(name: string): string | undefined {
    if (session.resultIn === undefined && modes[name]!.search === 'provider') {
      return 'the option result has no effect, because the provider writes the results of its own search'
    }
    return provider.unsupportedReason?.(name, model)
  }
}
