import { describe, expect, it } from 'vitest'
import { createToolSearch } from '../toolsearch.ts'
import { providers } from './all-providers.fixtures.ts'

describe.each(providers)('wrong input to the adapter of $name', (provider) => {
  it('rejects a session that was not awaited', () => {
    const session = createToolSearch().session('a')
    expect(() => provider.adapter(session as never, {})).toThrow(
      expect.objectContaining({
        name: 'InvalidOptionError',
        message: 'session is a promise; pass a session: await toolSearch.session(id)',
      }),
    )
  })

  it.each([undefined, null, {}, 'chat-42'])('rejects %j as session', (session) => {
    expect(() => provider.adapter(session as never, {})).toThrow(
      /^session is .*; pass a session: await toolSearch\.session\(id\)$/,
    )
  })
})
