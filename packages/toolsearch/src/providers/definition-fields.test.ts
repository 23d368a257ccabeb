import { describe, expect, it } from 'vitest'
import { readDefinition } from '../catalogue/read-definition.ts'
import type { ToolDefinition } from '../catalogue/tool.ts'
import { toolFingerprint } from '../catalogue/tool-fingerprint.ts'
import { toolText } from '../tokens/tool-tokens.ts'
import { createToolSearch } from '../toolsearch.ts'
import { providers } from './all-providers.fixtures.ts'
import { startConversation } from './converse.fixtures.ts'
import { openai } from './openai/openai.ts'
import { sampleTools } from './provider.fixtures.ts'
import { fitsStrictMode } from './strict-schema.ts'

const inputSchema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}
const fields = {
  strict: true,
  inputExamples: [{ city: 'Oslo' }, { city: 7 }],
  allowedCallers: ['direct'],
  cacheControl: { type: 'ephemeral' },
} as const
const forecast: ToolDefinition = {
  name: 'forecast_weather',
  description: 'Forecasts the weather.',
  inputSchema,
  outputSchema: { type: 'object', properties: { degrees: { type: 'number' } } },
  loading: 'eager',
  ...fields,
}

const cases = providers.flatMap((provider) => provider.modes.map((mode) => ({ provider, mode })))

/** What each service takes of a tool that is listed in full. */
const EXPECTED: Readonly<Record<string, object>> = {
  Anthropic: {
    strict: true,
    input_examples: [{ city: 'Oslo' }],
    allowed_callers: ['direct'],
    cache_control: { type: 'ephemeral' },
  },
  'Chat Completions': { strict: true },
  Gemini: {},
  'OpenAI Responses': { strict: true, allowed_callers: ['direct'] },
}

describe.each(cases)('fields of definitions: $provider.name, mode $mode', ({ provider, mode }) => {
  it('sends the optional fields that the service takes', async () => {
    const tools = [
      forecast,
      { ...forecast, name: 'forecast_hidden', loading: 'deferred' as const },
      ...sampleTools,
    ]
    const chat = await startConversation(provider, { mode, tools })
    try {
      await chat.turn(provider.search(mode, 'forecast hidden', ['forecast_hidden']))
      await chat.turn({ text: 'Done.' })
      expect(chat.server.requests.map(({ problem }) => problem)).toEqual([undefined, undefined])
      const list = JSON.stringify(chat.accepted()[0]!.body.tools)
      const listed = findTool(JSON.parse(list), 'forecast_weather')
      expect(listed).toMatchObject(EXPECTED[provider.name]!)
      const plain = ['name', 'description', 'type', 'input_schema', 'parameters']
      const sent = Object.keys(listed).filter((key) => !plain.includes(key))
      expect(sent.filter((key) => key !== 'parametersJsonSchema').sort()).toEqual(
        Object.keys(EXPECTED[provider.name]!).sort(),
      )
    } finally {
      await chat.close()
    }
  })
})

function findTool(value: unknown, name: string): Record<string, unknown> {
  const all: Record<string, unknown>[] = []
  JSON.stringify(value, (_, part) => {
    if (part?.name === name) all.push(part)
    return part
  })
  return all[0]!
}

