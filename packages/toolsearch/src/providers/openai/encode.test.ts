import { describe, expect, it } from 'vitest'
import type { RequestPlan } from '../provider.ts'
import { encode } from './encode.ts'
import type { OpenaiItem } from './items.ts'
import { openaiModes } from './openai-modes.ts'

const inputSchema = { type: 'object', properties: { query: { type: 'string' } } }
const plan: RequestPlan<OpenaiItem> = {
  mode: openaiModes.client,
  model: 'gpt-5.6',
  canSearch: true,
  extraTools: [],
  searchTool: { name: 'tool_search', description: 'Finds tools.', inputSchema },
  tools: [{ name: 'read', description: 'Reads.', inputSchema: {} }],
  deferred: [],
  system: 'Be kind.',
  announcement: 'There are more tools.',
  messages: [{ role: 'user', content: 'Hello' }],
  notice: 'New: weather.',
}
const {
  searchTool: _,
  announcement: __,
  notice: ___,
  ...hosted
} = { ...plan, mode: openaiModes.hosted }
const forecast = { name: 'forecast', description: 'Forecasts.', inputSchema }

describe('encode', () => {
  it('declares the search as a client search', () => {
    expect(JSON.stringify(encode(plan), null, 1)).toMatchInlineSnapshot(`
      "{
       "instructions": "Be kind.\\n\\nThere are more tools.",
       "tools": [
        {
         "type": "tool_search",
         "execution": "client",
         "description": "Finds tools.",
         "parameters": {
          "type": "object",
          "properties": {
           "query": {
            "type": "string"
           }
          }
         }
        },
        {
         "type": "function",
         "name": "read",
         "description": "Reads.",
         "parameters": {
          "type": "object",
          "properties": {}
         },
         "strict": false
        }
       ],
       "input": [
        {
         "role": "user",
         "content": "Hello"
        },
        {
         "role": "developer",
         "content": "New: weather."
        }
       ]
      }"
    `)
  })

  it('declares deferred tools in namespaces', () => {
    const deferred = [{ ...forecast, source: 'mcp:weather' as const }]
    expect(JSON.stringify(encode({ ...hosted, deferred }), null, 1)).toMatchInlineSnapshot(`
      "{
       "instructions": "Be kind.",
       "tools": [
        {
         "type": "tool_search"
        },
        {
         "type": "function",
         "name": "read",
         "description": "Reads.",
         "parameters": {
          "type": "object",
          "properties": {}
         },
         "strict": false
        },
        {
         "type": "namespace",
         "name": "weather",
         "description": "Tools of weather: forecast.",
         "tools": [
          {
           "type": "function",
           "name": "forecast",
           "description": "Forecasts.",
           "parameters": {
            "type": "object",
            "properties": {
             "query": {
              "type": "string"
             }
            }
           },
           "strict": false,
           "defer_loading": true
          }
         ]
        }
       ],
       "input": [
        {
         "role": "user",
         "content": "Hello"
        }
       ]
      }"
    `)
  })

  it('declares the search as a function in mode append', () => {
    expect(encode({ ...plan, mode: openaiModes.append }).tools).toEqual([
      {
        type: 'function',
        name: 'tool_search',
        description: 'Finds tools.',
        parameters: inputSchema,
        strict: false,
      },
      {
        type: 'function',
        name: 'read',
        description: 'Reads.',
        parameters: { type: 'object', properties: {} },
        strict: false,
      },
    ])
  })

  it('declares call_tool after the search', () => {
    const callTool = { name: 'call_tool', description: 'Calls a tool.', inputSchema }
    const { tools } = encode({ ...plan, mode: openaiModes.bridge, callTool })
    expect(tools?.map((tool) => 'name' in tool && tool.name)).toEqual([
      'tool_search',
      'call_tool',
      'read',
    ])
  })

  // codex #19486, pydantic-ai #5938, codegraff #746
  it('sends a hosted search and deferred tools only together', () => {
    const deferred = [{ ...forecast, source: 'mcp:weather' as const }]
    const types = (more: Partial<typeof plan>) =>
      encode({ ...hosted, tools: [], ...more }).tools?.map((tool) => [
        tool.type,
        'defer_loading' in tool,
      ])
    expect(types({ canSearch: false, deferred: [] })).toBeUndefined()
    expect(types({ canSearch: false, deferred })).toBeUndefined()
    expect(types({ canSearch: true, deferred: [] })).toEqual([
      ['tool_search', false],
      ['function', true],
    ])
  })

  it('puts the tool choice after the input, so the prefix stays unchanged', () => {
    const keys = Object.keys(encode({ ...plan, toolChoice: 'read' }))
    expect(keys).toEqual(['instructions', 'tools', 'input', 'tool_choice'])
    expect(encode({ ...plan, toolChoice: 'read' }).tool_choice).toEqual({
      type: 'function',
      name: 'read',
    })
  })

  it('omits empty instructions', () => {
    expect(encode({ ...hosted, tools: [], canSearch: false, system: undefined })).toEqual({
      input: plan.messages,
    })
  })
})
