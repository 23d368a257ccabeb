import { describe, expect, it } from 'vitest'
import { createToolSearch } from '../../toolsearch.ts'
import { type AnthropicMode, anthropic } from './anthropic.ts'

const adapter = async (mode: string | undefined, model: string) =>
  anthropic(await createToolSearch().session('a'), { mode: mode as AnthropicMode, model })

describe('anthropic modes', () => {
  it.each([
    ['claude-opus-5', 'reference'],
    ['claude-sonnet-5', 'reference'],
    ['claude-opus-4-8', 'reference'],
    ['claude-sonnet-4-5-20250929', 'reference'],
    ['anthropic.claude-haiku-4-5-20251001-v1:0', 'reference'],
    ['claude-opus-4-1-20250805', 'bridge'],
    ['claude-sonnet-4-20250514', 'bridge'],
    ['claude-opus-4@20250514', 'bridge'],
    ['claude-3-7-sonnet-latest', 'bridge'],
    ['MiniMax-M2', 'bridge'],
  ])('%s defaults to %s', async (model, mode) => {
    expect((await adapter(undefined, model)).mode).toBe(mode)
  })

  it.each([
    [
      'inline-addition',
      'claude-sonnet-5',
      'claude-sonnet-5 does not support tool_addition and tool_removal',
    ],
    ['inline-addition', 'claude-haiku-4-5', 'does not support tool_addition'],
    ['reference', 'claude-3-5-haiku-latest', 'does not support deferred tools'],
    ['native', 'claude-opus-4-1', 'does not support deferred tools'],
  ])('rejects mode %s for %s', async (mode, model, reason) => {
    await expect(adapter(mode, model)).rejects.toThrow(reason)
    await expect(adapter(mode, model)).rejects.toThrow('bridge')
  })

  it.each(['claude-opus-5', 'claude-opus-4-8', 'claude-sonnet-5-5', 'claude-mythos-5'])(
    'accepts mode inline-addition for %s',
    async (model) => {
      expect((await adapter('inline-addition', model)).mode).toBe('inline-addition')
    },
  )

  it('rejects an unknown mode and names the available ones', async () => {
    await expect(adapter('magic', 'claude-opus-5')).rejects.toThrow(
      'Unknown mode "magic" for anthropic. Available modes: native, reference,',
    )
  })
})
