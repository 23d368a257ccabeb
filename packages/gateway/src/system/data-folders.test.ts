import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cacheFolder, stateFolder } from './data-folders.ts'

it('stores approvals and sign-ins outside of the cache', () => {
  expect(cacheFolder({})).toBe(join(homedir(), '.cache', 'toolsearch'))
  expect(stateFolder({})).toBe(join(homedir(), '.local', 'state', 'toolsearch'))
})

it('prefers TOOLSEARCH_CACHE to the XDG folders', () => {
  const env = { XDG_CACHE_HOME: '/c', XDG_STATE_HOME: '/s' }
  expect([cacheFolder(env), stateFolder(env)]).toEqual([
    join('/c', 'toolsearch'),
    join('/s', 'toolsearch'),
  ])
  const own = { ...env, TOOLSEARCH_CACHE: '/own' }
  expect([cacheFolder(own), stateFolder(own)]).toEqual(['/own', '/own'])
  const empty = { ...env, TOOLSEARCH_CACHE: '' }
  expect(cacheFolder(empty)).toBe(join('/c', 'toolsearch'))
})
