import type Anthropic from '@anthropic-ai/sdk'
import type { FunctionDeclaration } from '@google/genai'
import type { Tool as McpTool } from '@modelcontextprotocol/sdk/types.js'
import { dynamicTool, jsonSchema, type ToolSet, tool, zodSchema } from 'ai'
import type OpenAI from 'openai'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import {
  createToolSearch,
  InvalidOptionError,
  InvalidToolError,
  type ToolInput,
  type ToolInputs,
} from '../index.ts'
import type { Tool } from './tool.ts'

const inputSchema = {
  type: 'object' as const,
  properties: { city: { type: 'string' as const } },
  required: ['city'],
}
const signal = new AbortController().signal

function only(tools: ToolInputs): Tool {
  return createToolSearch({ tools }).catalogue.tools()[0]!
}

function errorOf(tools: unknown): Error {
  try {
    createToolSearch({ tools: tools as ToolInputs })
  } catch (error) {
    return error as Error
  }
  return expect.fail('nothing was thrown')
}

describe('tools in the shapes that people have', () => {
  it('accepts the entries of an MCP tools/list', () => {
    const tools: McpTool[] = [{ name: 'weather', description: 'Forecast', inputSchema }]
    expect(only(tools)).toMatchObject({ name: 'weather', description: 'Forecast', inputSchema })
    const withTasks: McpTool = { name: 'a', inputSchema, execution: { taskSupport: 'optional' } }
    expect(only([withTasks]).execution).toBe('parallel')
  })

  it('accepts functions of OpenAI Chat Completions', () => {
    const tools: OpenAI.ChatCompletionTool[] = [
      {
        type: 'function',
        function: {
          name: 'weather',
          description: 'Forecast',
          parameters: inputSchema,
          strict: true,
        },
      },
    ]
    expect(only(tools)).toMatchObject({ name: 'weather', description: 'Forecast', inputSchema })
  })

  it('accepts functions of OpenAI Responses', () => {
    const tools: OpenAI.Responses.Tool[] = [
      {
        type: 'function',
        name: 'weather',
        description: 'Forecast',
        parameters: inputSchema,
        strict: null,
      },
    ]
    expect(only(tools)).toMatchObject({ name: 'weather', description: 'Forecast', inputSchema })
    const bare: OpenAI.Responses.FunctionTool[] = [
      { type: 'function', name: 'ping', parameters: null, strict: null, defer_loading: true },
    ]
    expect(only(bare)).toMatchObject({
      inputSchema: { type: 'object', properties: {} },
      loading: 'deferred',
    })
  })

  it('accepts custom tools of Anthropic, and defer_loading', () => {
    const tools: Anthropic.Tool[] = [
      {
        name: 'weather',
        description: 'Forecast',
        input_schema: inputSchema,
        defer_loading: true,
        cache_control: { type: 'ephemeral' },
      },
    ]
    expect(only(tools)).toMatchObject({
      name: 'weather',
      description: 'Forecast',
      inputSchema,
      loading: 'deferred',
    })
    expect(only([{ type: 'custom', name: 'a', input_schema: inputSchema }]).loading).toBe('auto')
  })

  it('accepts function declarations of Gemini', () => {
    const tools: FunctionDeclaration[] = [{ name: 'weather', parametersJsonSchema: inputSchema }]
    expect(only(tools)).toMatchObject({ name: 'weather', inputSchema })
  })

  it('accepts a ToolSet of the AI SDK', async () => {
    const weather = tool({
      description: 'Forecast',
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }, { toolCallId, abortSignal, messages }) => ({
        city,
        toolCallId,
        isAborted: abortSignal?.aborted,
        messages,
      }),
    })
    const other = dynamicTool({ inputSchema: jsonSchema(inputSchema), execute: async () => 1 })
    const tools = { weather, other } satisfies ToolSet
    const [first, second] = createToolSearch({ tools }).catalogue.tools()
    expect(first).toMatchObject({ name: 'weather', description: 'Forecast', inputSchema })
    expect(second).toMatchObject({ name: 'other', inputSchema })
    const output = first!.execute!({ city: 'Ulm' }, { signal, sessionId: 'a', callId: 'call_1' })
    expect(await output).toEqual({
      city: 'Ulm',
      toolCallId: 'call_1',
      isAborted: false,
      messages: [],
    })
  })

  it('accepts the schemas of the AI SDK', async () => {
    const schema = z.object({ city: z.string() })
    for (const one of [zodSchema(schema), () => zodSchema(schema), jsonSchema(inputSchema)]) {
      expect(only({ weather: tool({ inputSchema: one as never }) })).toMatchObject({ inputSchema })
    }
    const { validator } = only({ weather: tool({ inputSchema: zodSchema(schema) }) })
    expect(await validator!({ city: 'Ulm' })).toEqual({ value: { city: 'Ulm' } })
    expect(await validator!({ city: 7 })).toEqual({
      problems: ['at city: Invalid input: expected string, received number'],
    })
  })

  it('returns the last result of a tool that yields', async () => {
    const count = tool({
      inputSchema,
      async *execute() {
        yield 1
        yield 2
      },
    } as never)
    const output = only({ count }).execute!({}, { signal, sessionId: 'a' })
    expect(await output).toBe(2)
  })

  it('accepts an object of definitions in our own shape', () => {
    const tools = { weather: { description: 'Forecast', inputSchema, loading: 'eager' as const } }
    expect(only(tools)).toMatchObject({ name: 'weather', loading: 'eager', inputSchema })
    expect(createToolSearch({ tools: {} }).catalogue.size).toBe(0)
  })

  it('accepts our own fields next to those of another shape', () => {
    const execute = () => 'sunny'
    const tools: ToolInput[] = [
      { type: 'function', function: { name: 'weather' }, source: 'mcp:sky', execute },
    ]
    expect(only(tools)).toMatchObject({ name: 'weather', source: 'mcp:sky', execute })
  })

  it('accepts every shape in catalogue.add and catalogue.sync', () => {
    const { catalogue } = createToolSearch()
    catalogue.add({ type: 'function', function: { name: 'a', parameters: inputSchema } })
    catalogue.add({ b: tool({ inputSchema: z.object({}) }) })
    catalogue.sync('mcp:sky', [{ name: 'c', input_schema: inputSchema }])
    catalogue.sync('mcp:sun', { d: tool({ inputSchema: z.object({}) }) })
    expect(catalogue.tools().map(({ name, source }) => [name, source])).toEqual([
      ['a', 'builtin'],
      ['b', 'builtin'],
      ['c', 'mcp:sky'],
      ['d', 'mcp:sun'],
    ])
  })

  it('counts a tool that is added again as unchanged', () => {
    const tools = { weather: tool({ inputSchema: z.object({}), execute: async () => 1 }) }
    const { catalogue } = createToolSearch({ tools })
    catalogue.add(tools, { duplicates: 'replace' })
    expect(catalogue.version).toBe(1)
    const copy = createToolSearch({ tools: catalogue.tools() }).catalogue
    expect(copy.get('weather')).toEqual(catalogue.get('weather'))
  })

  it('rejects wrong shapes at compile time', () => {
    // @ts-expect-error a misspelt field
    const own: ToolInput = { name: 'a', descripton: 'b' }
    // @ts-expect-error the nested definition has no name
    const nested: ToolInput = { type: 'function', function: { nme: 'a' } }
    // @ts-expect-error not a schema
    const schema: ToolInput = { name: 'a', inputSchema: 'object' }
    expectTypeOf(own).toExtend<ToolInput>()
    expect([own, nested, schema]).toHaveLength(3)
  })
})

