import { toJsonSchema } from '@langchain/core/utils/json_schema'
import { DynamicTool, tool } from 'langchain'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { z as z3 } from 'zod/v3'
import { createToolSearch } from '../../toolsearch.ts'
import { langchainTools } from './langchain-tools.ts'
import { toolSearchMiddleware } from './tool-search-middleware.ts'

const run = async () => 'done'

it('reads Zod and JSON schemas, annotations of MCP tools, and whether a tool is deferred', () => {
  const json = { type: 'object', properties: { a: { type: 'string' } } } as const
  const definitions = langchainTools([
    tool(run, { name: 'zod', description: 'A', schema: z.object({ a: z.string() }) }),
    tool(run, {
      name: 'json',
      description: 'B',
      schema: json,
      metadata: { annotations: { readOnlyHint: true } },
      extras: { defer_loading: false },
    }),
  ])
  const { catalogue } = createToolSearch({ tools: definitions })
  expect(catalogue.get('zod')).toMatchObject({ inputSchema: json, loading: 'auto' })
  expect(catalogue.get('json')).toMatchObject({
    inputSchema: json,
    annotations: { readOnlyHint: true },
    loading: 'eager',
  })
})

it('reads schemas of Zod 3 with the converter of LangChain', () => {
  const old = { name: 'old', description: 'A', schema: z3.object({ a: z3.string() }) }
  const tools = langchainTools([
    tool(run, old as never),
    new DynamicTool({ name: 'text', description: 'B', func: run }),
  ])
  const { catalogue } = createToolSearch({ tools, toJsonSchema })
  expect(catalogue.get('old')!.inputSchema).toMatchObject({ required: ['a'] })
  expect(catalogue.get('text')!.inputSchema).toMatchObject({ properties: { input: {} } })
})

it('counts the same tool as unchanged, and another tool of the same name as changed', () => {
  const first = tool(run, { name: 'a', description: 'A', schema: z.object({}) })
  const second = tool(run, { name: 'a', description: 'A', schema: z.object({}) })
  const { catalogue } = createToolSearch({ tools: langchainTools([first]) })
  const before = catalogue.get('a')
  catalogue.add(langchainTools([first]), { duplicates: 'replace' })
  expect(catalogue.get('a')).toBe(before)
  catalogue.add(langchainTools([second]), { duplicates: 'replace' })
  expect(catalogue.get('a')!.metadata.langchainTool).toBe(second)
})

it('rejects what is not a tool or not a tool search', () => {
  expect(() => langchainTools([{ name: 'a' }] as never)).toThrow('use an array of LangChain tools')
  expect(() => toolSearchMiddleware({} as never)).toThrow('pass the result of createToolSearch()')
})
