import { isObject } from '../../protocol/json-object.ts'
import type { McpTool } from '../../protocol/mcp-tool.ts'

/** One difference between two definitions of a tool. Values are texts, or JSON. */
export interface DefinitionChange {
  /** Such as `description` or `inputSchema.properties.to.type`. */
  readonly path: string
  /** The lines that are no longer there. */
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

/** These come first. */
const FIELDS = ['title', 'description', 'inputSchema', 'outputSchema', 'annotations']
const MAX_CHANGES = 200

/**
 * The differences in everything that servers say about a tool. Of a skill:
 * those of its frontmatter, which has its title and its description. `skillChanges` compares its files.
 */
export function definitionChanges(before: McpTool, after: McpTool): readonly DefinitionChange[] {
  const changes: DefinitionChange[] = []
  const [old, current] = [frontmatterOf(before), frontmatterOf(after)]
  if (old && current) compare(old, current, 'frontmatter')
  else {
    const fields = new Set([...FIELDS, ...Object.keys(before), ...Object.keys(after)])
    for (const field of fields) compare(own(before, field), own(after, field), field)
  }
  if (changes.length > MAX_CHANGES) {
    const more = { path: '…', removed: [], added: ['There are more changes than these.'] }
    return [...changes.slice(0, MAX_CHANGES), more]
  }
  return changes

  function compare(old: unknown, current: unknown, path: string): void {
    if (changes.length > MAX_CHANGES) return
    if (isObject(old) && isObject(current)) {
      const keys = new Set([...Object.keys(old), ...Object.keys(current)])
      for (const key of keys) compare(own(old, key), own(current, key), `${path}.${key}`)
      return
    }
    const [oldLines, currentLines] = [lines(old), lines(current)]
    if (oldLines.join('\n') === currentLines.join('\n')) return
    changes.push({ path, ...lineChanges(oldLines, currentLines) })
  }
}

/** Everything that a tool says, in the same form. */
export function newDefinition(tool: McpTool): readonly DefinitionChange[] {
  const { name, skill } = tool
  const nothing = { name, inputSchema: { type: 'object', properties: {} } }
  return definitionChanges(
    { ...nothing, ...(skill !== undefined && { skill: { frontmatter: {} } }) },
    tool,
  )
}

/** Undefined for a tool. */
function frontmatterOf({ name, skill }: McpTool): unknown {
  return name.startsWith('skill:') && isObject(skill) ? skill.frontmatter : undefined
}

function own(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

function lines(value: unknown): readonly string[] {
  if (value === undefined) return []
  return typeof value === 'string' ? value.split('\n') : [JSON.stringify(value)]
}

/** Leaves out the lines that both texts have, at the beginning, at the end and in between. */
function lineChanges(
  old: readonly string[],
  current: readonly string[],
): Pick<DefinitionChange, 'removed' | 'added'> {
  const [inOld, inCurrent] = [new Set(old), new Set(current)]
  const removed = old.filter((line) => !inCurrent.has(line))
  const added = current.filter((line) => !inOld.has(line))
  // Lines that were only repeated or moved: show the texts as a whole.
  return removed.length + added.length > 0 ? { removed, added } : { removed: old, added: current }
}
