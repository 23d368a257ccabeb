import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe } from 'vitest'
import { openReplicas } from '../state/open-replicas.fixtures.ts'
import { createPostgresSavedQueries } from './postgres-saved-queries.ts'
import { describeSavedQueries } from './saved-queries.cases.ts'
import { createSavedQueries } from './saved-queries.ts'

describe('createSavedQueries', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'toolsearch-queries-'))
  })

  describeSavedQueries(async () => {
    const file = join(folder, 'toolsearch.queries.jsonl')
    return [createSavedQueries(file), createSavedQueries(file)]
  })
})

describe('createPostgresSavedQueries', () => {
  describeSavedQueries(async () => {
    const [one, other] = await openReplicas()
    return [createPostgresSavedQueries(one.database), createPostgresSavedQueries(other.database)]
  })
})
