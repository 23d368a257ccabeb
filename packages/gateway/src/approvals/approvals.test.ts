import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createApprovalStore } from './approval-store.ts'
import { type Approvals, createApprovals } from './approvals.ts'

const tool = { name: 'send', description: 'Sends a letter', inputSchema: { type: 'object' } }
const other = { ...tool, description: 'Sends a letter, and a copy to us' }

let folder = ''
let file = ''
let count = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsearch-approvals-'))
})
beforeEach(() => {
  file = join(folder, String(count++), 'approvals.json')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const open = (): Promise<Approvals> => createApprovals(createApprovalStore(file))

async function approved(): Promise<void> {
  const approvals = await open()
  approvals.see('mail', [tool])
  await approvals.saved()
}

describe('approvals', () => {
  it('approve what they see for the first time, and find what is another later', async () => {
    await approved()
    const later = await open()
    expect(later.isChanged('mail', { ...tool })).toBe(false)
    expect(later.isChanged('mail', other)).toBe(true)
    expect(later.isChanged('post', other)).toBe(false)
  })

  it('do not mind the order of keys, icons or _meta', async () => {
    await approved()
    const { name, ...rest } = tool
    const same = { ...rest, name, icons: [{ src: 'data:,' }], _meta: { a: 1 } }
    expect((await open()).isChanged('mail', same)).toBe(false)
  })

  it('stay changed, also for a tool that was away, until it is accepted', async () => {
    await approved()
    const later = await open()
    later.see('mail', [])
    later.see('mail', [other])
    await later.saved()
    const again = await open()
    expect(again.isChanged('mail', other)).toBe(true)
    again.accept('mail', other)
    expect(again.isChanged('mail', other)).toBe(false)
    await again.saved()
    expect((await open()).isChanged('mail', other)).toBe(false)
    expect((await open()).isChanged('mail', tool)).toBe(true)
  })

  it('hear of what was accepted elsewhere', async () => {
    await approved()
    const [one, two] = [await open(), await open()]
    one.accept('mail', other)
    await one.saved()
    expect(two.isChanged('mail', other)).toBe(true)
    await two.refresh()
    expect(two.isChanged('mail', other)).toBe(false)
  })

  it('do not undo what was accepted elsewhere', async () => {
    await approved()
    const [one, two] = [await open(), await open()]
    one.accept('mail', other)
    await one.saved()
    two.see('post', [tool])
    await two.saved()
    expect((await open()).isChanged('mail', other)).toBe(false)
  })

  it('begin anew with a file that cannot be read', async () => {
    await approved()
    await writeFile(file, '{"format":')
    expect((await open()).isChanged('mail', other)).toBe(false)
  })
})
