import { isObject } from '../../is-object.ts'
import type { ToolText } from '../../tokens/tool-tokens.ts'
import { describedTools } from '../../transcript/described-tools.ts'
import type { Mode, ReconcileContext, Repair, Repaired } from '../provider.ts'
import { foundText } from '../repair-texts.ts'
import { type ChatMessage, textsOf } from './chat-message.ts'

/** A part of a result that the endpoint replaces with the definition of a tool. */
export function reference({ name }: Pick<ToolText, 'name'>): { type: string; name: string } {
  return { type: 'tool_reference', name }
}

/** The names of the tools that a message refers to. */
export function referencedNames({
  role,
  content,
}: {
  readonly role?: unknown
  readonly content?: unknown
}): string[] {
  if (role !== 'tool' || !Array.isArray(content)) return []
  return content.flatMap((part: unknown) =>
    isObject(part) && part.type === 'tool_reference' ? [String(part.name)] : [],
  )
}

/** The tools whose definitions the messages provide in a mode. */
export function revealed(messages: readonly ChatMessage[], mode: Mode): Set<string> {
  if (mode.reveal === 'reference') return new Set(messages.flatMap(referencedNames))
  const results = messages.filter((message) => message.role === 'tool')
  return new Set(results.flatMap(textsOf).flatMap(describedTools))
}

/** Replaces references that the request cannot resolve with text. */
export function reconcile<Message extends ChatMessage>(
  messages: readonly Message[],
  context: ReconcileContext,
): Repaired<Message> {
  const repairs: Repair[] = []
  const hasReferences = context.mode.reveal === 'reference'
  const reconciled = messages.map((message, at) => {
    const names = referencedNames(message)
    const kept = names.filter((name) => hasReferences && isDeclared(name))
    if (kept.length === names.length) return message
    for (const about of names) {
      if (!kept.includes(about)) repairs.push({ kind: 'reference-to-text', about, at })
    }
    const content =
      kept.length > 0 ? kept.map((name) => reference({ name })) : foundText(names, context)
    return { ...message, content }
  })
  return repairs.length === 0 ? { messages, repairs } : { messages: reconciled, repairs }

  function isDeclared(name: string): boolean {
    return context.isDeferred(name) || context.isListed(name)
  }
}
