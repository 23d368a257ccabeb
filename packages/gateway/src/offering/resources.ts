import { ALL_RIGHTS, type Decision, type Rights } from '../access/rights.ts'
import { LOCAL_SKILLS } from '../config/read-skill-folders.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import { MAX_NAME_LENGTH } from '../protocol/request-problem.ts'
import { isSkillUri, namesServer } from '../skills/skill-names.ts'
import { createBoundedMap } from '../system/bounded-map.ts'
import { timeSlices } from '../system/time-slices.ts'
import { hasSkills } from '../upstreams/list-skills.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import { type GatheredEntry, gatherLists } from './gather-lists.ts'
import { createLearntUris, type LearntUris } from './learnt-uris.ts'
import { matchesTemplate } from './matches-template.ts'
import type { UpstreamSet } from './upstream-set.ts'

/**
 * The resources that the callers of a view may read, under their original URIs. If two servers have the
 * same URI, it belongs to the one that comes first in the configuration.
 *
 * URIs with the scheme `skill:` are among them only if a server without the skills extension lists them or
 * has a template for them, and if they do not name a server. The gateway itself reads all others, as files
 * of skills.
 */
export interface Resources {
  list(): Promise<readonly JsonObject[]>
  templates(): Promise<readonly JsonObject[]>
  /**
   * The first server in the configuration that lists a URI or a template, has a template that matches the URI, or
   * mentioned the URI in a result for this person: no other can take it over. A template for all URIs only counts
   * if there is none of these. Undefined if there is no server.
   *
   * Never tries servers one by one: a URI can be a secret.
   */
  find(uri: string, options?: FindOptions): Promise<Upstream | undefined>
  /** Remembers the URIs that a server mentions in a result for a person. */
  learn(server: string, result: JsonObject, person?: string): void
}

export interface FindOptions {
  /** The id of the person who asks. @default '' */
  readonly person?: string
  /** Receives the decision about what was found, or about what is hidden. Must not throw. */
  readonly onDecision?: (
    target: { readonly server: string; readonly name: string },
    decision: Decision,
  ) => void
}

export interface ResourcesOptions {
  /** @default all rights */
  readonly rights?: Pick<Rights, 'resource'>
  /** Shared by all views. @default a map of its own */
  readonly learnt?: LearntUris
}

