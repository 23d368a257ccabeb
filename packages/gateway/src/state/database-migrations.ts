import { type Kysely, type Migration, sql } from 'kysely'

/**
 * The versions of the tables. Replicas of two versions run at the same time while a gateway is upgraded, so
 * a migration only adds. One that cannot must raise `minimum` in `toolsearch_schema`, which
 * stops older programs. Never edit a migration that was published.
 */
export const databaseMigrations: Readonly<Record<string, Migration>> = {
  '0001_records': { up: createRecords },
  '0002_uses': { up: createUses },
  '0003_skill_texts': { up: createSkillTexts },
}

async function createSkillTexts(db: Kysely<unknown>): Promise<void> {
  const statement = `create table toolsearch_skill_texts (
    digest text primary key, bytes integer not null, kept_at timestamptz not null, content json not null
  )`
  await sql.raw(statement).execute(db)
}

async function createUses(db: Kysely<unknown>): Promise<void> {
  const statement = 'create table toolsearch_uses (id text primary key, use json not null)'
  await sql.raw(statement).execute(db)
}

async function createRecords(db: Kysely<unknown>): Promise<void> {
  const statements = [
    'create table toolsearch_schema (minimum integer not null)',
    'insert into toolsearch_schema values (1)',
    'create table toolsearch_versions (kind text primary key, version bigint not null)',
    `create table toolsearch_locks (
      name text primary key, holder text not null, fence bigint not null, expires_at timestamptz not null
    )`,
    'create table toolsearch_settings (name text primary key, value json not null)',
    'create table toolsearch_approvals (key text primary key, approval json not null)',
    `create table toolsearch_past_definitions (
      key text primary key, past json not null, changed_at timestamptz not null
    )`,
    'create index on toolsearch_past_definitions (changed_at)',
    `create table toolsearch_sign_ins (
      key text primary key, sign_in json not null, fence bigint not null
    )`,
    `create table toolsearch_keys (
      key text primary key, api_key json not null, revoked_at bigint, last_used_at bigint
    )`,
    // Ids sort by their bytes, not as the language of the database sorts words.
    `create table toolsearch_audit (
      id text collate "C" primary key, at timestamptz not null, kind text not null,
      action text not null, outcome text not null, profile text, client text, server text,
      target text, people text[] not null, not_found boolean not null, text text not null,
      entry json not null
    )`,
    'create index on toolsearch_audit (at)',
    `create table toolsearch_accounts (
      key text primary key, person text not null, revision text not null, account json not null
    )`,
    'create index on toolsearch_accounts (person)',
    `create table toolsearch_history (
      id text collate "C" primary key, at timestamptz not null, bytes integer not null, entry json not null
    )`,
    'create index on toolsearch_history (at)',
    `create table toolsearch_saved_queries (
      key text primary key, position bigserial not null, query json not null
    )`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
