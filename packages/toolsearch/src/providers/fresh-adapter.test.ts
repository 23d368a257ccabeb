import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Session } from '../session/session.ts'
import { createFileStore } from '../stores/file-store.ts'
import { createToolSearch } from '../toolsearch.ts'
import { providers } from './all-providers.fixtures.ts'

const root = mkdtempSync(join(tmpdir(), 'fresh-adapter-'))

const tools = [{ name: 'files read' }, { name: 'files_write' }, { name: 'call_tool' }]

describe.each(providers)('a new adapter for every request on $name', (provider) => {
  const request = async (session: Session) => {
    const messages = [provider.user('Hello')]
    const adapter = provider.adapter(session, { model: provider.model, mode: 'bridge' })
    const request = await adapter.request({ messages, system: 'Be brief.' })
    // the notice about removed tools does not name this one
    const announcement = stringsIn(request).filter((text) => text.includes('files_write'))
    return { sent: JSON.stringify(request), announcement }
  }

  it('repeats the translated names of removed tools', async () => {
    const toolSearch = createToolSearch({ tools, activation: 'always' })
    const session = await toolSearch.session('a')
    const first = await request(session)
    expect(first.sent).toMatch(/- files_read_\w{8}/)
    toolSearch.catalogue.remove(['files read', 'call_tool'])
    const second = await request(session)
    expect(second.sent).not.toContain('files read')
    expect(second.announcement).toEqual(first.announcement)
    const third = await request(session)
    expect(third.announcement).toEqual(first.announcement)
  })

  it('repeats them in another process', async () => {
    const store = createFileStore({ folder: mkdtempSync(join(root, 'store-')) })
    const open = (names: typeof tools) =>
      createToolSearch({ tools: names, activation: 'always', store }).session('a')
    const first = await request(await open(tools))
    const second = await request(await open([{ name: 'files_write' }]))
    expect(second.sent).not.toContain('files read')
    expect(second.announcement).toEqual(first.announcement)
  })

  it('translates the name of a tool that was added and removed later', async () => {
    const toolSearch = createToolSearch({ tools, activation: 'always' })
    const session = await toolSearch.session('a')
    await request(session)
    toolSearch.catalogue.add([{ name: 'files copy' }])
    expect((await request(session)).sent).toMatch(/files_copy_\w{8}/)
    toolSearch.catalogue.remove('files copy')
    const last = await request(session)
    expect(last.sent).toMatch(/files_copy_\w{8}/)
    expect(last.sent).not.toContain('files copy')
  })
})

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(stringsIn)
}
