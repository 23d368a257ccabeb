import type { DeferredTool, RequestPlan } from '../provider.ts'
import type { ChatMessage } from './chat-message.ts'
import { referencedNames } from './references.ts'

/** Remembers the tools that messages refer to, in case they are removed. */
export interface ReferencedTools {
  /** Whether a tool was declared while a message referred to it. */
  has(name: string): boolean
  /**
   * Adds removed tools that the messages still refer to. Replacing the reference instead would
   * change messages that were already sent.
   */
  declare<Message extends ChatMessage>(plan: RequestPlan<Message>): RequestPlan<Message>
}

export function createReferencedTools(): ReferencedTools {
  const remembered = new Map<string, DeferredTool>()
  return {
    has: (name) => remembered.has(name),

    declare(plan) {
      if (plan.mode !== 'reference') return plan
      const missing = new Set(plan.messages.flatMap(referencedNames))
      for (const tool of plan.deferred) {
        if (missing.delete(tool.name)) remembered.set(tool.name, tool)
      }
      for (const { name } of plan.tools) missing.delete(name)
      const removed = [...missing].flatMap((name) => remembered.get(name) ?? [])
      return removed.length === 0 ? plan : { ...plan, deferred: [...plan.deferred, ...removed] }
    },
  }
}
