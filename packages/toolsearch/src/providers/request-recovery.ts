import { beforeExpectedNotice } from '../transcript/expected-notice.ts'
import type { EndpointModes } from './endpoint-modes.ts'
import type { IndexedRepair, Provider, RepairContext } from './provider.ts'

/** What the request after a rejected one must do differently. */
export interface RequestRecovery<Message> {
  /** The service has replied, so it accepted the last request. */
  accepted(): void
  /** See `ProviderAdapter.downgrade`. */
  downgrade(error: unknown): string | undefined
  /** Repairs a history, without its reasoning if the service has rejected that. */
  repair(messages: readonly Message[], context: RepairContext): IndexedRepair<Message>
  /** The notice of this request, after that of a rejected one. */
  noticeOf(notice: string | undefined): string | undefined
}

export function createRequestRecovery<Message>(
  provider: Pick<
    Provider<Message, never, never>,
    'rejectsReasoning' | 'repair' | 'withoutReasoning'
  >,
  modes: EndpointModes,
): RequestRecovery<Message> {
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

    repair(messages, context) {
      if (recovery !== 'next-request') return provider.repair(messages, context)
      recovery = 'used'
      const cleaned = provider.withoutReasoning?.(messages) ?? { messages, repairs: [] }
      const repaired = provider.repair(cleaned.messages, context)
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
