import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe } from 'vitest'
import { openReplicas } from '../../state/open-replicas.fixtures.ts'
import { describeApprovalStore } from './approval-store.cases.ts'
import { createApprovalStore } from './approval-store.ts'
import { createPostgresApprovalStore } from './postgres-approval-store.ts'

describe('createApprovalStore', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'toolsearch-approvals-'))
  })

  describeApprovalStore(async () => {
    const file = join(folder, 'new', 'approvals.json')
    return [createApprovalStore(file), createApprovalStore(file)]
  })
})

describe('createPostgresApprovalStore', () => {
  describeApprovalStore(async () => {
    const [one, other] = await openReplicas()
    return [
      createPostgresApprovalStore(one.database, one.changes),
      createPostgresApprovalStore(other.database, other.changes),
    ]
  })
})
