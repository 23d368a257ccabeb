import type { Machine } from '../machine.ts'
import type { OverheadRow } from './measure-overhead.ts'
import type { PeopleFigures } from './measure-people.ts'
import type { ReplicaFigures } from './measure-replicas.ts'

export interface TeamReport {
  readonly date: string
  readonly machine: Machine
  readonly quick: boolean
  readonly overhead: readonly OverheadRow[]
  readonly people: PeopleFigures
  readonly replicas: ReplicaFigures
}
