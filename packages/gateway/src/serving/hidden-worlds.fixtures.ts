import fc from 'fast-check'
import type { Decision, Rights } from '../access/rights.ts'
import type { DownstreamMode } from '../config/gateway-config.ts'
import { UNAVAILABLE } from '../offering/discreet-upstream.ts'
import { createGateway, type Gateway } from '../offering/gateway.ts'
import {
  type FakeServer,
  gatewayConfig,
  serverConfig,
  upstreamSet,
} from '../offering/upstream-set.fixtures.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import { UpstreamError } from '../protocol/upstream-error.ts'
import { SKILLS_EXTENSION } from '../skills/skill-entry.ts'
import { digestOf } from '../skills/verify-file.ts'
import type { UpstreamState } from '../upstreams/upstream.ts'
import { type GatewayServerFactory, mcpServer } from './mcp-server.ts'

/** In every text of everything that is hidden, and in nothing else. */
export const MARKER = 'zqx'

/** A gateway with servers, parts of which one caller may not use. */
export interface World {
  readonly servers: readonly WorldServer[]
  readonly mode: DownstreamMode
  readonly callTools: 'one' | 'by-effect'
  /** Numbers of tools, across all servers. */
  readonly pins: readonly number[]
  readonly shortcut: boolean
}

interface WorldServer extends Hideable {
  readonly name: string
  readonly state: UpstreamState
  readonly tools: readonly (Hideable & { readonly name: string; readonly words: string })[]
  readonly resources: readonly (Hideable & { readonly uri: string })[]
  readonly prompts: readonly (Hideable & { readonly name: string })[]
  readonly skills: readonly (Hideable & { readonly name: string; readonly words: string })[]
}

interface Hideable {
  readonly isHidden: boolean
}

const WORDS = ['send', 'read', 'list', 'letter', 'invoice', 'weather', 'github', 'balance', 'note']
const words = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 })
  .map((list) => list.join(' '))
const isHidden = fc.boolean()
const unique = { minLength: 0, maxLength: 6 }

/** Hidden things have the marker in their names, except where they share a URI with visible ones. */
const mark = (name: string, hidden: boolean) => (hidden ? `${name}_${MARKER}` : name)

const tools = fc
  .uniqueArray(fc.record({ name: words, words, isHidden }), { ...unique, selector: (t) => t.name })
  .map((list) =>
    list.map((tool) => ({
      ...tool,
      name: mark(tool.name.replaceAll(' ', '_'), tool.isHidden),
      words: mark(tool.words, tool.isHidden),
    })),
  )
const resources = fc.uniqueArray(
  fc.record({ uri: fc.constantFrom('note://1', 'note://2', 'file://{id}', 'mail://1'), isHidden }),
  { ...unique, maxLength: 3, selector: ({ uri }) => uri },
)
const prompts = fc
  .uniqueArray(fc.record({ name: fc.constantFrom('greet', 'sum_up', 'plan'), isHidden }), {
    ...unique,
    maxLength: 3,
    selector: ({ name }) => name,
  })
  .map((list) => list.map((each) => ({ ...each, name: mark(each.name, each.isHidden) })))

const skills = fc
  .uniqueArray(fc.record({ name: fc.constantFrom('plan', 'pay', 'post'), words, isHidden }), {
    ...unique,
    maxLength: 3,
    selector: ({ name }) => name,
  })
  .map((list) =>
    list.map((each) => ({
      ...each,
      name: each.isHidden ? `${each.name}-${MARKER}` : each.name,
      words: mark(each.words, each.isHidden),
    })),
  )

const server = fc.record({
  state: fc.constantFrom<UpstreamState>('ready', 'ready', 'ready', 'idle', 'failed', 'connecting'),
  isHidden: fc.constantFrom(false, false, true),
  tools,
  resources,
  prompts,
  skills,
})

export const worlds: fc.Arbitrary<World> = fc.record({
  servers: fc.array(server, { minLength: 1, maxLength: 4 }).map((list) =>
    list.map((each, at) => {
      const hasMore = each.resources.length + each.prompts.length + each.skills.length > 0
      const isUseless = !hasMore && each.tools.every((tool) => tool.isHidden)
      // A server of which nothing can be used is hidden as well, unless nothing is known about it.
      const hidden = each.isHidden || (isUseless && each.tools.length > 0)
      return { ...each, isHidden: hidden, name: mark(`server${at}`, hidden) }
    }),
  ),
  mode: fc.constantFrom<DownstreamMode>('search', 'dynamic', 'passthrough', 'auto'),
  callTools: fc.constantFrom('one', 'by-effect'),
  pins: fc.uniqueArray(fc.nat(10), { maxLength: 3 }),
  shortcut: fc.boolean(),
})

/** A gateway in front of the servers of a world. */
export interface WorldGateway {
  readonly gateway: Gateway
  readonly servers: ReturnType<typeof upstreamSet>
  readonly factory: GatewayServerFactory
}

/** The gateway for a caller who may not use everything. */
export function restrictedGateway(world: World): WorldGateway {
  return start(world, rightsIn(world))
}

/** A gateway whose servers do not have what is hidden in the world. */
export function gatewayWithout(world: World): WorldGateway {
  const shown = <Each extends Hideable>(list: readonly Each[]) => list.filter((e) => !e.isHidden)
  const servers = shown(world.servers).map((each) => ({
    ...each,
    tools: shown(each.tools),
    resources: shown(each.resources),
    prompts: shown(each.prompts),
    skills: shown(each.skills),
    hasInstructions: isFullyVisible(each),
    hasMore: each.resources.length + each.prompts.length + each.skills.length > 0,
  }))
  return start({ ...world, servers, pinned: pinsIn(world) })
}

