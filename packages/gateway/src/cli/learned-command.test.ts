import { join } from 'node:path'
import { createFileLearningStore } from 'toolsearch/file-store'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { LOCAL_PERSON } from '../identity/person.ts'
import { stateFolder } from '../system/data-folders.ts'
import { fingerprint } from '../system/fingerprint.ts'
import { type Serving, serving } from './serving.fixtures.ts'

let gateway: Serving
const mcpServers = { missing: { command: 'no-such-command' } }
beforeAll(async () => {
  gateway = await serving({ mcpServers, toolsearch: { learning: 'shared' } })
})
afterAll(() => gateway.end())

it('says that nothing has been learned yet', async () => {
  const { code, err } = await gateway.run('learned')
  expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('Nothing') })
  const listed = await gateway.run('learned', 'list', '--json')
  expect(JSON.parse(listed.out)).toEqual({ learning: 'shared', uses: [] })
})

it('forgets only what it is asked to forget', async () => {
  const vague = await gateway.run('learned', 'forget')
  expect(vague.code).toBe(2)
  expect(vague.err).toContain('--all')
  const forgot = await gateway.run('learned', 'forget', '--tool', 'a__b', '--json')
  expect(JSON.parse(forgot.out)).toEqual({ forgotten: 0 })
  const unknown = await gateway.run('learned', 'forget', '--person', 'szsms6etvew8')
  expect(unknown.out).toContain('No uses match, so nothing was forgotten.')
})

it('shows the person at this machine as "local", and finds their uses', async () => {
  const file = join(gateway.folder, 'toolsearch.json')
  const folder = join(stateFolder(gateway.env) as string, 'learned', fingerprint(file))
  const store = createFileLearningStore({ folder })
  const use = { tool: 'a__b', words: 'tell somebody', at: 0, found: true }
  await store.add([{ ...use, id: '0123456789abcdef', person: LOCAL_PERSON.id }])
  const { out } = await gateway.run('learned', '--person', 'local')
  expect(out).toBe('1970-01-01  a__b  "tell somebody"  local\n')
  expect((await gateway.run('learned', '--person', 'ben')).err).toContain('No uses match.')
  const contradiction = await gateway.run('learned', 'forget', '--all', '--tool', 'x')
  expect(contradiction).toMatchObject({ code: 2, err: expect.stringContaining('--all cannot') })
  const forgot = await gateway.run('learned', 'forget', '--person', 'local')
  expect(forgot.out).toContain('Forgot 1 use.')
})

it('says that a gateway needs a restart to learn in another way', async () => {
  const { command } = await gateway.http()
  await gateway.write({ mcpServers, toolsearch: { learning: 'person' } })
  await expect.poll(() => command.err).toContain('"learning" is now "person"')
})

it('rejects unknown actions', async () => {
  expect((await gateway.run('learned', 'erase')).err).toContain('learned forget')
})
