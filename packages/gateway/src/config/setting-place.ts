import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { findNodeAtLocation, parseTree } from 'jsonc-parser'

/**
 * A setting as a person would look for it, with file and line if it is in the file. Never rejects.
 *
 * @example await settingPlace(file, ['toolsearch', 'encryption']) // 'toolsearch.json:12 toolsearch.encryption'
 */
export async function settingPlace(
  file: string,
  path: readonly (string | number)[],
): Promise<string> {
  const name = path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .slice(1)
  const text = await readFile(file, 'utf8').catch(() => '')
  const root = parseTree(text, [], { allowTrailingComma: true })
  const node = root && findNodeAtLocation(root, [...path])
  if (!node) return name
  const line = text.slice(0, node.offset).split('\n').length
  return `${basename(file)}:${line} ${name}`
}
