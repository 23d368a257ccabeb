import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { createSecretBox } from './secret-box.ts'
import { unreadableAccounts } from './unreadable-accounts.ts'

const [old, current] = [randomBytes(32), randomBytes(32)]
const owner = { person: 'idp ann', server: 'crm', url: '' }
const sealed = createSecretBox({ current: old, previous: [] }).seal('x', {
  ...owner,
  field: 'values',
})
const records = {
  async *all() {
    yield { ...owner, revision: '1', updatedAt: 0, sealed: { values: sealed } }
  },
}

it('reports accounts that none of the configured keys has encrypted', async () => {
  const box = (previous: Buffer[]) => createSecretBox({ current, previous })
  expect(await unreadableAccounts(records, box([]))).toContain(
    '1 stored account was encrypted with another key',
  )
  expect(await unreadableAccounts(records, box([old]))).toBeUndefined()
})
