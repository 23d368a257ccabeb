import { historyReaders } from './history-readers.ts'
import { readHistory } from './tool-search/read-history.ts'

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

/** Reads a history with every reader, to notice if one misunderstands another's messages. */
export function toolsIn(messages: readonly unknown[], searchToolName = 'tool_search'): string[] {
  return readHistory(messages, { searchToolName, readers: historyReaders })
}
