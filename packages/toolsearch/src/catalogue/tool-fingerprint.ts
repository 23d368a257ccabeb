import { hashText } from './hash-text.ts'
import { stableJson } from './stable-json.ts'
import type { Tool } from './tool.ts'

const known = new WeakMap<Tool, string>()

/**
 * A short text that changes when what a model sees of a tool changes. Good for noticing that a
 * loaded tool is no longer what it was; not a defence against somebody who forges collisions.
 */
export function toolFingerprint(tool: Tool): string {
  let text = known.get(tool)
  if (text === undefined) {
    text = hashText(stableJson([tool.name, tool.description, tool.inputSchema]))
    known.set(tool, text)
  }
  return text
}