describe('the optional fields of a definition', () => {
  it.each([
    ['our own', { name: 'a', inputSchema, ...fields }],
    [
      'OpenAI',
      {
        type: 'function',
        name: 'a',
        parameters: inputSchema,
        strict: true,
        allowed_callers: ['direct'],
      },
    ],
    [
      'Chat Completions',
      { type: 'function', function: { name: 'a', parameters: inputSchema, strict: true } },
    ],
    [
      'Anthropic',
      {
        name: 'a',
        input_schema: inputSchema,
        strict: true,
        input_examples: fields.inputExamples,
        allowed_callers: ['direct'],
        cache_control: { type: 'ephemeral' },
      },
    ],
  ])('are read from the shape of %s', (_, definition) => {
    const tool = readDefinition(definition)
    const { strict, inputExamples, allowedCallers, cacheControl } = tool
    expect({ strict, inputExamples, allowedCallers, cacheControl }).toMatchObject({
      strict: true,
      ...(inputExamples && { inputExamples: fields.inputExamples }),
      ...(allowedCallers && { allowedCallers: ['direct'] }),
    })
    expect(JSON.stringify(definition).includes('xamples')).toBe(inputExamples !== undefined)
    expect(JSON.stringify(definition).includes('llowed')).toBe(allowedCallers !== undefined)
    expect(JSON.stringify(definition).includes('ache')).toBe(cacheControl !== undefined)
  })

  it('are read from the examples of the AI SDK', () => {
    const definition = { inputSchema, inputExamples: [{ input: { city: 'Oslo' } }] }
    expect(readDefinition(definition, { key: 'a' }).inputExamples).toEqual([{ city: 'Oslo' }])
  })

  it('change nothing for tools that have none of them', () => {
    const { outputSchema: _, ...plain } = readDefinition({ name: 'a', inputSchema })
    expect(Object.keys(toolText(plain))).toEqual(['name', 'description', 'inputSchema'])
    const { strict: __, ...rest } = readDefinition({ name: 'a', inputSchema, strict: false })
    expect(toolFingerprint(rest)).toBe(toolFingerprint(plain))
    expect(toolFingerprint(readDefinition({ name: 'a', inputSchema, strict: true }))).not.toBe(
      toolFingerprint(plain),
    )
  })

  it.each([
    [{ inputExamples: [1] }, 'inputExamples'],
    [{ inputExamples: [{ size: 1n }] }, 'inputExamples'],
    [{ allowedCallers: 'direct' }, 'allowedCallers'],
    [{ cacheControl: true }, 'cacheControl'],
    [{ strict: 'yes' }, 'strict'],
  ])('are rejected if they are wrong (%#)', (wrong, field) => {
    expect(() => readDefinition({ name: 'a', inputSchema, ...wrong })).toThrow(field)
  })

  it('include the output schema for tools that programs may call', async () => {
    const tool = { ...forecast, allowedCallers: ['programmatic', 'code_execution_20260120'] }
    const session = await createToolSearch({ tools: [tool] }).session('a')
    const { tools } = await openai(session).request({ messages: [] })
    expect(tools![0]).toMatchObject({
      allowed_callers: ['programmatic'],
      output_schema: forecast.outputSchema,
    })
  })
})

describe('fitsStrictMode', () => {
  const closed = { type: 'object', additionalProperties: false }
  it.each([
    ['closed objects with required properties', inputSchema, true],
    ['an open object', { type: 'object', properties: {} }, false],
    ['an optional property', { ...inputSchema, required: [] }, false],
    [
      'an open object inside',
      { ...closed, properties: { a: { type: 'object' } }, required: ['a'] },
      false,
    ],
    ['an unsupported keyword', { ...inputSchema, not: {} }, false],
    ['a property without a type', { ...closed, properties: { a: {} }, required: ['a'] }, false],
    [
      'arrays, unions and references',
      {
        ...closed,
        properties: {
          a: { type: 'array', items: { $ref: '#/$defs/b' } },
          c: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        },
        required: ['a', 'c'],
        $defs: { b: { enum: [1, 2] } },
      },
      true,
    ],
  ])('judges %s', (_, schema, fits) => {
    expect(fitsStrictMode(schema)).toBe(fits)
  })

  it('allows optional properties and forbids keywords if the service does', () => {
    expect(fitsStrictMode({ ...inputSchema, required: [] }, { optional: true })).toBe(true)
    const limited = {
      ...closed,
      properties: { a: { type: 'number', minimum: 1 } },
      required: ['a'],
    }
    expect(fitsStrictMode(limited)).toBe(true)
    expect(fitsStrictMode(limited, { unsupported: ['minimum'] })).toBe(false)
  })
})
