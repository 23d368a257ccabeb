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
