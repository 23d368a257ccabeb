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
 * Creates or updates the tables, if necessary. Must run in a transaction: the lock makes sure that
 * only one of several processes that start at the same time does it.
 * @throws EngineError
 */
export async function setUpTables(client: PostgresClient, tables: Tables): Promise<void> {
  // Checked without a lock: a process that only searches may not have the right to create tables.
  if ((await readVersion(client, tables)) === VERSION) return
  await lockTables(client, tables)
  await checkEncoding(client)
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm')
  await client.query(
    `CREATE TABLE IF NOT EXISTS ${tables.state} (
      id int PRIMARY KEY CHECK (id = 1),
      version int NOT NULL,
      tools int NOT NULL DEFAULT 0
    )`,
  )
  const version = await readVersion(client, tables)
  if (version > VERSION) {
    throw new EngineError(
      `The tables ${tables.prefix}* were created by a newer version of toolsearch. Update this one.`,
    )
  }
  for (const migrate of MIGRATIONS.slice(version)) {
    for (const statement of migrate(tables)) await client.query(statement)
  }
  await client.query(
    `INSERT INTO ${tables.state} (id, version) VALUES (1, $1)
    ON CONFLICT (id) DO UPDATE SET version = $1`,
    [VERSION],
  )
}

/** 0 if there are no tables. */
async function readVersion(client: PostgresClient, { state }: Tables): Promise<number> {
  if (!(await hasTable(client, state))) return 0
  const { rows } = await client.query(`SELECT version FROM ${state}`)
  return (rows[0] as { version: number } | undefined)?.version ?? 0
}

export async function hasTable(client: PostgresClient, name: string): Promise<boolean> {
  const { rows } = await client.query('SELECT to_regclass($1) IS NOT NULL AS exists', [name])
  return (rows[0] as { exists: boolean }).exists
}

/** The number of all tools. Counting a million rows would take longer than a search. */
export async function countAll(client: PostgresClient, { state }: Tables): Promise<number> {
  const { rows } = await client.query(`SELECT tools FROM ${state}`)
  return (rows[0] as { tools: number } | undefined)?.tools ?? 0
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
    // Searches read the list of pending changes, so it stays short.
    `CREATE INDEX ${tools}_by_terms ON ${tools} USING gin (terms)
      WITH (gin_pending_list_limit = 1024)`,
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