describe('tools that cannot be searched', () => {
  it.each<[string, unknown, string]>([
    ['OpenAI', [{ type: 'web_search' }], '"web_search": type is "web_search"'],
    ['Anthropic', [{ type: 'bash_20250124', name: 'bash' }], '"bash": type is "bash_20250124"'],
    [
      'the AI SDK',
      { search: { type: 'provider', id: 'openai.web_search', args: {}, inputSchema } },
      '"search": type is "provider"',
    ],
  ])('rejects a tool that %s defines', (_, tools, start) => {
    const error = errorOf(tools)
    expect(error).toBeInstanceOf(InvalidToolError)
    expect(error.message).toBe(
      `Tool ${start}. The tool is defined by the provider, so it cannot be searched. ` +
        'Leave it out here and pass it to the adapter as one of extraTools.',
    )
  })

  it.each([
    [[{ type: 'custom', custom: { name: 'sql' } }]],
    [[{ type: 'custom', name: 'sql', format: { type: 'text' } }]],
  ])('rejects a custom tool of OpenAI: %j', (tools) => {
    expect(errorOf(tools).message).toContain('Tool "sql": type is "custom". The tool has no JSON')
  })
})

describe('definitions without a name', () => {
  it('names the position in the list', () => {
    const tools = [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { description: 'no name' }]
    const error = errorOf(tools)
    expect(error).toMatchObject({ code: 'invalid_tool', toolName: '', field: 'name' })
    expect(error.message).toBe(
      'The tool at index 3: name must be a non-empty string, got undefined',
    )
  })

  it.each<[string, unknown, RegExp]>([
    ['a single definition', { inputSchema }, /^A tool definition: name must be/],
    ['a function of OpenAI', [{ type: 'function', function: {} }], /index 0: name must be/],
    ['a list in a list', [[{ name: 'a' }]], /^The tool at index 0 must be an object, got array/],
    ['an empty key', { '': { inputSchema } }, /^Tool "": name must be a non-empty string/],
  ])('rejects %s', (_, tools, message) => {
    expect(errorOf(tools)).toBeInstanceOf(InvalidToolError)
    expect(errorOf(tools).message).toMatch(message)
  })
})

