import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Which rooms each room may look into. Reading this table is reading the architecture. */
const mayImport: Record<string, readonly string[]> = {
  config: [],
  http: [],
  import: ['config'],
  upstreams: ['config'],
  'sign-in': ['config'],
  approvals: ['upstreams'],
  downstream: ['approvals', 'config', 'upstreams'],
  reports: ['upstreams'],
  activity: [],
  inspection: ['activity', 'approvals', 'config', 'downstream', 'http', 'reports', 'upstreams'],
  cli: [
    'activity',
    'approvals',
    'config',
    'downstream',
    'http',
    'import',
    'inspection',
    'reports',
    'sign-in',
    'upstreams',
  ],
}

const src = import.meta.dirname
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\/.*\.ts$/.test(file) && !/\.(test|cases|fixtures)\.ts$/.test(file),
)

describe('the rooms', () => {
  it.each(files)(
    '%s looks only into rooms it may, and into the library through its doors',
    (file) => {
      const room = file.split('/')[0]!
      const source = readFileSync(join(src, file), 'utf8')
      const paths = [...source.matchAll(/from '(\.\.?\/[^']+)'/g)].map(([, path]) =>
        relative(src, join(src, dirname(file), path!)),
      )
      expect(paths.filter((path) => path.startsWith('..'))).toEqual([])
      const neighbours = paths
        .filter((path) => path.includes('/'))
        .map((path) => path.split('/')[0]!)
        .filter((neighbour) => neighbour !== room)
      expect(mayImport[room]).toEqual(expect.arrayContaining(neighbours))
    },
  )
})
