import { isObject } from './is-object.ts'
import { readMessage, toolsIn } from './message-shapes.ts'

/** The result of a search that loaded one tool and matched another that was already loaded. */
export const searchResult: Readonly<Record<string, unknown>> = {
  query: 'git',
  loaded: [{ name: 'git_log', description: 'Shows history', arguments: '{}' }],
  already_loaded: ['git_diff'],
  always_available: ['shell'],
  missing: [{ name: 'git_blame', closest: ['git_log'] }],
  close: ['git_push'],
  not_ready: [{ server: 'hub', state: 'connecting' }],
  message: '1 tool loaded: call what you need.',
}

/** The tools in messages of which only their shape says whose they are. */
export function loadedIn(
  messages: readonly unknown[],
  searchToolName = 'tool_search',
  read: typeof readMessage = readMessage,
): readonly string[] {
  return toolsIn(messages.filter(isObject), searchToolName, read).found
}
