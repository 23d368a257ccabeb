import { hashText } from './hash-text.ts'
import { requestFields } from './request-fields.ts'
import { stableJson } from './stable-json.ts'
import type { Tool } from './tool.ts'

const cache = new WeakMap<Tool, string>()

/**
 * A short hash of what the model sees of a tool. Detects that a loaded tool's definition changed;
 * does not protect against forged collisions.
 */
export function toolFingerprint(tool: Tool): string {
  let text = cache.get(tool)
  if (text === undefined) {
    const fields = requestFields(tool)
    const others = [
      ...(Object.keys(fields).length > 0 ? [fields] : []),
      ...(tool.skill ? [tool.skill] : []),
    ]
    text = hashText(stableJson([tool.name, tool.description, tool.inputSchema, ...others]))
    cache.set(tool, text)
  }
  return text
}
