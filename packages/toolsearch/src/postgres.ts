export type {
  PooledClient,
  PostgresClient,
  PostgresDatabase,
  PostgresPool,
} from './engines/postgres/postgres-client.ts'
export {
  type PostgresEngine,
  type PostgresEngineOptions,
  postgresEngine,
} from './engines/postgres/postgres-engine.ts'
export {
  type PostgresLearningStoreOptions,
  postgresLearningStore,
} from './learning/postgres-learning-store.ts'
export { type PostgresStoreOptions, postgresStore } from './stores/postgres-store.ts'
export type { PostgresStorePool } from './stores/postgres-table.ts'
