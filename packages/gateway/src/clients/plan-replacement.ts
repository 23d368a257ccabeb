import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../protocol/json-object.ts'
import type { FileText } from '../system/file-changes.ts'
import type { FoundConfig } from './find-client-configs.ts'
import { gatewayProgram } from './gateway-entry.ts'
import type { KnownClient } from './known-client.ts'
import { parseClientFile } from './parse-client-file.ts'
import type { ImportPlan } from './plan-import.ts'
import { replaceInClient } from './replace-in-client.ts'
import { snippetForClient } from './snippet-for-client.ts'

/** What replacing the imported servers with the gateway does to the clients' files. */
export interface ReplacementPlan {
  /** The new content of files. Contains secrets, so do not show it. */
  readonly files: readonly FileText[]
  /** Files that cannot be edited safely, with what a person can add instead. */
  readonly manual: readonly ManualChange[]
}

interface ManualChange {
  readonly client: KnownClient
  readonly file: string
  readonly reason: string
  readonly snippet: string
}

/**
 * Plans to replace the imported servers in the clients' files with the gateway. Reads the files again, and
 * keeps servers that were edited since the import was planned. Writes nothing, never rejects.
 *
 * @param file our configuration file
 */
export async function planReplacement(
  { servers }: ImportPlan,
  file: string,
): Promise<ReplacementPlan> {
  const imported = servers.filter(({ outcome }) => outcome !== 'skipped')
  const places = [...new Set(imported.map(({ from }) => from))]
  const files: FileText[] = []
  const manual: ManualChange[] = []
  for (const target of new Set(places.map((place) => place.file))) {
    const inFile = places.filter((place) => place.file === target)
    const { client } = inFile[0]!
    let before = ''
    try {
      before = await readFile(target, 'utf8')
      const after = inFile.reduce(replaceAt, before)
      if (after !== before) files.push({ file: target, text: after })
    } catch (error) {
      const snippet = snippetForClient(client, target, gatewayProgram(resolve(file)), before)!
      manual.push({ client, file: target, reason: (error as Error).message, snippet })
    }
  }
  return { files, manual }

  function replaceAt(text: string, place: FoundConfig): string {
    const parsed = parseClientFile(text, place.file)
    if (!('content' in parsed)) throw new Error('The file is no longer valid.')
    const now = serversAt(parsed.content, place.path)
    const mine = imported.filter(({ from }) => from === place)
    const unchanged = mine.filter(({ found }) =>
      isDeepStrictEqual(now.get(found.name), found.entry),
    )
    if (!unchanged.some(({ outcome }) => outcome !== 'gateway')) return text
    const remove = new Set(unchanged.map(({ found }) => found.name))
    const isTaken = now.has('toolsearch') && !remove.has('toolsearch')
    const name = isTaken ? 'toolsearch-gateway' : 'toolsearch'
    const entry = place.client.entry(gatewayProgram(resolve(file)))
    const result = replaceInClient(text, place.file, { path: place.path, remove, name, entry })
    if (result === undefined) {
      throw new Error('The servers are written in a way that cannot be edited safely.')
    }
    return result
  }
}

function serversAt(content: unknown, path: readonly string[]): Map<string, unknown> {
  const node = path.reduce<unknown>(
    (value, key) => (isObject(value) ? value[key] : undefined),
    content,
  )
  if (Array.isArray(node)) return new Map(node.map((item) => [String(item?.name), item]))
  return new Map(isObject(node) ? Object.entries(node) : [])
}
