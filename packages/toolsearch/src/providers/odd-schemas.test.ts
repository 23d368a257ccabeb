import { describe, expect, it } from 'vitest'
import type { ToolDefinition } from '../catalogue/tool.ts'
import { providers } from './all-providers.fixtures.ts'
import { startConversation } from './converse.fixtures.ts'

/** Schemas like those in public tool sets: no validator can compile them. */
const ODD_PROPERTIES: Record<string, unknown> = {
  dict: { type: 'dict', properties: { a: { type: 'int' } } },
  float: { type: 'float', required: true },
  tuple: { type: 'tuple', items: [{ type: 'str' }, { type: 'bool' }] },
  list: { type: 'list', items: 'string' },
  any: { type: 'any' },
  union: { type: ['str', 'NoneType'] },
  pattern: { type: 'string', pattern: '(?P<year>\\d{4})' },
  reference: { $ref: '#/components/schemas/Owner' },
  nothing: null,
  draft4: { type: 'number', minimum: 0, exclusiveMinimum: true },
  enumeration: { type: 'string', enum: 'a, b' },
  example: { type: 'string', examples: 'x' },
  array: { type: 'array' },
}

const oddTools: ToolDefinition[] = Object.entries(ODD_PROPERTIES).map(([kind, property]) => ({
  name: `odd_${kind}`,
  description: `Has an odd ${kind}.`,
  source: 'mcp:odd',
  inputSchema: { type: 'dict', properties: { value: property }, required: ['value'] },
}))

const cases = providers.flatMap((provider) => provider.modes.map((mode) => ({ provider, mode })))

describe.each(cases)('$provider.name, mode $mode', ({ provider, mode }) => {
  it('sends, finds and calls tools whose schemas no validator can compile', async () => {
    const chat = await startConversation(provider, { mode, tools: oddTools })
    try {
      expect(chat.toolSearch.catalogue.size).toBe(oddTools.length)
      await chat.session.load(oddTools.map(({ name }) => name))
      chat.messages = [provider.user('Use the odd tools.')]
      const inner = { name: 'odd_dict', arguments: { value: { a: 'not an integer' } } }
      await chat.turn({
        calls: [mode === 'bridge' ? { name: 'call_tool', arguments: inner } : inner],
        unconstrained: true,
      })
      await chat.turn({ text: 'Done.' })
      expect(chat.ran).toEqual([inner])
      expect(chat.accepted()).toHaveLength(2)
    } finally {
      await chat.close()
    }
  })

  it('lists such tools in full while deferral is off', async () => {
    const search = { activation: 'never' as const }
    const chat = await startConversation(provider, { mode, tools: oddTools, search })
    try {
      await chat.turn({ text: 'Hello.' })
      expect(chat.accepted()).toHaveLength(1)
      expect(JSON.stringify(chat.accepted()[0])).toContain('odd_example')
    } finally {
      await chat.close()
    }
  })
})
