import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../protocol/json-object.ts'
import { formatOf, parseClientFile } from './parse-client-file.ts'
import { replaceInToml } from './replace-in-toml.ts'
import { replaceInYaml } from './replace-in-yaml.ts'
import { replaceServers, type ServerReplacement } from './replace-servers.ts'

/**
 * Replaces several servers with one in a client's file, with comments kept. Undefined if that is not
 * possible without changing anything else, which is checked by reading the result.
 */
export function replaceInClient(
  original: string,
  file: string,
  replacement: ServerReplacement,
): string | undefined {
  const mark = original.startsWith('\uFEFF') ? '\uFEFF' : ''
  const text = original.slice(mark.length)
  const replace = { json: replaceServers, toml: replaceInToml, yaml: replaceInYaml }[formatOf(file)]
  const result = replace(text, replacement)
  if (result === undefined) return undefined
  const before = parseClientFile(text, file)
  const after = parseClientFile(result, file)
  if (!('content' in before) || !('content' in after)) return undefined
  const isExact = isDeepStrictEqual(after.content, expected(before.content, replacement))
  return isExact ? mark + result : undefined
}

function expected(
  content: unknown,
  { path, remove, name, entry }: ServerReplacement,
  depth = 0,
): unknown {
  const key = path[depth]
  if (key !== undefined) {
    if (!isObject(content)) return content
    return { ...content, [key]: expected(content[key], { path, remove, name, entry }, depth + 1) }
  }
  if (Array.isArray(content)) {
    const first = content.findIndex((item) => remove.has(item?.name))
    return content.flatMap((item, index) => {
      if (index === first) return [{ name, ...(entry as object) }]
      return remove.has(item?.name) ? [] : [item]
    })
  }
  const kept = Object.entries(content as object).filter(([server]) => !remove.has(server))
  return { ...Object.fromEntries(kept), [name]: entry }
}
