import { mkdtemp, readdir, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { createAccountFiles } from './account-files.ts'
import { describeAccountRecords } from './account-records.cases.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsearch-accounts-'))
})

describe('createAccountFiles', () => {
  describeAccountRecords(async () => [createAccountFiles(folder), createAccountFiles(folder)])

  it('lets only its owner read the files, and ignores damaged ones', async () => {
    const records = createAccountFiles(join(folder, 'accounts'))
    const key = { person: 'a b', server: 'crm', url: '' }
    const record = { ...key, revision: '1', updatedAt: 0, sealed: { values: 'x' } }
    await records.write(record, undefined)
    const [person] = await readdir(join(folder, 'accounts'))
    const [file] = await readdir(join(folder, 'accounts', person!))
    const path = join(folder, 'accounts', person!, file!)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder, 'accounts', person!))).mode & 0o777).toBe(0o700)
    await writeFile(path, '{"format":1')
    expect(await records.read(key)).toBeUndefined()
    expect(await records.write(record, undefined)).toBe(true)
  })
})
