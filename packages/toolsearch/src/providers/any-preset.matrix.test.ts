import type { Reply } from 'toolsearch-checking-server'
import { describe, expect, it } from 'vitest'
import { eachValue } from '../../../../testing/deep.ts'
import { claudeCodeWiki, type Preset, unified } from '../index.ts'
import { allPresets } from '../presets/all-presets.fixtures.ts'
import { providers } from './all-providers.fixtures.ts'
import { startConversation } from './converse.fixtures.ts'
import { expectStableBytes } from './recorded-requests.fixtures.ts'

// claudeCodeWiki defers nothing in a catalogue of this size
const presets = allPresets.filter((preset) => preset !== unified && preset !== claudeCodeWiki)
const cases = providers.flatMap((provider) =>
  eachValue({ provider: [provider], mode: provider.stableModes, preset: presets }),
)

describe.each(cases)(
  '$provider.name, mode $mode, preset $preset.preset',
  ({ provider, mode, preset }) => {
    it('keeps every request a byte prefix of the next', async () => {
      // nexo defers tools of MCP servers only on request
      const search = { preset, deferral: { mcp: 'deferred' } } as const
      const chat = await startConversation(provider, { mode, search })
      try {
        for (const name of ['invoice_approve', 'photo_archive', 'branch_measure']) {
          const found = provider.search(mode, name.replace('_', ' '), [name])
          await chat.turn(searchWith(preset.searchTool, found))
          const inner = { name, arguments: { subject: 'x' } }
          await chat.turn({
            calls: [mode === 'bridge' ? { name: 'call_tool', arguments: inner } : inner],
          })
          await chat.turn({ text: 'Done.' })
        }
        expect(chat.ran).toHaveLength(3)
        expect(chat.accepted()).toHaveLength(9)
        expectStableBytes(chat)
      } finally {
        await chat.close()
      }
    })
  },
)

/** The same search, with the names that a preset gives to the tool and to the limit. */
function searchWith({ name, inputSchema }: Preset['searchTool'], reply: Reply): Reply {
  const known = Object.keys(inputSchema.properties as object)
  const limits = known.filter((key) => key === 'max_results' || key === 'top_k')
  const toInput = (input: unknown) => ({
    query: (input as { query: string }).query,
    ...Object.fromEntries(limits.map((limit) => [limit, 1])),
  })
  const { calls, clientSearch } = reply
  return {
    ...reply,
    ...(calls && { calls: calls.map((call) => ({ name, arguments: toInput(call.arguments) })) }),
    ...(clientSearch && { clientSearch: { arguments: toInput(clientSearch.arguments) } }),
  }
}
