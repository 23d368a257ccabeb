import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { LOCAL_SKILLS } from '../config/read-skill-folders.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import { textOf } from '../protocol/json-object.ts'
import { UpstreamError } from '../protocol/upstream-error.ts'
import {
  folderState,
  type OnFile,
  placeOfProblem,
  type ScannedSkills,
  type SkillProblem,
  scanFolders,
} from '../skills/scan-folders.ts'
import { SKILLS_EXTENSION, type SkillEntry } from '../skills/skill-entry.ts'
import { fingerprint } from '../system/fingerprint.ts'
import { createSerialQueue } from '../system/serial-queue.ts'
import type { ManifestCache } from './manifest-cache.ts'
import type { Upstream } from './upstream.ts'

/** The skills in folders on this machine, as a server that offers nothing else. */
export interface SkillFolders extends Upstream {
  /** Whether there are folders to read. */
  readonly isConfigured: boolean
  readonly problems: readonly SkillProblem[]
  /** The skills that an earlier run has found in the same folders, if they are cached. */
  readonly earlier: readonly SkillEntry[]
  /** Reads other folders from now on. */
  configure(folders: readonly string[]): Promise<void>
}

/** How often folders are read again. Events of the file system miss nested and network folders. */
const POLL_MS = 2_000
const NOTHING: ScannedSkills = { skills: [], problems: [] }

export interface SkillFoldersOptions {
  /** Called after the skills or the problems have changed. */
  readonly onChange?: () => void
  /** Receives each file of a skill when it is read. Must not throw. */
  readonly onFile?: OnFile
  /** Where to cache the list of skills, to know what has changed since the last run. */
  readonly cache?: ManifestCache | undefined
  readonly pollMs?: number
}

export async function openSkillFolders(
  initial: readonly string[],
  { onChange = () => {}, onFile, cache, pollMs = POLL_MS }: SkillFoldersOptions = {},
): Promise<SkillFolders> {
  let folders = initial
  let state = await folderState(folders)
  let scanned = await scan()
  let entries = scanned.skills.map(({ entry }) => entry)
  const { skills: earlier = [] } = (await cache?.read(cacheName())) ?? {}
  const reads = createSerialQueue()
  if (!isDeepStrictEqual(earlier, entries)) void store()
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  schedule()

  function scan(): Promise<ScannedSkills> {
    return folders.length === 0 ? Promise.resolve(NOTHING) : scanFolders(folders, onFile)
  }

  /** Gateways with other folders have skills of the same names. */
  function cacheName(): string {
    return `${LOCAL_SKILLS} ${fingerprint(folders)}`
  }

  /** Never rejects. */
  function store(): Promise<void> {
    const empty = { era: 'modern', tools: [], refused: [], capabilities: {} } as const
    const manifest = { ...empty, fingerprint: '', skills: entries }
    return reads.run(async () => cache?.write(cacheName(), manifest))
  }

  async function refresh(): Promise<void> {
    await reads.run(async () => {
      const current = await folderState(folders)
      if (current === state) return
      state = current
      const next = await scan()
      if (isClosed || isDeepStrictEqual(next, scanned)) return
      scanned = next
      entries = next.skills.map(({ entry }) => entry)
      void store()
      onChange()
    })
  }

  function schedule(): void {
    timer = setTimeout(async () => {
      await refresh().catch(() => {})
      if (!isClosed) schedule()
    }, pollMs).unref()
  }

  async function request(method: string, { uri }: JsonObject): Promise<JsonObject> {
    const fail = (message: string) => new UpstreamError('refused', LOCAL_SKILLS, message)
    if (method === 'resources/list') return { resources: [] }
    if (method === 'resources/templates/list') return { resourceTemplates: [] }
    const path = scanned.skills.flatMap(({ files }) => files.get(textOf(uri)) ?? [])[0]
    if (method !== 'resources/read' || path === undefined) throw fail('There is no such file.')
    try {
      return { contents: [{ uri, blob: (await readFile(path)).toString('base64') }] }
    } catch (error) {
      throw fail(`The file cannot be read: ${(error as Error).message}`)
    }
  }

  return {
    name: LOCAL_SKILLS,
    get status() {
      const refused = scanned.problems.map((problem) => ({
        tool: placeOfProblem(problem),
        reason: problem.message,
        isSkill: true,
      }))
      return { state: 'ready', logOutput: [], strayLines: 0, era: 'modern', refused } as const
    },
    tools: [],
    get skills() {
      return entries
    },
    get isConfigured() {
      return folders.length > 0
    },
    get problems() {
      return scanned.problems
    },
    earlier,
    skillText: (uri) => scanned.skills.find(({ entry }) => entry.uri === uri)?.body,
    instructions: undefined,
    capabilities: { extensions: { [SKILLS_EXTENSION]: {} } },
    connect: async () => {},
    request,
    watchResource: async () => {},
    unwatchResource: async () => {},
    setLogLevel() {},
    refreshTools: refresh,
    setLimits() {},
    async configure(next) {
      if (isDeepStrictEqual(folders, next)) return
      folders = next
      state = ''
      await refresh()
      onChange()
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await reads.idle()
    },
  }
}
