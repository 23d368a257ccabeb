import { isEqual } from '../catalogue/is-equal.ts'
import type { RequestPlan } from './provider.ts'

type Plan = Omit<RequestPlan<unknown>, 'messages' | 'system'>

/** What requests have before the messages, and the definitions that messages refer to. */
interface Head {
  readonly start: readonly unknown[]
  readonly definitions: ReadonlyMap<string, unknown>
}

/** Compares what a request has before its messages with the last request that got a reply. */
export interface PromptHead {
  /** `revealed` has the tools that the messages refer to. */
  isChanged(plan: Plan, revealed: ReadonlySet<string>): boolean
  /** The service has replied to the last request. */
  accepted(): void
}

export function createPromptHead(): PromptHead {
  let last: Head | undefined
  /** A rejected request must not count: the messages still fit the one before it. */
  let replied: Head | undefined
  return {
    isChanged(plan, revealed) {
      const before = replied ?? last
      last = headOf(plan, revealed)
      return before !== undefined && !isSameHead(before, last)
    },
    accepted() {
      replied = last
    },
  }
}

function headOf(plan: Plan, revealed: ReadonlySet<string>): Head {
  const { canSearch, searchTool, callTool, tools, announcement, deferred } = plan
  const definitions = deferred
    .filter(({ name }) => revealed.has(name))
    .map(({ source: _, ...tool }) => [tool.name, tool] as const)
  return {
    start: [canSearch, announcement, searchTool, callTool, ...tools],
    definitions: new Map(definitions),
  }
}

function isSameHead(before: Head, after: Head): boolean {
  if (before.start.length !== after.start.length) return false
  if (!after.start.every((part, at) => isSame(part, before.start[at]))) return false
  return [...after.definitions].every(
    ([name, tool]) => !before.definitions.has(name) || isSame(tool, before.definitions.get(name)),
  )
}

/** Most tools are the same object in every request, so they need no comparison. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b || isEqual(a, b)
}
