import { parse } from 'jsonc-parser'
import type { ConfigEdit as TextEdit } from '../../config/edit-config.ts'
import { isObject, type JsonObject } from '../../protocol/json-object.ts'
import type { ConfigEdit } from '../api.ts'
import { RequestError } from '../read-request.ts'

/** What an edit changes in the text of a configuration file. */
export interface PlannedEdit {
  /** For people, such as `Deny bank/transfer_money`. */
  readonly title: string
  /** Empty if the file already says so. */
  readonly edits: readonly TextEdit[]
}

type Path = readonly (string | number)[]

/**
 * Plans an edit the way a person would make it: adds to the lists that are there, and removes lists
 * and objects that become empty.
 *
 * @throws RequestError
 */
export function planConfigEdit(text: string, edit: ConfigEdit): PlannedEdit {
  const root: unknown = parse(text.replace(/^\ufeff/, ''), [], { allowTrailingComma: true })
  const { server } = edit
  const place = (['mcpServers', 'servers'] as const).find((key) => has(at(root, [key]), server))
  if (!place) {
    throw new RequestError(404, `There is no server "${server}" in the configuration file.`)
  }
  const entry = [place, server]
  switch (edit.action) {
    case 'enable':
      return { title: `Enable ${server}`, edits: removal(root, [...entry, 'disabled']) }
    case 'disable': {
      const isDisabled = at(root, [...entry, 'disabled']) === true
      const edits = isDisabled ? [] : [{ path: [...entry, 'disabled'], value: true }]
      return { title: `Disable ${server}`, edits }
    }
    case 'pin':
    case 'unpin': {
      const pin = `${server}/${edit.tool}`
      const pins = ['toolsearch', 'pins']
      return edit.action === 'pin'
        ? { title: `Pin ${pin}`, edits: addition(root, pins, pin) }
        : { title: `Unpin ${pin}`, edits: listRemoval(root, pins, pin) }
    }
    case 'hint':
    case 'override': {
      const key = edit.action === 'hint' ? 'hints' : 'overrides'
      const path = [...entry, 'toolsearch', key, edit.tool]
      const name = `${server}/${edit.tool}`
      const what = edit.action === 'hint' ? 'search hint' : 'override'
      return edit.value === null
        ? { title: `Remove the ${what} of ${name}`, edits: removal(root, path) }
        : { title: `Set the ${what} of ${name}`, edits: [{ path, value: edit.value }] }
    }
    case 'deny':
      return {
        title: `Deny ${server}/${edit.tool}`,
        edits: addition(root, denyList(entry, edit.tool), edit.tool),
      }
    case 'allow':
    case 'undeny':
      return {
        title: `Allow ${server}/${edit.tool}`,
        edits: allowEdits(root, entry, server, edit.tool),
      }
  }
}

/** In `deny`, a name with `*` is a pattern and the name of an effect stands for all such tools. */
function denyList(entry: Path, tool: string): Path {
  const hasMeaning = tool.includes('*') || tool.startsWith('tool:') || isEffect(tool)
  return hasMeaning ? [...entry, 'disabledTools'] : [...entry, 'toolsearch', 'deny']
}

function isEffect(tool: string): boolean {
  return /^(read|write|destructive|open-world)$/.test(tool)
}

/** @throws RequestError if the tool is not hidden by its name */
function allowEdits(root: unknown, entry: Path, server: string, tool: string): TextEdit[] {
  const lists: readonly [Path, string][] = [
    [[...entry, 'toolsearch', 'deny'], tool],
    [[...entry, 'disabledTools'], tool],
    [['toolsearch', 'deny'], `${server}/${tool}`],
    [['toolsearch', 'deny'], tool],
  ]
  const removals = lists.flatMap(([path, item]) => listRemoval(root, path, item))
  const allowed = [...entry, 'toolsearch', 'allow']
  const name = isEffect(tool) ? `tool:${tool}` : tool
  const additions = Array.isArray(at(root, allowed)) ? addition(root, allowed, name) : []
  const edits = [...removals, ...additions]
  if (edits.length > 0) return edits
  throw new RequestError(
    409,
    `No rule names ${server}/${tool} itself. If it is hidden, a pattern, an effect or "readOnly" hides it: edit the configuration file.`,
  )
}

function addition(root: unknown, path: Path, item: string): TextEdit[] {
  const list = at(root, path)
  if (Array.isArray(list) && list.includes(item)) return []
  return [{ path: [...path, -1], value: item }]
}

function listRemoval(root: unknown, path: Path, item: string): TextEdit[] {
  const list = at(root, path)
  if (!Array.isArray(list) || !list.includes(item)) return []
  if (list.every((each) => each === item)) return removal(root, path)
  // From the end, so that the indexes before stay valid.
  const indexes = [...list.keys()].filter((index) => list[index] === item).reverse()
  return indexes.map((index) => ({ path: [...path, index], value: undefined }))
}

/** Removes a property, and the `toolsearch` objects that it leaves empty. */
function removal(root: unknown, path: Path): TextEdit[] {
  if (at(root, path) === undefined) return []
  const parent = path.slice(0, -1)
  const isOnly = Object.keys(at(root, parent) as JsonObject).length === 1
  if (isOnly && parent.includes('toolsearch')) return removal(root, parent)
  return [{ path, value: undefined }]
}

function at(root: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => (has(value, key) ? value[key] : undefined), root)
}

function has(value: unknown, key: string | number): value is JsonObject {
  return isObject(value) && Object.hasOwn(value, key)
}
