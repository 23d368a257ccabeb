import { describe, expect, it } from 'vitest'
import { readInputSchema } from './input-schema.ts'
import { sdkDefinition } from './sdk-definition.ts'
import type { SdkTool } from './sdk-shapes.ts'

const define = (tool: SdkTool & { _meta?: unknown }, context?: unknown) =>
  sdkDefinition('a', tool, readInputSchema('a', undefined), context)

describe('sdkDefinition', () => {
  it.each([
    [true, 'deferred'],
    [false, 'eager'],
    [undefined, undefined],
  ])('maps deferLoading %s to loading %s', async (deferLoading, loading) => {
    expect((await define({ deferLoading })).loading).toBe(loading)
  })

  it('reads a description that depends on the context', async () => {
    const tool = { description: ({ context }: { context: string }) => `Speaks ${context}` }
    expect((await define(tool, 'Latin')).description).toBe('Speaks Latin')
  })

  it('recognises a tool of an MCP client, and its server if the client is named', async () => {
    const tool = (clientName: string) => ({
      title: 'Echo',
      metadata: { clientName, toolName: 'echo', annotations: { readOnlyHint: true } },
      _meta: { 'anthropic/alwaysLoad': true },
    })
    expect(await define(tool('github'))).toEqual({
      name: 'a',
      title: 'Echo',
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      annotations: { readOnlyHint: true },
      _meta: { 'anthropic/alwaysLoad': true },
      isMcp: true,
      source: 'mcp:github',
    })
    expect(await define(tool('ai-sdk-mcp-client'))).not.toHaveProperty('source')
    expect(await define({ metadata: { clientName: 'mine' } })).not.toHaveProperty('isMcp')
  })
})
