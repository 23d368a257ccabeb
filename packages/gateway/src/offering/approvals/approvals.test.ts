import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createApprovalStore, NO_APPROVAL_STORE } from './approval-store.ts'
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

const open = (): Promise<Approvals> => createApprovals(createApprovalStore(file))

async function approved(): Promise<void> {
  const approvals = await open()
  approvals.observe('mail', [tool])
  await approvals.saved()
}

describe('approvals', () => {
  it('approve the first definition of a tool, and detect a different one later', async () => {
    await approved()
    const later = await open()
    expect(later.stateOf('mail', { ...tool })).toBe('approved')
    expect(later.stateOf('mail', other)).toBe('changed')
    expect(later.stateOf('post', other)).toBe('approved')
  })

  it('are needed once a server has had very many names, because changes could not be detected', async () => {
    const approvals = await createApprovals(NO_APPROVAL_STORE)
    const named = (name: string) => ({ ...tool, name })
    for (let i = 0; i < 20_000; i++) approvals.stateOf('mail', named(`tool_${i}`))
    expect(approvals.stateOf('mail', named('tool_0'))).toBe('approved')
    expect(approvals.stateOf('mail', { ...other, name: 'tool_0' })).toBe('changed')
    expect(approvals.stateOf('mail', named('further'))).toBe('new')
    expect(approvals.stateOf('post', named('further'))).toBe('approved')
  })

  it('ignore the order of keys, and nothing else', async () => {
    await approved()
    const { name, ...rest } = tool
    expect((await open()).stateOf('mail', { ...rest, name })).toBe('approved')
    const texts = { icons: [{ src: 'data:,' }], _meta: { note: 'Send secrets' }, unknown: 1 }
    for (const [field, value] of Object.entries(texts)) {
      expect((await open()).stateOf('mail', { ...tool, [field]: value })).toBe('changed')
    }
  })

  it('of earlier versions stay valid, and cover every field from then on', async () => {
    await approved()
    // The fingerprint of `tool` by an earlier version.
    const send = 'd43eda2d1cf2756e540ae3ec0c239239'
    await writeFile(file, JSON.stringify({ format: 1, servers: { mail: { send } } }))
    const whole = { ...tool, _meta: { a: 1 } }
    const approvals = await open()
    expect(approvals.stateOf('mail', { ...other, _meta: { a: 1 } })).toBe('changed')
    expect(approvals.stateOf('mail', whole)).toBe('approved')
    expect(approvals.stateOf('mail', { ...tool, _meta: { a: 2 } })).toBe('changed')
    await approvals.saved()
    expect((await open()).stateOf('mail', tool)).toBe('changed')
    expect((await open()).stateOf('mail', whole)).toBe('approved')
  })

  it('report a changed tool until it is accepted, even after it was removed for a while', async () => {
    await approved()
    const later = await open()
    later.observe('mail', [])
    later.observe('mail', [other])
    await later.saved()
    const again = await open()
    expect(again.stateOf('mail', other)).toBe('changed')
    again.accept('mail', other)
    expect(again.stateOf('mail', other)).toBe('approved')
    await again.saved()
    expect((await open()).stateOf('mail', other)).toBe('approved')
    expect((await open()).stateOf('mail', tool)).toBe('changed')
  })

  it('include what another process has accepted, after a refresh', async () => {
    await approved()
    const [one, two] = [await open(), await open()]
    one.accept('mail', other)
    await one.saved()
    expect(two.stateOf('mail', other)).toBe('changed')
    await two.refresh()
    expect(two.stateOf('mail', other)).toBe('approved')
  })

  it('keep what a person accepts while the file is being read', async () => {
    await approved()
    const approvals = await open()
    const refreshed = approvals.refresh()
    await Promise.resolve()
    approvals.accept('mail', other)
    await refreshed
    expect(approvals.stateOf('mail', other)).toBe('approved')
    await approvals.saved()
    expect((await open()).stateOf('mail', other)).toBe('approved')
  })

  it('do not overwrite what another process has accepted', async () => {
    await approved()
    const [one, two] = [await open(), await open()]
    one.accept('mail', other)
    await one.saved()
    two.observe('post', [tool])
    await two.saved()
    expect((await open()).stateOf('mail', other)).toBe('approved')
  })

  it.each([1, 2])('read the file format of version %i', async (format) => {
    await approved()
    const { servers } = JSON.parse(await readFile(file, 'utf8'))
    expect(servers).toEqual({ mail: { send: expect.stringMatching(/^2:[0-9a-f]{32}$/) } })
    await writeFile(file, JSON.stringify({ format, servers, ...(format === 2 && { history: {} }) }))
    const later = await open()
    expect(later.stateOf('mail', tool)).toBe('approved')
    expect(later.stateOf('mail', other)).toBe('changed')
    expect(later.history('mail', 'send')).toEqual([])
  })

  it('last until the process ends if they cannot be stored', async () => {
    await mkdir(file, { recursive: true })
    const approvals = await open()
    approvals.observe('mail', [tool])
    await approvals.saved()
    approvals.observe('post', [tool])
    await approvals.saved()
    expect(approvals.stateOf('mail', other)).toBe('changed')
  })

  it('start empty if the file is corrupt', async () => {
    await approved()
    await writeFile(file, '{"format":')
    expect((await open()).stateOf('mail', other)).toBe('approved')
  })
})

