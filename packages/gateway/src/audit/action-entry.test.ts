import { expect, it } from 'vitest'
import { LOCAL_PERSON } from '../identity/person.ts'
import { actionEntry } from './action-entry.ts'

it('describes who did what to the gateway, without secrets', () => {
  const person = { ...LOCAL_PERSON, id: 'x ada', name: 'Ada' }
  const body = { server: 'github', value: 'ghp_abcdefghijklmnopqrstuvwxyz0123' }
  expect(actionEntry({ person, action: 'config.edit', name: 'github', body })).toEqual({
    kind: 'admin',
    person: 'x ada',
    name: 'Ada',
    action: 'config.edit',
    target: { kind: 'meta', name: 'github' },
    outcome: 'ok',
    detail: { request: { server: 'github', value: '***' } },
  })
  const denied = { person, action: 'key.create', error: 'Only administrators.', isDenied: true }
  expect(actionEntry(denied)).toMatchObject({ outcome: 'denied', error: 'Only administrators.' })
  expect(actionEntry({ ...denied, isDenied: false })).toMatchObject({ outcome: 'failed' })
})
