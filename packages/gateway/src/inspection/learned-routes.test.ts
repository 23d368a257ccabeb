import { createLearning, type Use } from 'toolsearch/learning'
import { afterEach, describe, expect, it } from 'vitest'
import type { AuditedAction } from '../audit/action-entry.ts'
import type { LearnedReport } from './api.ts'
import { closeAll, open } from './inspection.fixtures.ts'

afterEach(closeAll)

const PATH = '/api/tools/mail__send_mail/learned'

function use(id: string, fields: Partial<Use> = {}): Use {
  const at = Date.now() - Number(id) * 1_000
  return {
    id,
    tool: 'mail__send_mail',
    person: `person-${id}`,
    words: 'write home',
    at,
    found: true,
    ...fields,
  }
}

const USES = [
  use('1'),
  use('2'),
  use('3', { words: 'post a letter' }),
  use('4', { tool: 'mail__read_mail' }),
]

async function openLearned() {
  const store = { read: async () => stored, add: async () => {}, remove }
  let stored: readonly Use[] = USES
  async function remove(ids: readonly string[]) {
    stored = stored.filter(({ id }) => !ids.includes(id))
  }
  const actions: AuditedAction[] = []
  const learning = createLearning({ store })
  const opened = await open(undefined, {
    config: { learning: 'shared' },
    learning,
    onAction: (action) => actions.push(action),
  })
  return { ...opened, learning, actions }
}

describe('/api/tools/NAME/learned', () => {
  it('says what was learned for a tool and by how many, but not by whom', async () => {
    const { ask } = await openLearned()
    const { data } = await ask<LearnedReport>(PATH)
    expect(data).toEqual({
      isOn: true,
      requests: [
        { words: 'write home', people: 2, newest: USES[0]!.at },
        { words: 'post a letter', people: 1, newest: USES[2]!.at },
      ],
    })
  })

  it('says so once learning is turned off, and still lists and forgets', async () => {
    const { ask, gateway } = await openLearned()
    gateway.configure({ ...gateway.config, learning: 'off' })
    const { data } = await ask<LearnedReport>(PATH)
    expect(data.isOn).toBe(false)
    expect(data.requests).toHaveLength(2)
    expect((await ask<LearnedReport>(PATH, { method: 'DELETE' })).data).toEqual({
      isOn: false,
      requests: [],
    })
  })

  it('forgets one request, then all of the tool, and reports both', async () => {
    const { ask, learning, actions } = await openLearned()
    const method = 'DELETE'
    const one = await ask<LearnedReport>(`${PATH}?words=write%20home`, { method })
    expect(one.data.requests.map(({ words }) => words)).toEqual(['post a letter'])
    expect((await ask<LearnedReport>(PATH, { method })).data.requests).toEqual([])
    expect((await learning.uses()).map(({ id }) => id)).toEqual(['4'])
    expect(actions).toMatchObject([
      { action: 'learned.forget', name: 'mail__send_mail' },
      { action: 'learned.forget', name: 'mail__send_mail' },
    ])
  })

  it('says if there is nothing to forget, and if learning is off', async () => {
    const { ask } = await openLearned()
    expect((await ask(`${PATH}?words=other`, { method: 'DELETE' })).status).toBe(404)
    const off = await open()
    expect((await off.ask<LearnedReport>(PATH)).data).toEqual({ isOn: false, requests: [] })
    expect((await off.ask(PATH, { method: 'DELETE' })).status).toBe(404)
  })
})
