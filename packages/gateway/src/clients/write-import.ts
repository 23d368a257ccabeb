import { constants } from 'node:fs'
import { copyFile, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { findNodeAtLocation, type Node } from 'jsonc-parser'
import { nodeValue, parseDocument } from '../config/parse-document.ts'
import { atomicWrite } from '../system/atomic-write.ts'
import type { FoundConfig } from './find-client-configs.ts'
import { gatewayEntry } from './gateway-entry.ts'
import type { ImportPlan, PlannedServer } from './plan-import.ts'
import { replaceServers } from './replace-servers.ts'

export interface WriteImportOptions {
  /** Our configuration file. */
  readonly file: string
  /**
   * The client configurations in which the gateway replaces the imported servers.
   * @default []
   */
  readonly replaceIn?: readonly FoundConfig[]
  /** @default () => new Date() */
  readonly now?: () => Date
}

export interface WrittenFile {
  readonly file: string
  /** The copy of the old file, if it existed. */
  readonly backup?: string
}

/** An import failed. `written` lists the files that were written before, with their backups. */
export class ImportError extends Error {
  override readonly name = 'ImportError'
  readonly code = 'import_failed'
  readonly written: readonly WrittenFile[]

  constructor(file: string, why: string, written: readonly WrittenFile[], cause?: unknown) {
    const done =
      written.length > 0 ? ` Already written: ${written.map((each) => each.file).join(', ')}.` : ''
    super(`${file} could not be written: ${why}.${done}`, { cause })
    this.written = written
  }
}

/**
 * Carries out a plan. Writes our file first and then the clients' files, so that no client is ever
 * without its servers. Backs up each file before changing it.
 *
 * @throws ImportError
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
      if (before === undefined) throw new Error('it no longer exists')
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

  function replaceAt(original: string, place: FoundConfig): string {
    const byteOrderMark = original.startsWith('\uFEFF') ? '\uFEFF' : ''
    const document = parseDocument(original, {
      file: place.file,
      maxChars: Number.MAX_SAFE_INTEGER,
    })
    if ('problems' in document) throw new Error('it is no longer valid JSON')
    const servers = findNodeAtLocation(document.root, place.path)
    const remove = new Set(
      plan.servers
        .filter((server) => server.from === place && isRemovable(server, servers))
        .map((server) => server.found.name),
    )
    if (remove.size === 0) return original
    const others = namesIn(servers).filter((name) => !remove.has(name))
    const name = others.includes('toolsearch') ? 'toolsearch-gateway' : 'toolsearch'
    const entry = { ...place.client.entry, ...gatewayEntry(resolve(file)) }
    return byteOrderMark + replaceServers(document.text, { path: place.path, remove, name, entry })
  }
}

/** Whether a server can be removed: it was imported and has not been edited since. */
function isRemovable({ outcome, found }: PlannedServer, servers: Node | undefined): boolean {
  const now = servers && findNodeAtLocation(servers, [found.name])
  return (
    outcome !== 'skipped' && now !== undefined && isDeepStrictEqual(nodeValue(now), found.entry)
  )
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

/** Copies a file to a new name in the same folder and returns that name. Never overwrites an earlier backup. */
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
