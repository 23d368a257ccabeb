import { isDeepStrictEqual } from 'node:util'
import type { Rights } from '../access/rights.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import type { RequestOptions } from '../protocol/request-options.ts'
import { UpstreamError } from '../protocol/upstream-error.ts'
import { isPlainUri, readSkillEntry } from '../skills/skill-entry.ts'
import { placeOfSkill } from '../skills/skill-names.ts'
import { percentDecodings } from '../system/percent-encoding.ts'
import { hasSkills } from '../upstreams/list-skills.ts'
import { offerSkill } from './offer-skills.ts'
import type { SharedTools } from './shared-tools.ts'
import type { ToolOrigin } from './synced-tools.ts'
import type { UpstreamSet } from './upstream-set.ts'

/** The skills that servers serve by name, without listing them. For the callers of one view. */
export interface UnlistedSkills {
  /** Those that callers have asked for. */
  all(): readonly ToolOrigin[]
  get(name: string): ToolOrigin | undefined
  /**
   * Asks the server for its skill of this name. Resolves to undefined if it has none that can be offered, and
   * asks nothing if the rules hide it. Rejects if the server does not answer.
   *
   * @param onSent runs before a request to the server
   */
  ask(name: string, request: RequestOptions, onSent?: () => void): Promise<ToolOrigin | undefined>
  /** Asks again next time. */
  forget(name: string): void
}

export interface UnlistedSkillsOptions {
  readonly shared: SharedTools
  readonly servers: UpstreamSet
  readonly rights: Rights
}

const MAX_SKILLS = 100

export function createUnlistedSkills(options: UnlistedSkillsOptions): UnlistedSkills {
  const { shared, servers, rights } = options
  const known = new Map<string, ToolOrigin>()

  function keep(origin: ToolOrigin): ToolOrigin {
    const before = known.get(origin.name)
    // The same object as long as nothing changes: decisions and fingerprints are kept by it.
    const kept = isDeepStrictEqual(before?.tool, origin.tool) ? before! : origin
    known.delete(origin.name)
    known.set(origin.name, kept)
    const [oldest] = known.keys()
    if (known.size > MAX_SKILLS) known.delete(oldest!)
    shared.noteUnlisted(kept)
    return kept
  }

  /** A server may decode the path, so all spellings must be allowed. */
  function mayRead({ server, path }: { readonly server: string; readonly path: string }): boolean {
    return percentDecodings(path).every((name) => rights.skill({ server, name }).isAllowed)
  }

  return {
    all: () => [...known.values()],
    get: (name) => known.get(name),
    async ask(name, request, onSent) {
      known.delete(name)
      const place = placeOfSkill(name)
      const upstream = place && servers.upstreams.get(place.server)
      if (!upstream || !hasSkills(upstream.capabilities)) return undefined
      const uri = `skill://${place.path}/SKILL.md`
      if (!isPlainUri(uri) || !mayRead(place)) return undefined
      onSent?.()
      const answer = await upstream.request('skills/get', { uri }, request).catch(noSkill)
      const entry = readSkillEntry(answer.skill)
      return 'problem' in entry || entry.uri !== uri
        ? undefined
        : keep(offerSkill(place.server, entry))
    },
    forget: (name) => void known.delete(name),
  }
}

function noSkill(error: unknown): JsonObject {
  if (error instanceof UpstreamError && error.code === 'refused') return {}
  throw error
}
