import { isDeepStrictEqual } from 'node:util'
import type { ServerConfig } from '../config/gateway-config.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import type { Session } from '../protocol/negotiate.ts'
import { shareStrings } from '../protocol/share-strings.ts'
import type { UpstreamError } from '../protocol/upstream-error.ts'
import type { Era } from '../protocol/versions.ts'
import { fingerprint } from '../system/fingerprint.ts'
import { timeSlices } from '../system/time-slices.ts'
import type { Connection } from './connection.ts'
import { hasSkills, listSkills, type SkillList } from './list-skills.ts'
import { listTools, type ToolList, withoutInvalidHeaders } from './list-tools.ts'
import type { Manifest } from './manifest-cache.ts'

/** The description of a server: from the cache at first, then from the server itself. */
export interface ServerManifest {
  readonly era: Era | undefined
  readonly instructions: string | undefined
  readonly capabilities: JsonObject
  /** Same reference until the contents change. */
  readonly list: ToolList
  /** Same reference until the contents change. */
  readonly skills: SkillList
  /** Whether calls repeat annotated arguments in HTTP headers. */
  readonly sendsHeaders: boolean
  /** When an earlier run read the cached tools, in milliseconds since 1970, if there are any. */
  readonly cachedAt: number | undefined
  tool(name: unknown): McpTool | undefined
  /** Applies the result of a handshake. */
  update(session: Session): void
  /** Reads the tools from the server. On failure, rejects with UpstreamError and keeps the old list. */
  readTools(connection: Connection, withinMs: number): Promise<void>
  /** Reads the skills from the server. Keeps the old list on failure, and never rejects. */
  readSkills(connection: Connection, withinMs: number): Promise<void>
}

export interface ServerManifestOptions {
  /** The manifest that an earlier run has cached. Ignored if the connection has changed since. */
  readonly cached?: Manifest | undefined
  /** Called with the manifest to cache whenever it has changed. */
  readonly onManifest?: ((manifest: Manifest) => void) | undefined
  /** Called when the server has sent the manifest that is already cached. */
  readonly onConfirmed?: (() => void) | undefined
  /** Called when tools, instructions or capabilities have changed. */
  readonly onChange: () => void
  readonly now: () => number
}

export function createServerManifest(
  { connection }: ServerConfig,
  { cached, onManifest, onConfirmed, onChange, now }: ServerManifestOptions,
): ServerManifest {
  const connectionFingerprint = fingerprint(connection)
  const known = cached?.fingerprint === connectionFingerprint ? cached : undefined
  let era: Era | undefined = known?.era
  let instructions = known?.instructions
  let capabilities: JsonObject = known?.capabilities ?? {}
  const refused = known?.refused ?? []
  let list: ToolList = {
    tools: shareStrings(known?.tools ?? []),
    refused: refused.filter(({ isSkill }) => !isSkill),
  }
  let skills: SkillList = {
    skills: known?.skills ?? [],
    refused: refused.filter(({ isSkill }) => isSkill),
  }
  let byName: Map<string, McpTool> | undefined
  let isCached = known !== undefined

  const sendsHeaders = () => era === 'modern' && connection.kind === 'http'

  function store(): void {
    isCached = true
    onManifest?.({
      fingerprint: connectionFingerprint,
      era: era!,
      tools: list.tools,
      ...(skills.skills.length > 0 && { skills: skills.skills }),
      refused: [...list.refused, ...skills.refused],
      capabilities,
      ...(instructions !== undefined && { instructions }),
    })
  }

  return {
    get era() {
      return era
    },
    get instructions() {
      return instructions
    },
    get capabilities() {
      return capabilities
    },
    get list() {
      return list
    },
    get skills() {
      return skills
    },
    get sendsHeaders() {
      return sendsHeaders()
    },
    cachedAt: known?.readAt,
    tool(name) {
      byName ??= new Map(list.tools.map((each) => [each.name, each]))
      return byName.get(name as string)
    },
    update(session) {
      const changed =
        instructions !== session.instructions ||
        !isDeepStrictEqual(capabilities, session.capabilities)
      if (changed || era !== session.era) isCached = false
      era = session.era
      instructions = session.instructions
      capabilities = session.capabilities
      if (changed) onChange()
    },
    async readTools(from, withinMs) {
      const deadline = now() + withinMs
      let next: ToolList = { tools: [], refused: [] }
      if (capabilities.tools !== undefined) {
        const all = await listTools((params) => {
          const timeoutMs = Math.max(1, deadline - now())
          return from.request('tools/list', params, { own: true, timeoutMs })
        })
        next = sendsHeaders() ? withoutInvalidHeaders(all) : all
      }
      const changed = !(await isSameList(list, next))
      // keep the reference of an unchanged list, so that consumers do not process it again
      if (changed) {
        await shareAll(next.tools)
        list = next
        byName = undefined
        onChange()
      }
      if (!changed && isCached) {
        onConfirmed?.()
        return
      }
      store()
    },
    async readSkills(from, withinMs) {
      const deadline = now() + withinMs
      let next: SkillList = { skills: [], refused: [] }
      if (hasSkills(capabilities)) {
        try {
          next = await listSkills((params) =>
            from.request('skills/list', params, {
              own: true,
              timeoutMs: Math.max(1, deadline - now()),
            }),
          )
        } catch (error) {
          // Closing a connection says nothing about the server.
          if ((error as UpstreamError).code === 'closed') return
          const reason = `They could not be read: ${(error as Error).message}`
          next = { ...skills, refused: [{ tool: 'skills', reason, isSkill: true }] }
        }
      }
      const isSame = isDeepStrictEqual(skills.skills, next.skills)
      const isReported = isDeepStrictEqual(skills.refused, next.refused)
      // keep the reference of an unchanged list, so that consumers do not process it again
      skills = isSame ? { ...next, skills: skills.skills } : next
      if (isSame && isReported) return
      onChange()
      store()
    },
  }
}

/** Pauses, so that other work can run. */
async function isSameList(one: ToolList, other: ToolList): Promise<boolean> {
  const slices = timeSlices()
  const { tools, ...rest } = one
  const { tools: others, ...otherRest } = other
  if (tools.length !== others.length || !isDeepStrictEqual(rest, otherRest)) return false
  for (const [at, tool] of tools.entries()) {
    if (!isDeepStrictEqual(tool, others[at])) return false
    await slices.next()
  }
  return true
}

async function shareAll(tools: readonly McpTool[]): Promise<void> {
  const slices = timeSlices()
  const strings = new Map<string, string>()
  for (const tool of tools) {
    shareStrings(tool, strings)
    await slices.next()
  }
}
