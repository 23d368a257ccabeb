import { ConfigEditError, editConfig } from '../config/edit-config.ts'

export interface ServerReplacement {
  /** The keys that lead to the servers in the text. */
  readonly path: readonly string[]
  /** The names of the servers to remove. */
  readonly remove: ReadonlySet<string>
  readonly name: string
  readonly entry: unknown
}

/**
 * Replaces several servers in JSON with one, and leaves the rest of the text unchanged, including other
 * servers, other keys and comments. Undefined if there is no object of servers.
 */
export function replaceServers(
  text: string,
  { path, remove, name, entry }: ServerReplacement,
): string | undefined {
  const cuts = [...remove].map((server) => ({ path: [...path, server], value: undefined }))
  try {
    return editConfig(text, [...cuts, { path: [...path, name], value: entry }])
  } catch (error) {
    if (error instanceof ConfigEditError) return undefined
    throw error
  }
}
