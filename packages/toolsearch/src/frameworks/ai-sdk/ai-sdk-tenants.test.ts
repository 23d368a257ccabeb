import { generateText, isStepCount, type ToolSet, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createToolSearch, type ToolSearch } from '../../index.ts'
import { fieldedRanker } from '../../rankers.ts'
import { manyTools, scriptedModel, search } from './ai-sdk.fixtures.ts'
import { type AiSdkMode, aiSdk } from './index.ts'

const model = scriptedModel()
const TENANTS = ['ann', 'bob'] as const

/** The same names for both tenants, with other descriptions and schemas. */
function toolsOf(tenant: string, count: number): ToolSet {
  const others = Array.from({ length: count }, (_, at) => [
    `${tenant}_report_${at}`,
    tool({ description: 'Prints a report about customers', inputSchema: z.object({}) }),
  ])
  return {
    crm_search: tool({
      description: `Searches the ${tenant}secret customers`,
      inputSchema: z.object({ [`${tenant}_key`]: z.string() }),
      execute: () => `${tenant}secret result`,
    }),
    mail_send: tool({
      description: `Sends a ${tenant}secret letter`,
      inputSchema: z.object({ to: z.string() }),
      execute: () => 'sent',
    }),
    ...Object.fromEntries(others),
  }
}

/** Runs a conversation and returns all requests. */
async function converse(
  toolSearch: ToolSearch,
  tenant: string,
  mode: AiSdkMode,
  { tools = toolsOf(tenant, tenant.charCodeAt(0) - 95), toolsContext = {} } = {},
): Promise<string[]> {
  const input = (query: string) =>
    mode === 'client' ? { name: 'tool_search', input: { arguments: { query } } } : search(query)
  const model = scriptedModel(
    [input('customers letter')],
    [{ name: 'crm_search', input: { ann_key: 'x' } }],
    [{ name: 'crm_serch', input: {} }],
    [input('select:ann_report_0,bob_report_0,crm_search')],
    [{ name: 'mail_send', input: {} }],
    'Done.',
  )
  const session = await toolSearch.session(tenant)
  await generateText({
    model,
    prompt: 'Do something',
    ...aiSdk(session, { tools, mode }),
    toolsContext: toolsContext as never,
    stopWhen: isStepCount(20),
  })
  return model.doGenerateCalls.map(({ prompt, tools }) =>
    JSON.stringify([prompt, tools]).replaceAll(/call_\d+/g, 'call'),
  )
}

describe.each(['bridge', 'append', 'reference', 'client'] as const)(
  'interleaved generateText calls of two tenants, in mode %s',
  (mode) => {
    it('never contain the description of the other tenant', async () => {
      const create = () => createToolSearch({ activation: 'always' })
      const toolSearch = create()
      const together = await Promise.all(
        TENANTS.map((tenant) => converse(toolSearch, tenant, mode)),
      )
      for (const [at, tenant] of TENANTS.entries()) {
        const other = TENANTS[1 - at]!
        expect(together[at]).toEqual(await converse(create(), tenant, mode))
        expect(JSON.stringify(together[at])).toContain(`${tenant}secret`)
        expect(JSON.stringify(together[at])).not.toContain(`${other}secret`)
      }
      expect(toolSearch.catalogue).toMatchObject({ size: 0, version: 0 })
    })
  },
)

describe('the tools of aiSdk', () => {
  it('have descriptions that depend on the context of their own call only', async () => {
    const described = tool({
      description: ({ context }: { context: { tenant: string } }) =>
        `Searches the ${context.tenant}secret customers`,
      inputSchema: z.object({ ann_key: z.string() }),
      contextSchema: z.object({ tenant: z.string() }),
      execute: () => 'found',
    })
    const tools: ToolSet = { crm_search: described as ToolSet[string] }
    const toolSearch = createToolSearch({ activation: 'always' })
    const together = await Promise.all(
      TENANTS.map((tenant) =>
        converse(toolSearch, tenant, 'append', {
          tools,
          toolsContext: { crm_search: { tenant } },
        }),
      ),
    )
    for (const [at, tenant] of TENANTS.entries()) {
      expect(JSON.stringify(together[at])).toContain(`${tenant}secret`)
      expect(JSON.stringify(together[at])).not.toContain(`${TENANTS[1 - at]}secret`)
    }
  })

  it('are described again after a description failed', async () => {
    let calls = 0
    const description = () => {
      if (++calls === 1) throw new Error('The directory is down.')
      return 'Searches customers'
    }
    const tools = { crm_search: tool({ description, inputSchema: z.object({}) }) }
    const session = await createToolSearch({ activation: 'always' }).session('a')
    const { prepareStep } = aiSdk(session, { tools })
    const step = { model, stepNumber: 0, steps: [], messages: [], initialInstructions: undefined }
    await expect(prepareStep(step)).rejects.toThrow('The directory is down.')
    expect((await prepareStep(step)).instructions).toContain('crm_search')
  })

  it('are indexed once for all requests with the same object', async () => {
    let rankers = 0
    const ranker = () => {
      rankers++
      return fieldedRanker()
    }
    const toolSearch = createToolSearch({ activation: 'always', ranker })
    const request = async (id: string, tools: ToolSet) => {
      const { prepareStep, tools: guarded } = aiSdk(await toolSearch.session(id), { tools })
      await prepareStep({
        model,
        stepNumber: 0,
        steps: [],
        messages: [],
        initialInstructions: undefined,
      })
      const execute = guarded.tool_search!.execute as (input: unknown) => Promise<string>
      return execute({ query: 'thing number3' })
    }
    const constant = manyTools(20)
    for (let at = 0; at < 20; at++) {
      expect(await request(`s${at}`, constant)).toContain('tool_3')
    }
    expect(rankers).toBe(2)
    await request('another object', { ...constant })
    expect(rankers).toBe(3)
    Object.assign(constant, {
      tool_3: tool({ description: 'Plays chess', inputSchema: z.object({}) }),
    })
    expect(await request('a changed object', constant)).toContain('Plays chess')
  })
})