const LIST = { capability: 'resources', method: 'resources/list', key: 'resources' }
const TEMPLATES = {
  capability: 'resources',
  method: 'resources/templates/list',
  key: 'resourceTemplates',
}
const MAX_HIDDEN = 10_000
/** A template for URIs of one scheme, instead of all URIs. */
const WITH_SCHEME = /^[^{]+:/
/** How many entries of a result are searched for URIs. */
const MAX_MENTIONED = 1_000
/** Fields of a result whose entries may mention URIs. */
const BLOCKS = ['content', 'contents', 'messages'] as const

export function createResources(
  servers: Pick<UpstreamSet, 'upstreams'>,
  { rights = ALL_RIGHTS, learnt = createLearntUris() }: ResourcesOptions = {},
): Resources {
  let listed = new Map<string, string>()
  let templates = new Map<string, string>()
  /** Whether all servers have been asked for both. */
  let isListed = false
  /** The servers whose resources and templates of these URIs are hidden, to explain it to administrators. */
  const hidden = createBoundedMap<string, string>(MAX_HIDDEN)
  let reading: Promise<unknown> | undefined

  async function list(): Promise<JsonObject[]> {
    const { entries, origins } = permitted(await gatherLists(servers, LIST), 'uri')
    listed = origins
    return entries
  }

  async function listTemplates(): Promise<JsonObject[]> {
    const { entries, origins } = permitted(await gatherLists(servers, TEMPLATES), 'uriTemplate')
    templates = origins
    return entries
  }

  /** Hidden entries are left out first: they must not take the place of visible ones. */
  function permitted(
    gathered: readonly GatheredEntry[],
    key: string,
  ): { entries: JsonObject[]; origins: Map<string, string> } {
    const origins = new Map<string, string>()
    const entries: JsonObject[] = []
    for (const { server, entry } of gathered) {
      const uri = entry[key]
      if (typeof uri !== 'string' || origins.has(uri) || isReserved(server, uri)) continue
      if (!mayRead(server, uri)) {
        hidden.set(uri, server)
        continue
      }
      origins.set(uri, server)
      entries.push(entry)
    }
    return { entries, origins }
  }

  /** Whether a URI of a server is a URI of the gateway, or could be a file of a skill of the server. */
  function isReserved(server: string, uri: string): boolean {
    if (!isSkillUri(uri)) return false
    return isOfGateway(uri) || hasSkills(servers.upstreams.get(server)?.capabilities ?? {})
  }

  function isOfGateway(uri: string): boolean {
    return namesServer(uri, [LOCAL_SKILLS, ...servers.upstreams.keys()])
  }

  function mayRead(server: string, uri: string): boolean {
    return rights.resource({ server, uri }).isAllowed
  }

  async function owner(uri: string, person: string): Promise<string | undefined> {
    const claims = [listed.get(uri), templates.get(uri), mentioningServer(uri, person)]
    const names = [...servers.upstreams.keys()]
    const known = names.find((server) => claims.includes(server))
    if (known !== undefined && known === names[0]) return known
    const before = new Set(known === undefined ? names : names.slice(0, names.indexOf(known)))
    const slices = timeSlices()
    let forAll: string | undefined
    for (const [template, server] of templates) {
      await slices.next()
      const isForAll = !WITH_SCHEME.test(template)
      const mayWin = isForAll ? known === undefined && forAll === undefined : before.has(server)
      if (!mayWin || isReserved(server, uri)) continue
      if (!mayRead(server, uri) || !matchesTemplate(template, uri)) continue
      if (!isForAll) return server
      forAll = server
    }
    return known ?? forAll
  }

  /** Reads both lists, once for all requests that ask meanwhile. */
  function readLists(): Promise<unknown> {
    reading ??= Promise.all([list(), listTemplates()]).finally(() => {
      reading = undefined
    })
    return reading
  }

  function mentioningServer(uri: string, person: string): string | undefined {
    const mentioning = learnt.get(person, uri)
    if (mentioning.length === 0) return undefined
    return [...servers.upstreams.keys()].find(
      (server) => mentioning.includes(server) && mayRead(server, uri),
    )
  }

  return {
    list,
    templates: listTemplates,
    async find(uri, { person = '', onDecision } = {}) {
      if (isOfGateway(uri)) return undefined
      let found = await owner(uri, person)
      if (found === undefined || !isListed) {
        // Another server may have mentioned it on another replica.
        await Promise.all([learnt.load(person, uri), readLists()])
        isListed = true
        found = await owner(uri, person)
      }
      const server = found ?? hidden.get(uri)
      if (onDecision && server !== undefined) {
        onDecision({ server, name: uri }, rights.resource({ server, uri }))
      }
      return servers.upstreams.get(found ?? '')
    },
    // Hot path: runs for the result of every call.
    learn(server, result, person = '') {
      for (const key of BLOCKS) {
        const blocks = result[key]
        if (!Array.isArray(blocks)) continue
        for (const block of blocks.slice(0, MAX_MENTIONED)) {
          const uri = uriIn(block)
          if (uri === undefined || uri.length > MAX_NAME_LENGTH || isSkillUri(uri)) continue
          learnt.add(person, uri, server)
        }
      }
    },
  }
}

/** The URI in a content block, or in the content of a prompt message. */
function uriIn(block: unknown): string | undefined {
  const content = ((block as { content?: unknown } | null)?.content ?? block ?? {}) as {
    uri?: unknown
    resource?: { uri?: unknown }
  }
  const uri = content.uri ?? content.resource?.uri
  return typeof uri === 'string' ? uri : undefined
}
