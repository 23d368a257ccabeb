import { constants } from 'node:fs'
import { copyFile, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { findNodeAtLocation, type Node } from 'jsonc-parser'
import { parseDocument } from '../config/parse-document.ts'
import { atomicWrite } from '../system/atomic-write.ts'
import type { FoundConfig } from './find-client-configs.ts'
import { gatewayEntry } from './gateway-entry.ts'
import { nodeValue } from './node-value.ts'
import type { ImportPlan, PlannedServer } from './plan-import.ts'
import { replaceServers } from './replace-servers.ts'

export interface WriteImportOptions {
  /** Our file. */
  readonly file: string
  /**
   * Where one entry for the gateway takes the place of the servers that were imported.
   * @default []
   */
  readonly replaceIn?: readonly FoundConfig[]
  /** @default () => new Date() */
  readonly now?: () => Date
}

export interface WrittenFile {
  readonly file: string
  /** Undefined if there was nothing to back up. */
  readonly backup?: string
}

/** An import stopped half way. What was written until then, with its backups, is in `written`. */
export class ImportError extends Error {
  override readonly name = 'ImportError'
  readonly code = 'import_failed'
  readonly written: readonly WrittenFile[]

  constructor(file: string, why: string, written: readonly WrittenFile[], cause?: unknown) {
    const done =
      written.length > 0 ? ` Written before: ${written.map((one) => one.file).join(', ')}.` : ''
    super(`${file} could not be written: ${why}.${done}`, { cause })
    this.written = written
  }
}

/**
 * Writes what was planned: our file first, so that no client is ever without its servers, then the
 * clients' files. Each is backed up before. Throws ImportError.
 */
export async function writeImport(
  plan: ImportPlan,
  { file, replaceIn = [], now = () => new Date() }: WriteImportOptions,
): Promise<readonly WrittenFile[]> {
  const written: WrittenFile[] = []
  await writeOne(file, async () => plan.text)
  for (const client of new Set(replaceIn.map((found) => found.file))) {
    const places = replaceIn.filter((found) => found.file === client)
    await writeOne(client, async (before) => {
      if (before === undefined) throw new Error('it is gone')
      return places.reduce((text, place) => replaceAt(text, place), before)
    })
  }
  return written

  async function writeOne(
    target: string,
    compose: (before: string | undefined) => Promise<string>,
  ): Promise<void> {
    try {
      const before = await textOf(target)
      const after = await compose(before)
      if (after === before) return
      const backup = before === undefined ? {} : { backup: await backUp(target, now()) }
      await atomicWrite(target, after)
      written.push({ file: target, ...backup })
    } catch (error) {
      throw new ImportError(target, (error as Error).message, written, error)
    }
  }

  function replaceAt(withMark: string, place: FoundConfig): string {
    const mark = withMark.startsWith('\uFEFF') ? '\uFEFF' : ''
    const document = parseDocument(withMark, {
      file: place.file,
      maxChars: Number.MAX_SAFE_INTEGER,
    })
    if ('problems' in document) throw new Error('it is no longer JSON')
    const servers = findNodeAtLocation(document.root, place.path)
    const remove = new Set(
      plan.servers
        .filter((server) => server.from === place && mayGo(server, servers))
        .map((server) => server.found.name),
    )
    if (remove.size === 0) return withMark
    const others = namesIn(servers).filter((name) => !remove.has(name))
    const name = others.includes('toolsearch') ? 'toolsearch-gateway' : 'toolsearch'
    const entry = { ...place.client.entry, ...gatewayEntry(resolve(file)) }
    return mark + replaceServers(document.text, { path: place.path, remove, name, entry })
  }
}

/** A server that was edited since it was found is not the one that was imported. */
function mayGo({ fate, found }: PlannedServer, servers: Node | undefined): boolean {
  const now = servers && findNodeAtLocation(servers, [found.name])
  return fate !== 'left' && now !== undefined && isDeepStrictEqual(nodeValue(now), found.entry)
}

function namesIn(servers: Node | undefined): string[] {
  return (servers?.children ?? []).map(({ children }) => String(children?.[0]?.value))
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Copies a file to a new name beside it, and returns that name. Never overwrites an earlier backup. */
async function backUp(file: string, now: Date): Promise<string> {
  const stamp = now
    .toISOString()
    .replace(/[-:]|\..*/g, '')
    .replace('T', '-')
  for (let count = 1; ; count++) {
    const copy = `${file}.backup-${stamp}${count === 1 ? '' : `-${count}`}`
    try {
      await copyFile(file, copy, constants.COPYFILE_EXCL)
      return copy
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