describe('misspelt fields', () => {
  it.each([
    ['inputschema', 'inputSchema'],
    ['inputShema', 'inputSchema'],
    ['input-schema', 'inputSchema'],
    ['schema', 'inputSchema'],
    ['input', 'inputSchema'],
    ['params', 'inputSchema'],
    ['outputShema', 'outputSchema'],
    ['descripton', 'description'],
    ['Tags', 'tags'],
  ])('says that %s was meant to be %s', (field, meant) => {
    const error = errorOf([{ name: 'weather', [field]: inputSchema }])
    expect(error).toBeInstanceOf(InvalidToolError)
    expect(error).toMatchObject({ toolName: 'weather', field })
    expect(error.message).toBe(
      `Tool "weather": there is no field "${field}"; did you mean "${meant}"?`,
    )
  })

  it('names the place of a tool whose name is misspelt', () => {
    expect(errorOf([{ Name: 'weather' }]).message).toBe(
      'The tool at index 0: there is no field "Name"; did you mean "name"?',
    )
  })

  it('ignores other unknown fields, and a similar one next to the right one', () => {
    const fields = { icons: [], strict: true, args: {}, input: {}, schema: {}, meta: {}, kind: 'x' }
    expect(only([{ name: 'weather', inputSchema, ...fields } as ToolInput])).toMatchObject({
      inputSchema,
    })
  })
})

describe('a list of tools in something else', () => {
  const list = [{ name: 'weather', inputSchema }]

  it.each<[string, unknown, string]>([
    ['a tools/list result', { tools: list }, 'pass result.tools'],
    ['a tool of Gemini', { functionDeclarations: list }, 'pass result.functionDeclarations'],
    ['a Map', new Map([['weather', list[0]]]), 'tools is a Map; use an array: [...map.values()]'],
    ['a Set', new Set(list), 'tools is a Set; use an array: [...set]'],
    ['a promise', Promise.resolve(list), 'tools is a promise; await it'],
  ])('says how to pass it: %s', (_, tools, fix) => {
    expect(errorOf(tools)).toBeInstanceOf(InvalidOptionError)
    expect(errorOf(tools).message).toContain(fix)

    const { catalogue } = createToolSearch()
    catalogue.sync('mcp:sky', list)
    const options = { problems: 'skip' } as const
    expect(() => catalogue.add(tools as ToolInputs, options)).toThrow(fix)
    expect(() => catalogue.sync('mcp:sky', tools as ToolInputs, options)).toThrow(fix)
    expect(catalogue.size).toBe(1)
  })

  it.each(['tools', 'functionDeclarations'])('names the field of an entry: %s', (field) => {
    const error = errorOf([{ [field]: list }])
    expect(error).toBeInstanceOf(InvalidToolError)
    expect(error.message).toBe(
      `The tool at index 0: ${field} is a list of tools; pass its entries instead of the object around it`,
    )
  })
})
