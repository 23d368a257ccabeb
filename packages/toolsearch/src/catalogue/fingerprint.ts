import { stableJson } from './stable-json.ts'
import type { Tool } from './tool.ts'

const known = new WeakMap<Tool, string>()

/**
 * A short text that changes when what a model sees of a tool changes. Good for noticing that a
 * loaded tool is no longer what it was; not a defence against somebody who forges collisions.
 */
export function fingerprint(tool: Tool): string {
  let text = known.get(tool)
  if (text === undefined) {
    text = hash(stableJson([tool.name, tool.description, tool.inputSchema]))
    known.set(tool, text)
  }
  return text
}

/** FNV-1a over UTF-16 code units, run twice with different starts for 64 bits in all. */
function hash(text: string): string {
  let first = 0x811c9dc5
  let second = 0x01000193
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    first = Math.imul(first ^ unit, 0x01000193)
    second = Math.imul(second ^ unit, 0x85ebca6b)
  }
  return [first, second].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
}
