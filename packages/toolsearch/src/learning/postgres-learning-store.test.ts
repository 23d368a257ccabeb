import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDatabase } from '../../../../testing/services/fresh-database.ts'
import { describeLearningStore } from './learning-store.cases.ts'
import type { LearningStore } from './learning-store.ts'
import { postgresLearningStore } from './postgres-learning-store.ts'

let pool: pg.Pool
let tables = 0
const tableOf = new Map<LearningStore, string>()
beforeAll(async () => {
  pool = new pg.Pool({ connectionString: await freshDatabase() })
})
afterAll(() => pool.end())

function open(table = `uses_${++tables}`): LearningStore {
  const store = postgresLearningStore({ pool, table })
  tableOf.set(store, table)
  return store
}

describe('postgresLearningStore', () => {
  describeLearningStore(
    () => open(),
    (store) => open(tableOf.get(store)!),
  )

  it('rejects something that is not a pool', () => {
    expect(() => postgresLearningStore({ pool: {} as never })).toThrow(/pool/)
  })
})
