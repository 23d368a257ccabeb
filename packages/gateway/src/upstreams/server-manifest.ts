import { isDeepStrictEqual } from 'node:util'
import type { ServerConfig } from '../config/gateway-config.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import type { Session } from '../protocol/negotiate.ts'
import type { Era } from '../protocol/versions.ts'
import { fingerprint } from '../system/fingerprint.ts'
import type { Connection } from './connection.ts'
import { listTools, type ToolList } from './list-tools.ts'
import type { Manifest } from './manifest-cache.ts'
import { withoutBadHeaders } from './without-bad-headers.ts'

/** What is known of a server: from an earlier run, then from itself. */
export interface ServerManifest {
  readonly era: Era | undefined
  readonly instructions: string | undefined
  readonly capabilities: JsonObject
  readonly list: ToolList
  /** Its calls repeat some of their arguments in HTTP headers. */
  readonly sendsHeaders: boolean
  tool(name: unknown): McpTool | undefined
  /** Takes what a server said when it was met. */
  settle(session: Session): void
  /** Reads its tools anew. Rejects with UpstreamError, and then knows what it knew. */
  readTools(from: Connection, withinMs: number): Promise<void>
}

export interface ServerManifestOptions {
  /** What is known of it from an earlier run. One of another connection is not used. */
  readonly manifest?: Manifest | undefined
  /** Gets what is to be remembered whenever that has changed. */
  readonly onManifest?: ((manifest: Manifest) => void) | undefined
  /** Its list, instructions or capabilities are others now. */
  readonly onChange: () => void
  readonly now: () => number
}

export function createServerManifest(
  { connection }: ServerConfig,
  { manifest, onManifest, onChange, now }: ServerManifestOptions,
): ServerManifest {
  const mark = fingerprint(connection)
  const known = manifest?.fingerprint === mark ? manifest : undefined
  let era: Era | undefined = known?.era
  let instructions = known?.instructions
  let capabilities: JsonObject = known?.capabilities ?? {}
  let list: ToolList = { tools: known?.tools ?? [], refused: known?.refused ?? [] }
  let byName: Map<string, McpTool> | undefined
  let isRemembered = known !== undefined

  const knowledge: ServerManifest = {
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
    get sendsHeaders() {
      return era === 'modern' && connection.kind === 'http'
    },
    tool(name) {
      byName ??= new Map(list.tools.map((each) => [each.name, each]))
      return byName.get(name as string)
    },
    settle(session) {
      const changed =
        instructions !== session.instructions ||
        !isDeepStrictEqual(capabilities, session.capabilities)
      if (changed || era !== session.era) isRemembered = false
      era = session.era
      instructions = session.instructions
      capabilities = session.capabilities
      if (changed) onChange()
    },
    async readTools(from, withinMs) {
      const deadline = now() + withinMs
      let next: ToolList = { tools: [], refused: [] }
      if (capabilities.tools !== undefined) {
        const whole = await listTools((params) => {
          const timeoutMs = Math.max(1, deadline - now())
          return from.request('tools/list', params, { own: true, timeoutMs })
        })
        next = knowledge.sendsHeaders ? withoutBadHeaders(whole) : whole
      }
      const changed = list.tools.length !== next.tools.length || !isDeepStrictEqual(list, next)
      // the same list stays the same object: whoever has taken it need not take it again
      if (changed) {
        list = next
        byName = undefined
        onChange()
      }
      if (!changed && isRemembered) return
      isRemembered = true
      onManifest?.({
        fingerprint: mark,
        era: era!,
        tools: list.tools,
        refused: list.refused,
        capabilities,
        ...(instructions !== undefined && { instructions }),
      })
    },
  }
  return knowledge
}