function isFullyVisible({ isHidden, tools, resources, prompts, skills }: WorldServer): boolean {
  return (
    !isHidden && [...tools, ...resources, ...prompts, ...skills].every((each) => !each.isHidden)
  )
}

function pinsIn({ servers, pins }: World): string[] {
  const all = servers.flatMap(({ name, tools }) => tools.map((tool) => `${name}/${tool.name}`))
  return all.filter((_, at) => pins.includes(at))
}

function rightsIn({ servers }: World): Rights {
  const serverOf = (name: string) => servers.find((each) => each.name === name)
  const decide = (isAllowed: boolean): Decision => ({ isAllowed, reason: `rule ${MARKER}` })
  const visible = (server: string, find: (found: WorldServer) => Hideable | undefined) => {
    const found = serverOf(server)
    return decide(found !== undefined && !found.isHidden && find(found)?.isHidden !== true)
  }
  const tool: Rights['tool'] = ({ server, name }) =>
    visible(server, (found) => found.tools.find((each) => each.name === name))
  return {
    key: 'restricted',
    tool,
    call: tool,
    resource: ({ server, uri }) =>
      visible(server, (found) => found.resources.find((each) => each.uri === uri)),
    prompt: ({ server, name }) =>
      visible(server, (found) => found.prompts.find((each) => each.name === name)),
    skill: ({ server, name }) =>
      visible(server, (found) => found.skills.find((each) => each.name === name)),
    server(name) {
      const found = serverOf(name)
      return decide(found !== undefined && isFullyVisible(found))
    },
    reaches: (name) => serverOf(name)?.isHidden === false,
  }
}

interface Started extends Omit<World, 'servers'> {
  readonly servers: readonly (WorldServer & {
    readonly hasInstructions?: boolean
    readonly hasMore?: boolean
  })[]
  readonly pinned?: readonly string[]
}

function start(world: Started, rights?: Rights): WorldGateway {
  const { mode, callTools, shortcut, pinned = pinsIn(world) } = world
  const servers = upstreamSet(
    Object.fromEntries(world.servers.map((each) => [each.name, fakeServer(each)])),
  )
  const configs = world.servers.map(({ name }) => serverConfig(name))
  const config = gatewayConfig(configs, { mode, callTools, shortcut, pins: pinned })
  const gateway = createGateway(config, servers, {
    ...(rights && { access: { rightsOf: () => rights } }),
  })
  return { gateway, servers, factory: mcpServer(gateway, servers, { version: '1' }) }
}

function fakeServer(server: Started['servers'][number]): FakeServer {
  const { name, state, hasInstructions = true } = server
  const all = [...server.resources, ...server.prompts, ...server.skills]
  const { hasMore = all.length > 0 } = server
  const entries = server.resources.map(({ uri }) => ({ uri, name: `${name} ${uri}` }))
  const isTemplate = ({ uri }: { uri: string }) => uri.includes('{')
  const skills = server.skills.map((skill) => ({
    uri: skillUri(skill),
    frontmatter: { name: skill.name, description: `How to ${skill.words}.` },
    resources: [
      {
        uri: skillUri(skill),
        digest: digestOf(Buffer.from(skillText(skill))),
        size: skillText(skill).length,
      },
    ],
  }))
  const answers: Record<string, (params: JsonObject) => JsonObject> = {
    'tools/call': (params) => ({ content: [{ type: 'text', text: `${name} ran ${params.name}` }] }),
    'resources/list': () => ({ resources: entries.filter((entry) => !isTemplate(entry)) }),
    'resources/templates/list': () => ({
      resourceTemplates: entries
        .filter(isTemplate)
        .map(({ uri, name }) => ({ uriTemplate: uri, name })),
    }),
    'resources/read': ({ uri }) => {
      const skill = server.skills.find((each) => uri === skillUri(each))
      const text = skill ? skillText(skill) : `${uri} of ${name}`
      return { contents: [{ uri, text }] }
    },
    'skills/get': ({ uri }) => {
      const skill = skills.find((each) => each.uri === uri)
      if (skill) return { skill }
      const answer = { code: -32602, message: `No skill is served at ${uri}` }
      throw new UpstreamError('refused', name, answer.message, { answer })
    },
    'prompts/list': () => ({ prompts: server.prompts.map((prompt) => ({ name: prompt.name })) }),
    'prompts/get': (params) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `${params.name} of ${name}` } }],
    }),
    'completion/complete': () => ({ completion: { values: [name] } }),
  }
  const extensions = { [SKILLS_EXTENSION]: {} }
  const capabilities = { resources: {}, prompts: {}, completions: {}, logging: {}, extensions }
  return {
    tools: server.tools.map((tool) => ({
      name: tool.name,
      description: `Can ${tool.words}.`,
      inputSchema: { type: 'object', properties: {} },
      annotations: {
        readOnlyHint: tool.name.length % 2 === 0,
        destructiveHint: tool.words.length % 2 === 0,
      },
    })),
    skills,
    state,
    era: 'legacy',
    // Other reasons are only for people who may use the whole server; see `gateway-view.test.ts`.
    ...(state === 'failed' && { detail: UNAVAILABLE }),
    ...(hasInstructions && { instructions: `Use ${name} with care.` }),
    capabilities: hasMore ? capabilities : {},
    answer: (params, method) => answers[method]!(params),
  }
}

function skillUri({ name }: WorldServer['skills'][number]): string {
  return `skill://${name}/SKILL.md`
}

/** Mentions tools, some of which may be hidden. */
function skillText({ name, words }: WorldServer['skills'][number]): string {
  const tool = words.replaceAll(' ', '_')
  return `---\nname: ${name}\ndescription: How to ${words}.\n---\nCall \`${tool}\` first.`
}
