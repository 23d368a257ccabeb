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
  type PostgresStoreOptions,
  type PostgresStorePool,
  postgresStore,
} from './stores/postgres-store.ts'
