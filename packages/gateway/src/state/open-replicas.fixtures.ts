import { onTestFinished } from 'vitest'
import { freshDatabase } from '../../../../testing/services/fresh-database.ts'
import type { Database } from './database.ts'
import { openDatabase } from './open-database.ts'
import { type RecordChanges, watchRecords } from './record-changes.ts'

export interface OpenReplica {
  readonly database: Database
  readonly changes: RecordChanges
}

/** Opens an empty database twice, as two replicas would. Closed after the test. */
export async function openReplicas(
  url?: string,
): Promise<readonly [OpenReplica, OpenReplica, url: string]> {
  const address = url ?? (await freshDatabase())
  const open = async (): Promise<OpenReplica> => {
    const database = await openDatabase(address)
    const changes = watchRecords(database, { intervalMs: 50 })
    onTestFinished(async () => {
      changes.close()
      await database.close()
    })
    return { database, changes }
  }
  return [await open(), await open(), address]
}
