import type { ResultPart } from './entry.ts'

/** The tools that a result refers to or defines. */
export function foundNames({ parts }: ResultPart): string[] {
  return parts.flatMap((part) => (part.type === 'found' ? part.tools.map(({ name }) => name) : []))
}
