import type { AddedPart, Entry, ResultPart } from './entry.ts'
import { toolsInNotice } from './expected-notice.ts'
import { expectedAs, type Revealing } from './reveal.ts'
import { revealedInText } from './revealed-in-text.ts'

/** The tools that the model knows from the messages, in the provider's names. */
export interface KnownTools {
  /** Tools whose definitions the messages contain or refer to. They may no longer exist. */
  readonly revealed: ReadonlySet<string>
  /** Tools that only a notice describes. */
  readonly described: ReadonlySet<string>
}

/** What a repaired history tells the model about tools in a mode. */
export function knownTools(entries: readonly Entry[], mode: Revealing): KnownTools {
  const revealed = new Set<string>()
  const described = new Set<string>()
  const reveal = (names: readonly string[]) => {
    for (const name of names) revealed.add(name)
  }
  // with nothing but the list, messages reveal nothing
  for (const { role, parts } of mode.reveal === 'list' ? [] : entries) {
    for (const part of parts) {
      if (part.type === 'result') reveal(toolsInResult(part, mode))
      else if (part.type === 'added' && isAccepted(part, mode)) reveal(namesOf(part))
      else if (part.type === 'text' && role !== 'assistant') {
        for (const name of toolsInNotice(part.text)) described.add(name)
      } else if (part.type === 'summary') {
        // the model reads nothing of what a summary replaces
        revealed.clear()
        described.clear()
        for (const change of part.changes) {
          // it keeps the tools that the summarized messages added, whatever revealed them
          const isKept =
            change.type === 'added' && (change.as === 'definition' || mode.reveal === 'reference')
          if (isKept) reveal(namesOf(change))
        }
      }
    }
  }
  if (expectedAs(mode) !== 'described') described.clear()
  return { revealed, described: without(described, revealed) }
}

/** Adds the tools that a request shows without a search. */
export function withExpected(
  { revealed, described }: KnownTools,
  names: readonly string[],
  mode: Revealing,
): KnownTools {
  const form = expectedAs(mode)
  if (form === 'defined') return { revealed: new Set([...revealed, ...names]), described }
  if (form === 'listed') return { revealed, described }
  return { revealed, described: without(new Set([...described, ...names]), revealed) }
}

/** Only APIs with definitions in messages have additions. */
function isAccepted({ as }: AddedPart, { reveal }: Revealing): boolean {
  return reveal === 'definition' && as === 'definition'
}

/** A schema in a text is enough if the model calls what it found in this way. */
function toolsInResult({ parts, search }: ResultPart, mode: Revealing): readonly string[] {
  const isText = mode.reveal === 'call-tool' || mode.reveal === 'stub'
  const isSearched = search === undefined || search === mode.search
  return parts.flatMap((part): readonly string[] => {
    if (part.type === 'found') return isSearched && part.as === mode.reveal ? namesOf(part) : []
    return part.type === 'text' && isText ? revealedInText(part.text) : []
  })
}

function namesOf({ tools }: Pick<AddedPart, 'tools'>): string[] {
  return tools.map(({ name }) => name)
}

function without(names: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...names].filter((name) => !others.has(name)))
}
