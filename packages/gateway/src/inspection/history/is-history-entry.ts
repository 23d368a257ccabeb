import { isObject } from '../../protocol/json-object.ts'
import type { HistoryEntry } from './history-entry.ts'

/** Whether stored JSON is an entry. An earlier or later version may have stored something else. */
export function isHistoryEntry(value: unknown): value is HistoryEntry {
  if (!isObject(value)) return false
  const texts = [value.id, value.at, value.session, value.client]
  const numbers = [value.milliseconds, value.size, value.tokens]
  if (!texts.every((text) => typeof text === 'string')) return false
  if (!numbers.every((number) => typeof number === 'number')) return false
  if (value.kind === 'call') return typeof value.tool === 'string'
  const lists = [value.hits, value.candidates, value.servers]
  return value.kind === 'search' && typeof value.query === 'string' && lists.every(isNames)
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}
