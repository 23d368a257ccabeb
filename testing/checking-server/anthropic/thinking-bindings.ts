import type { Problem } from '../problem.ts'
import { anthropicProblem } from './anthropic-problem.ts'
import { promptParts } from './anthropic-prompt.ts'
import type { Block, MessagesBody } from './messages-body.ts'

/** Remembers what preceded each thinking block of a reply ("preserved thinking"). */
export interface ThinkingBindings {
  /** Records the blocks of a reply to a request. */
  record(content: readonly Block[], body: MessagesBody): void
  /**
   * A thinking block may only be sent back after exactly the prompt it was produced for. The oldest
   * thinking blocks may be left out, but none between others.
   */
  check(body: MessagesBody): Problem | undefined
}

interface Binding {
  /** The prompt before the block, without thinking. */
  readonly prefix: string
  /** The signatures of the thinking blocks before it. */
  readonly earlier: readonly string[]
}

export function createThinkingBindings(): ThinkingBindings {
  const bindings = new Map<string, Binding>()
  return {
    record(content, body) {
      const messages = [...(body.messages ?? []), { role: 'assistant', content }]
      for (const { signature, binding } of bindingsIn({ ...body, messages })) {
        if (!bindings.has(signature)) bindings.set(signature, binding)
      }
    },
    check(body) {
      for (const { signature, path, binding } of bindingsIn(body)) {
        const recorded = bindings.get(signature)
        // Blocks of other servers cannot be checked.
        if (recorded && !isSame(recorded, binding)) {
          return anthropicProblem(
            400,
            `${path}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block". That setting requires the \`thinking-binding-controls-2026-08-01\` value in the \`anthropic-beta\` header.`,
          )
        }
      }
      return undefined
    },
  }
}

function bindingsIn(body: MessagesBody): { signature: string; path: string; binding: Binding }[] {
  const texts: string[] = []
  const earlier: string[] = []
  return promptParts(body).flatMap(({ text, block, path = '' }) => {
    if (block?.type !== 'thinking') {
      texts.push(text)
      return []
    }
    const signature = block.signature ?? ''
    const binding = { prefix: texts.join('\n'), earlier: [...earlier] }
    earlier.push(signature)
    return [{ signature, path, binding }]
  })
}

function isSame(recorded: Binding, { prefix, earlier }: Binding): boolean {
  if (recorded.prefix !== prefix) return false
  const expected = earlier.length === 0 ? [] : recorded.earlier.slice(-earlier.length)
  return expected.length === earlier.length && expected.every((id, at) => id === earlier[at])
}
