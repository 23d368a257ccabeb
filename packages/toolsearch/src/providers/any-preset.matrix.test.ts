import { describe, expect, it } from 'vitest'
import { eachValue } from '../../../../testing/deep.ts'
import { claudeCode, cortex, dirge, everruns, everrunsLatest, nexo } from '../index.ts'
import { providers } from './all-providers.fixtures.ts'
import { startConversation } from './converse.fixtures.ts'
import { expectStableBytes } from './recorded-requests.fixtures.ts'

const presets = [claudeCode, cortex, dirge, everruns, everrunsLatest, nexo]
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
          const calls = found.calls?.map((call) => ({ ...call, name: preset.searchTool.name }))
          await chat.turn({ ...found, ...(calls && { calls }) })
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
