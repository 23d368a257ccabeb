import type { Entry } from '../transcript/entry.ts'
import { beforeExpectedNotice } from '../transcript/expected-notice.ts'
import type { EndpointModes } from './endpoint-modes.ts'
import type { Provider, RepairContext, RepairedEntries } from './provider.ts'

/** What the request after a rejected one must do differently. */
export interface RequestRecovery {
  /** The service has replied, so it accepted the last request. */
  accepted(): void
  /** See `ProviderAdapter.downgrade`. */
  downgrade(error: unknown): string | undefined
  /** Repairs a history, without its reasoning if the service has rejected that. */
  repair(entries: readonly Entry[], context: RepairContext): RepairedEntries
  /** The notice of this request, after that of a rejected one. */
  noticeOf(notice: string | undefined): string | undefined
}

export function createRequestRecovery(
  provider: Pick<Provider<never, never, never>, 'rejectsReasoning' | 'repair' | 'withoutReasoning'>,
  modes: EndpointModes,
): RequestRecovery {
  let recovery: 'ready' | 'next-request' | 'used' = 'ready'
  /** The notice of the last request, and whether the next one must repeat it. */
  const lastNotice: { text?: string | undefined; isRejected: boolean } = { isRejected: false }
  return {
    accepted() {
      recovery = 'ready'
      lastNotice.text = undefined
    },

    downgrade(error) {
      const mode = provider.rejectsReasoning?.(error) ? recover() : modes.downgrade(error)
      lastNotice.isRejected = mode !== undefined
      return mode
    },

    repair(entries, context) {
      if (recovery !== 'next-request') return provider.repair(entries, context)
      recovery = 'used'
      const cleaned = provider.withoutReasoning?.(entries) ?? { entries, repairs: [] }
      const repaired = provider.repair(cleaned.entries, context)
      return { ...repaired, repairs: [...cleaned.repairs, ...repaired.repairs] }
    },

    noticeOf(notice) {
      // the next mode may call tools in another way, so it lists what the notice described
      const earlier = lastNotice.isRejected && beforeExpectedNotice(lastNotice.text ?? '')
      const text = [earlier, notice].filter(Boolean).join('\n\n') || undefined
      Object.assign(lastNotice, { text, isRejected: false })
      return text
    },
  }

  function recover(): string | undefined {
    if (recovery !== 'ready') return undefined
    recovery = 'next-request'
    return modes.current()
  }
}
