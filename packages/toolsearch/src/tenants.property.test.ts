import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../testing/deep.ts'
import {
  createToolSearch,
  type Preset,
  type Session,
  type ToolDefinition,
  type ToolSearch,
  unified,
} from './index.ts'
import { allPresets } from './presets/all-presets.fixtures.ts'
import { providers } from './providers/all-providers.fixtures.ts'
import { type Conversation, startConversation } from './providers/converse.fixtures.ts'
import type { ProviderCase } from './providers/provider.fixtures.ts'

// Everything a tenant sees has to be the same as if it were alone: definitions, names, counts, ranks,
// near misses and similar names. That is stronger than looking for the texts of other tenants.

const TENANTS = ['ann', 'bob', 'cy'] as const
type Tenant = (typeof TENANTS)[number]

const shared: readonly ToolDefinition[] = [
  { name: 'notes_search', description: 'Searches the notes of the company' },
  { name: 'mail_send', description: 'Sends a letter to somebody' },
  { name: 'clock', description: 'Tells the time', loading: 'eager' },
]

/** The same names for every tenant, with other descriptions and schemas. */
function toolsOf(tenant: Tenant): ToolDefinition[] {
  const others = TENANTS.indexOf(tenant) + 2
  return [
    {
      name: 'crm_search',
      description: `Searches the ${tenant}secret customers`,
      inputSchema: {
        type: 'object',
        properties: { [`${tenant}_key`]: { type: 'string' } },
        required: [`${tenant}_key`],
      },
    },
    { name: 'mail_send', description: `Sends a ${tenant}secret letter` },
    ...Array.from({ length: others }, (_, at) => ({
      name: `${tenant}_report_${at}`,
      description: `Prints report ${at} about customers`,
      loading: at === 0 ? ('eager' as const) : ('auto' as const),
    })),
  ]
}

const extra = (tenant: Tenant): ToolDefinition => ({
  name: 'crm_export',
  description: `Exports ${tenant}secret customers and reports`,
})

const givenSessions = new WeakMap<Session, Session>()

type Action = (session: Session, tenant: Tenant) => unknown

let forks = 0

const actions: Record<string, Action> = {
  turn: (session) => session.turn(),
  'all tools': (session) => session.turn({ canSearch: false }),
  search: (session) =>
    session.search({ query: 'search customers letter' }, { explain: true, nearMisses: 9 }),
  'other words': (session) => session.search({ query: 'annsecret bobsecret cysecret report 2' }),
  name: (session) => session.search({ query: 'select:crm_search,ann_report_1,bob_report_1,crm' }),
  typo: (session) => session.search({ query: 'crm_serch' }),
  call: (session) => session.answer({ name: 'crm_search', arguments: { ann_key: 'x' } }),
  guess: (session) => session.answer({ name: 'bob_report_11', arguments: {} }),
  load: (session) => session.load(['crm_search', 'crm_export', 'ann_report_1', 'bob_report_1']),
  report: async (session) => session.report(await session.turn()),
  tools: (session) => session.tools(),
  add: (session, tenant) => session.catalogue.add(extra(tenant), { duplicates: 'replace' }),
  remove: (session) => session.catalogue.remove('mail_send'),
  given: async (session, tenant) => {
    const given = session.withTools([extra(tenant), { name: 'crm_search' }])
    givenSessions.set(session, given)
    return [await given.turn(), await given.search({ query: 'customers' }), given.tools()]
  },
  'given before': (session) => givenSessions.get(session)?.search({ query: 'customers' }),
  fork: async (session) => (await session.fork(`${session.id}/${forks++}`)).tools(),
  rebuild: (session) =>
    session.rebuild([
      { role: 'assistant', tool_calls: [{ id: '1', function: { name: 'crm_search' } }] },
    ]),
  compacted: (session) => session.compacted(),
}

const limits = { activation: 'always', rateLimit: { calls: 0, windowMs: 1 } } as const

const create = (preset: Preset) => createToolSearch({ tools: shared, preset, ...limits })
const open = (toolSearch: ToolSearch, tenant: Tenant) =>
  toolSearch.session(tenant, { tools: toolsOf(tenant) })

type Step = { tenant: Tenant; action: string; isAwaited: boolean }

