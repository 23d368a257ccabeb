import { toolsInNotice } from '../transcript/expected-notice.ts'
import { expectedIn } from '../transcript/reveal.ts'
import type { Mode, Provider } from './provider.ts'

/** The tools that the model knows from the messages, in the provider's names. */
export interface ShownTools {
  /** Tools whose definitions the messages contain or refer to. */
  readonly revealed: ReadonlySet<string>
  /** Tools that only a notice describes. */
  readonly described: ReadonlySet<string>
}

export function findShown<Message extends object>(
  provider: Pick<Provider<Message, never, never>, 'read' | 'revealed' | 'firstRead'>,
  messages: readonly Message[],
  mode: Mode,
): ShownTools {
  const revealed = mode.reveal === 'list' ? new Set<string>() : provider.revealed(messages, mode)
  if (expectedIn(mode) !== 'described') return { revealed, described: new Set() }
  const described = messages
    .slice(provider.firstRead?.(messages) ?? 0)
    .map(provider.read)
    .filter(({ role }) => role !== 'assistant')
    .flatMap(({ parts }) => parts)
    .flatMap((part) => (part.type === 'text' ? toolsInNotice(part.text) : []))
  return { revealed, described: without(new Set(described), revealed) }
}

/** Adds the tools that a request shows without a search. */
export function withExpected(
  { revealed, described }: ShownTools,
  names: readonly string[],
  mode: Mode,
): ShownTools {
  const form = expectedIn(mode)
  if (names.length === 0 || form === 'listed') return { revealed, described }
  if (form === 'defined') return { revealed: new Set([...revealed, ...names]), described }
  return { revealed, described: without(new Set([...described, ...names]), revealed) }
}

function without(names: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...names].filter((name) => !others.has(name)))
}
