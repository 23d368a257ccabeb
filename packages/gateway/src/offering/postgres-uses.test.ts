import type { Use } from 'toolsearch/learning'
import { expect, it } from 'vitest'
import { openReplicas } from '../state/open-replicas.fixtures.ts'
import { createPostgresUses } from './postgres-uses.ts'

function use(id: string, at = 1): Use {
  return { id, tool: `tool_${id}`, person: 'ada', words: 'the money back', at, found: true }
}

it('shares uses between replicas', async () => {
  const [one, other] = (await openReplicas()).map(({ database }) => createPostgresUses(database))
  expect(await one!.read()).toEqual([])
  await Promise.all([one!.add([use('a'), use('b')]), other!.add([use('c')])])
  await other!.add([use('a', 2)])
  await one!.remove(['b', 'unknown'])
  await one!.remove([])
  const stored = [...(await one!.read())].sort((x, y) => (x.id < y.id ? -1 : 1))
  expect(stored).toEqual([use('a', 2), use('c')])
  await other!.clear!()
  expect(await one!.read()).toEqual([])
})
