import { join } from 'node:path'
import type { Conversation, MetaCall } from './conversation.ts'

/** The path of a file of the tasks. */
export type PathOf = (name: string) => string

/** A task with a known answer, and two ways to solve it. */
export interface Task {
  readonly name: string
  /** What the model searches for first, either way. */
  readonly query: string
  /** Tools that the search has to find. */
  readonly needs: readonly string[]
  readonly answer: unknown
  /** Direct calls. What a model would work out from the results, the plan computes. */
  direct(turn: Conversation['turn'], path: PathOf): Promise<unknown>
  readonly effect?: 'write' | 'destructive'
  /** Must return the answer. */
  script(path: PathOf): string
  /** Whether the files are as the task demands afterwards. */
  isDone?(path: PathOf): boolean
}

export function pathIn(folder: string): PathOf {
  return (name) => join(folder, name)
}

export const read = (name: string, args: object): MetaCall => ({
  name: 'call_read_tool',
  arguments: { name, arguments: args },
})
export const write = (name: string, args: object): MetaCall => ({
  name: 'call_write_tool',
  arguments: { name, arguments: args },
})
export const destroy = (name: string, args: object): MetaCall => ({
  name: 'call_destructive_tool',
  arguments: { name, arguments: args },
})

export const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at)
export const quote = (text: string): string => JSON.stringify(text)

export const READ = 'files__read_text_file'