describe('decisions about tools', () => {
  it('are needed for every new tool while new tools wait', async () => {
    const approvals = await open()
    approvals.setNewWaits(true)
    approvals.observe('mail', [tool])
    await approvals.saved()
    expect(approvals.stateOf('mail', tool)).toBe('new')
    approvals.accept('mail', tool)
    expect(approvals.stateOf('mail', tool)).toBe('approved')
    expect(approvals.stateOf('mail', other)).toBe('changed')
    await approvals.saved()
    const later = await open()
    expect(later.stateOf('mail', tool)).toBe('approved')
    // Another process, such as a command, does not approve new tools either.
    expect(later.newWaits).toBe(true)
    expect(later.stateOf('post', tool)).toBe('new')
  })

  it('are not needed for tools that were seen before new tools had to wait', async () => {
    await approved()
    const later = await open()
    later.setNewWaits(true)
    expect(later.stateOf('mail', tool)).toBe('approved')
    expect(later.stateOf('mail', { ...tool, name: 'more' })).toBe('new')
  })

  it('block a tool until it is accepted, even if it changes again', async () => {
    await approved()
    const approvals = await open()
    approvals.block('mail', 'send')
    expect(approvals.stateOf('mail', tool)).toBe('blocked')
    expect(approvals.stateOf('mail', other)).toBe('blocked')
    await approvals.saved()
    const later = await open()
    expect(later.stateOf('mail', other)).toBe('blocked')
    later.accept('mail', other)
    expect(later.stateOf('mail', other)).toBe('approved')
  })

  it('can be undone once, even after a restart', async () => {
    await approved()
    const approvals = await open()
    expect(approvals.undo('mail', 'send')).toBe(false)
    approvals.accept('mail', other)
    approvals.block('mail', 'send')
    await approvals.saved()
    const later = await open()
    expect(later.undo('mail', 'send')).toBe(true)
    expect(later.stateOf('mail', other)).toBe('approved')
    expect(later.undo('mail', 'send')).toBe(false)
    await later.saved()
    expect((await open()).stateOf('mail', other)).toBe('approved')
  })

  it('leave a new tool waiting when undone', async () => {
    const approvals = await open()
    approvals.setNewWaits(true)
    approvals.accept('mail', tool)
    expect(approvals.undo('mail', 'send')).toBe(true)
    expect(approvals.stateOf('mail', tool)).toBe('new')
    await approvals.saved()
    const later = await open()
    expect(later.stateOf('mail', tool)).toBe('new')
    later.setNewWaits(false)
    expect(later.stateOf('mail', tool)).toBe('approved')
    await later.saved()
    expect((await open()).stateOf('mail', other)).toBe('changed')
  })

  it('reach other processes after a refresh', async () => {
    await approved()
    const [one, two] = [await open(), await open()]
    one.block('mail', 'send')
    await one.saved()
    await two.refresh()
    expect(two.stateOf('mail', tool)).toBe('blocked')
    two.undo('mail', 'send')
    await two.saved()
    await one.refresh()
    expect(one.stateOf('mail', tool)).toBe('approved')
  })
})

describe('the history of a definition', () => {
  const version = (at: number) => ({ ...tool, description: `Version ${at}` })
  const texts = (approvals: Approvals) =>
    approvals
      .history('mail', 'send')
      .map(({ definition, isApproved }) => `${definition.description}${isApproved ? ' !' : ''}`)

  /** Approvals that have seen these definitions, one second apart. */
  async function afterSeeing(...tools: { name: string }[]): Promise<Approvals> {
    let now = 0
    const approvals = await createApprovals(createApprovalStore(file), { now: () => now })
    for (const seen of tools) {
      approvals.observe('mail', [seen])
      await approvals.saved()
      now += 1_000
    }
    return approvals
  }

  it('contains the replaced definitions, even after a restart, and marks the approved one', async () => {
    const approvals = await afterSeeing(version(1), version(2), version(3))
    expect(texts(approvals)).toEqual(['Version 2', 'Version 1 !'])
    expect(approvals.history('mail', 'send')[0]!.replacedAt).toBe('1970-01-01T00:00:02.000Z')
    expect(texts(await open())).toEqual(['Version 2', 'Version 1 !'])
    expect(approvals.history('post', 'send')).toEqual([])
  })

  it('is empty for a tool that did not change', async () => {
    expect(texts(await afterSeeing(tool, { ...tool }))).toEqual([])
  })

  it('contains at most five definitions, always including the approved one', async () => {
    const approvals = await afterSeeing(...[1, 2, 3, 4, 5, 6, 7, 8].map(version))
    expect(texts(approvals)).toEqual([
      'Version 7',
      'Version 6',
      'Version 5',
      'Version 4',
      'Version 1 !',
    ])
  })

  it('leaves out definitions that are too large together', async () => {
    const large = (at: number) => ({ ...version(at), title: 'x'.repeat(400_000) })
    const approvals = await afterSeeing(large(1), version(2))
    approvals.observe('post', [large(1)])
    await approvals.saved()
    approvals.observe('post', [large(2)])
    approvals.observe('post', [large(3)])
    await approvals.saved()
    expect(approvals.history('post', 'send')).toHaveLength(2)
    expect(texts(approvals)).toEqual([])
    expect(approvals.stateOf('mail', version(2))).toBe('changed')
  })

  it('contains each definition once if a server switches back and forth', async () => {
    const approvals = await afterSeeing(version(1), version(2), version(1), version(2))
    expect(texts(approvals)).toEqual(['Version 1 !', 'Version 2'])
  })

  it('marks definitions that were approved when they were replaced', async () => {
    const approvals = await afterSeeing(version(1), version(2))
    approvals.accept('mail', version(2))
    approvals.observe('mail', [version(3)])
    await approvals.saved()
    expect(texts(approvals)).toEqual(['Version 2 !', 'Version 1 !'])
  })

  it('includes definitions that another process has recorded', async () => {
    const other = await open()
    await afterSeeing(version(1), version(2))
    await other.refresh()
    expect(texts(other)).toEqual(['Version 1 !'])
  })
})
