import { EngineError } from '../engine-error.ts'
import type { PostgresClient } from './postgres-client.ts'

/** The names of tables and indexes. They are part of statements, so only safe characters are allowed. */
export interface Tables {
  readonly prefix: string
  readonly tools: string
  readonly terms: string
  readonly sources: string
  readonly state: string
}

/** Increase it with every change of the tables, and add the change to `MIGRATIONS`. */
const VERSION = 1

export function tablesOf(prefix: string): Tables {
  return {
    prefix,
    tools: `${prefix}tools`,
    terms: `${prefix}terms`,
    sources: `${prefix}sources`,
    state: `${prefix}engine`,
  }
}

/**
 * Creates or updates the tables. Must run in a transaction: the lock makes sure that only one of
 * several processes that start at the same time does it.
 * @throws EngineError
 */
export async function setUpTables(client: PostgresClient, tables: Tables): Promise<void> {
  await lockTables(client, tables)
  await checkEncoding(client)
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm')
  await client.query(
    `CREATE TABLE IF NOT EXISTS ${tables.state} (id int PRIMARY KEY CHECK (id = 1), version int NOT NULL)`,
  )
  const { rows } = await client.query(`SELECT version FROM ${tables.state}`)
  const version = (rows[0] as { version: number } | undefined)?.version ?? 0
  if (version > VERSION) {
    throw new EngineError(
      `The tables ${tables.prefix}* were created by a newer version of toolsearch. Update this one.`,
    )
  }
  for (const migrate of MIGRATIONS.slice(version)) {
    for (const statement of migrate(tables)) await client.query(statement)
  }
  await client.query(
    `INSERT INTO ${tables.state} VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET version = $1`,
    [VERSION],
  )
}

/** Held until the transaction ends. Writers take turns, because all of them change the same counts. */
export async function lockTables(client: PostgresClient, { prefix }: Tables): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `toolsearch engine ${prefix}`,
  ])
}

async function checkEncoding(client: PostgresClient): Promise<void> {
  const { rows } = await client.query(`SELECT current_setting('server_encoding') AS encoding`)
  const { encoding } = rows[0] as { encoding: string }
  if (encoding === 'UTF8') return
  throw new EngineError(`The database has the encoding ${encoding}. Create one with UTF8.`)
}

/** Each list changes the tables from one version to the next. */
const MIGRATIONS: readonly ((tables: Tables) => readonly string[])[] = [
  ({ tools, terms, sources }) => [
    // `terms` stays in the row, which a search reads; the definition moves out of its way.
    `CREATE TABLE ${tools} (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      changed bigint NOT NULL,
      name text COLLATE "C" NOT NULL UNIQUE,
      key text COLLATE "C" NOT NULL,
      source text COLLATE "C" NOT NULL,
      hash text COLLATE "C" NOT NULL,
      terms tsvector NOT NULL,
      definition text NOT NULL
    ) WITH (toast_tuple_target = 256)`,
    `ALTER TABLE ${tools} ALTER COLUMN terms SET STORAGE MAIN`,
    `CREATE SEQUENCE ${tools}_changes OWNED BY ${tools}.changed`,
    `CREATE INDEX ${tools}_by_key ON ${tools} (key)`,
    `CREATE INDEX ${tools}_by_source ON ${tools} (source)`,
    `CREATE INDEX ${tools}_by_terms ON ${tools} USING gin (terms)`,
    `CREATE INDEX ${tools}_by_letters ON ${tools} USING gin (lower(name) gin_trgm_ops)`,
    `CREATE TABLE ${terms} (
      term text COLLATE "C" PRIMARY KEY,
      tools int NOT NULL
    ) WITH (fillfactor = 70)`,
    `CREATE INDEX ${terms}_by_letters ON ${terms} USING gist (term gist_trgm_ops)
      WHERE NOT starts_with(term, '=')`,
    `CREATE TABLE ${sources} (
      source text COLLATE "C" PRIMARY KEY,
      tools int NOT NULL
    ) WITH (fillfactor = 70)`,
  ],
]
