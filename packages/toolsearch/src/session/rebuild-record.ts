import type { Tool } from '../catalogue/tool.ts'
import { toolFingerprint } from '../catalogue/tool-fingerprint.ts'
import type { LoadedTool, SessionRecord } from '../stores/session-record.ts'

/** What the messages of a conversation say about its tools. */
export interface ToolsInHistory {
  /** In loading order. */
  readonly loaded: readonly LoadedTool[]
  /** Tools that notices describe. */
  readonly described: readonly string[]
}

/** The record of a conversation with these messages, and the names that were not loaded before. */
export function rebuildRecord(
  { described: _, ...record }: SessionRecord,
  { loaded, described }: ToolsInHistory,
): { record: SessionRecord; result: readonly string[] } {
  const before = new Set(record.loaded.map(({ name }) => name))
  // tools that were listed without being loaded stay listed
  const sent = record.sent.filter((name) => !before.has(name))
  return {
    record: { ...record, loaded, sent, ...(described.length > 0 && { described }) },
    result: loaded.map(({ name }) => name).filter((name) => !before.has(name)),
  }
}

export function toLoaded(tool: Tool): LoadedTool {
  return { name: tool.name, fingerprint: toolFingerprint(tool) }
}