describe('tools do not leak between conversations of different tenants', () => {
  it('in any interleaving, each tenant sees exactly what it would see alone', async () => {
    const step: fc.Arbitrary<Step> = fc.record({
      tenant: fc.constantFrom(...TENANTS),
      action: fc.constantFrom(...Object.keys(actions), 'given', 'given before', 'search'),
      // otherwise the next tenant starts before this step has finished
      isAwaited: fc.boolean(),
    })
    await checkProperty(
      fc.asyncProperty(
        fc.constantFrom(...allPresets),
        fc.array(step, { minLength: 4, maxLength: 24 }),
        async (preset, steps) => {
          const together = await play(preset, steps)
          for (const tenant of TENANTS) {
            const own = steps.filter((step) => step.tenant === tenant)
            expect(together.get(tenant)).toEqual((await play(preset, own)).get(tenant))
          }
        },
      ),
      { cases: 25 },
    )
  })

  it.each(allPresets.map((preset) => [preset.preset, preset] as const))(
    'in the plain loop with the preset %s, nothing contains the name of another tenant',
    async (_, preset) => {
      const steps = Object.keys(actions).flatMap((action) =>
        TENANTS.map((tenant) => ({ tenant, action, isAwaited: false })),
      )
      const seen = await play(preset, steps)
      // these contain the names of all tenants in the query or in the call
      const echoes = ['other words', 'name', 'call', 'guess']
      for (const tenant of TENANTS) {
        const texts = seen.get(tenant)!.filter(([action]) => !echoes.includes(action!))
        for (const other of TENANTS) {
          const check = expect(JSON.stringify(texts))
          if (other === tenant) check.toContain(`${other}secret`)
          else check.not.toContain(`${other}secret`)
        }
      }
    },
  )

  it('leaves the shared catalogue and its search as they were', async () => {
    const toolSearch = create(unified)
    const { version } = toolSearch.catalogue
    const query = 'search customers letter report'
    const before = toolSearch.search(query, { explain: true, nearMisses: 9 })
    const steps = Object.keys(actions).flatMap((action) =>
      TENANTS.map((tenant) => ({ tenant, action, isAwaited: true })),
    )
    await play(unified, steps, toolSearch)
    expect(toolSearch.catalogue.version).toBe(version)
    expect(toolSearch.catalogue.size).toBe(shared.length)
    expect(toolSearch.search(query, { explain: true, nearMisses: 9 })).toEqual(before)
  })
})

describe.each(providers)('the requests of interleaved tenants to $name', (provider) => {
  it.each(provider.modes)('are those of a tenant that is alone, in mode %s', async (mode) => {
    const toolSearch = create(unified)
    const chats = await Promise.all(
      TENANTS.map((tenant) => chat(provider, mode, tenant, toolSearch)),
    )
    const together = await requestsOf(provider, mode, chats)
    for (const [at, tenant] of TENANTS.entries()) {
      const alone = await chat(provider, mode, tenant, create(unified))
      expect(together[at]).toEqual((await requestsOf(provider, mode, [alone]))[0])
      expect(JSON.stringify(together[at])).toContain(`${tenant}secret`)
    }
  })
})

/** What each tenant got from its steps. Steps of one tenant run in order. */
async function play(
  preset: Preset,
  steps: readonly Step[],
  toolSearch: ToolSearch = create(preset),
): Promise<Map<Tenant, (readonly [action: string, result: string])[]>> {
  const seen = new Map(TENANTS.map((tenant) => [tenant, [] as [string, string][]]))
  const sessions = new Map<Tenant, Session>()
  for (const tenant of TENANTS) sessions.set(tenant, await open(toolSearch, tenant))
  const pending = new Map<Tenant, Promise<void>>()
  for (const { tenant, action, isAwaited } of steps) {
    const step = (pending.get(tenant) ?? Promise.resolve()).then(async () => {
      const result = await actions[action]!(sessions.get(tenant)!, tenant)
      seen.get(tenant)!.push([action, JSON.stringify(result)])
    })
    pending.set(tenant, step)
    if (isAwaited) await step
  }
  await Promise.all(pending.values())
  return seen
}

async function chat(
  provider: ProviderCase,
  mode: string,
  tenant: Tenant,
  toolSearch: ToolSearch,
): Promise<Conversation> {
  const conversation = await startConversation(provider, { mode })
  conversation.session = await open(toolSearch, tenant)
  conversation.adapter = provider.adapter(conversation.session, { model: provider.model, mode })
  return conversation
}

/** Plays the same conversation in all chats, step by step, and returns the requests of each. */
async function requestsOf(
  provider: ProviderCase,
  mode: string,
  chats: readonly Conversation[],
): Promise<string[][]> {
  const call = { name: 'crm_search', arguments: { ann_key: 'x' } }
  const bridged = mode === 'bridge' ? { name: 'call_tool', arguments: call } : call
  try {
    for (const reply of [
      provider.search(mode, 'crm search', ['crm_search']),
      // each tenant's tool has a parameter of its own
      { calls: [bridged], unconstrained: true },
      provider.search(mode, 'mail send', ['mail_send']),
      { text: 'Done.' },
    ]) {
      await Promise.all(chats.map((chat) => chat.turn(reply)))
    }
    // the server numbers the calls of all conversations
    return chats.map(({ server }) =>
      server.requests.map(({ body, problem }) =>
        JSON.stringify([body, problem]).replaceAll(/\d{8}/g, '#'),
      ),
    )
  } finally {
    await Promise.all(chats.map((chat) => chat.close()))
  }
}
