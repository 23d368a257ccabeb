import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
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

  it('hear of nothing that undoes what is accepted meanwhile', async () => {
    await approved()
    const approvals = await open()
    const heard = approvals.refresh()
    // while the file is read
    await Promise.resolve()
    approvals.accept('mail', other)
    await heard
    expect(approvals.isChanged('mail', other)).toBe(false)
    await approvals.saved()
    expect((await open()).isChanged('mail', other)).toBe(false)
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

  it('read what an earlier version kept', async () => {
    await approved()
    const { servers } = JSON.parse(await readFile(file, 'utf8'))
    await writeFile(file, JSON.stringify({ format: 1, servers }))
    const later = await open()
    expect(later.isChanged('mail', tool)).toBe(false)
    expect(later.isChanged('mail', other)).toBe(true)
    expect(later.history('mail', 'send')).toEqual([])
  })

  it('remember until the end what cannot be kept', async () => {
    await mkdir(file, { recursive: true })
    const approvals = await open()
    approvals.see('mail', [tool])
    await approvals.saved()
    approvals.see('post', [tool])
    await approvals.saved()
    expect(approvals.isChanged('mail', other)).toBe(true)
  })

  it('begin anew with a file that cannot be read', async () => {
    await approved()
    await writeFile(file, '{"format":')
    expect((await open()).isChanged('mail', other)).toBe(false)
  })
})

describe('the history of a definition', () => {
  const version = (at: number) => ({ ...tool, description: `Version ${at}` })
  const texts = (approvals: Approvals) =>
    approvals
      .history('mail', 'send')
      .map(({ definition, isApproved }) => `${definition.description}${isApproved ? ' !' : ''}`)

  /** Approvals that have seen these one after the other, a second apart. */
  async function having(...tools: { name: string }[]): Promise<Approvals> {
    let now = 0
    const approvals = await createApprovals(createApprovalStore(file), { now: () => now })
    for (const one of tools) {
      approvals.see('mail', [one])
      await approvals.saved()
      now += 1_000
    }
    return approvals
  }

  it('has what was replaced, the approved one among it, also after a restart', async () => {
    const approvals = await having(version(1), version(2), version(3))
    expect(texts(approvals)).toEqual(['Version 2', 'Version 1 !'])
    expect(approvals.history('mail', 'send')[0]!.replacedAt).toBe('1970-01-01T00:00:02.000Z')
    expect(texts(await open())).toEqual(['Version 2', 'Version 1 !'])
    expect(approvals.history('post', 'send')).toEqual([])
  })

  it('has nothing of a tool that stays as it is, or that only got other icons', async () => {
    expect(texts(await having(tool, { ...tool }, { ...tool, icons: [] } as never))).toEqual([])
  })

  it('keeps five, and the approved one in any case', async () => {
    const approvals = await having(...[1, 2, 3, 4, 5, 6, 7, 8].map(version))
    expect(texts(approvals)).toEqual([
      'Version 7',
      'Version 6',
      'Version 5',
      'Version 4',
      'Version 1 !',
    ])
  })

  it('has each once, when a server goes back and forth', async () => {
    const approvals = await having(version(1), version(2), version(1), version(2))
    expect(texts(approvals)).toEqual(['Version 1 !', 'Version 2'])
  })

  it('knows which was approved when it was replaced', async () => {
    const approvals = await having(version(1), version(2))
    approvals.accept('mail', version(2))
    approvals.see('mail', [version(3)])
    await approvals.saved()
    expect(texts(approvals)).toEqual(['Version 2 !', 'Version 1 !'])
  })

  it('hears of what was seen elsewhere', async () => {
    const quiet = await open()
    await having(version(1), version(2))
    await quiet.refresh()
    expect(texts(quiet)).toEqual(['Version 1 !'])
  })
})
