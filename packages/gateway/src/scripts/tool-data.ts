import { isObject, type JsonObject } from '../protocol/json-object.ts'

/**
 * The result of a call as data for a script: the structured content if there is some, otherwise the
 * content. A text is parsed if it is a JSON object or list. Several blocks are a list.
 */
export function toolData({ structuredContent, content }: JsonObject): unknown {
  if (structuredContent !== undefined) return structuredContent
  const blocks = (Array.isArray(content) ? content : []).map(blockData)
  return blocks.length === 1 ? blocks[0] : blocks.length === 0 ? null : blocks
}

/** Only objects and lists: a text such as "007" must stay a text. */
const JSON_START = /^\s*[[{]/

function blockData(block: unknown): unknown {
  if (!isObject(block) || block.type !== 'text' || typeof block.text !== 'string') return block
  const { text } = block
  if (!JSON_START.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
