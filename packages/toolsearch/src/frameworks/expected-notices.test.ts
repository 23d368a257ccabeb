import { describe, expect, it } from 'vitest'
import { sampleTools } from '../providers/provider.fixtures.ts'
import { createToolSearch } from '../toolsearch.ts'
import { createExpectedNotices } from './expected-notices.ts'

const SAID = 'Please approve the invoice.'

async function start() {
  const toolSearch = createToolSearch({ tools: sampleTools })
  const notices = createExpectedNotices(await toolSearch.session('a'), true)
  return { toolSearch, notices }
}

describe('createExpectedNotices', () => {
  it('adds a notice to its message in every request', async () => {
    const { toolSearch, notices } = await start()
    const [, notice] = await notices(['Hello.', SAID])
    expect(notice).toContain('invoice_approve')
    expect(await notices(['Hello.', SAID, undefined, 'Thanks.'])).toEqual([
      undefined,
      notice,
      undefined,
      undefined,
    ])
    // the same words again belong to another message
    expect(await notices(['Hello.', SAID, undefined, SAID])).toEqual([
      undefined,
      notice,
      undefined,
      undefined,
    ])
    const other = createExpectedNotices(await toolSearch.session('a'), true)
    expect(await other(['Hello.', SAID, undefined])).toEqual([undefined, notice, undefined])
  })

  it('adds nothing to a message that contains its notice, or to another message', async () => {
    const { notices } = await start()
    const [notice] = await notices([SAID])
    expect(await notices([`${SAID}\n\n${notice}`, undefined])).toEqual([undefined, undefined])
    // the service keeps the conversation, so the request has only what is new
    expect(await notices([undefined])).toEqual([undefined])
    expect(await notices(['Thanks.'])).toEqual([undefined])
    expect(await notices([SAID, undefined])).toEqual([notice, undefined])
  })

  it('searches with the words that a function returns', async () => {
    const session = await createToolSearch({ tools: sampleTools }).session('a')
    const notices = createExpectedNotices(session, (text) =>
      text.startsWith('#') ? undefined : `${text} invoice`,
    )
    expect(await notices(['# approve invoice'])).toEqual([undefined])
    expect(await notices(['approve'])).toEqual([expect.stringContaining('invoice_approve')])
  })
})
