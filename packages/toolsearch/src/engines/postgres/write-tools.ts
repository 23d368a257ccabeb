import { DuplicateToolError } from '../../catalogue/catalogue-errors.ts'
import { hashText } from '../../catalogue/hash-text.ts'
import type { Tool, ToolSource } from '../../catalogue/tool.ts'
import type { ToolTerm } from '../../ranking/tool-terms.ts'
import { withoutServer } from '../../tool-search/name-index.ts'
import { nameKey } from '../../tool-search/name-key.ts'
import type { EngineChange } from '../candidate-engine.ts'
import { toStored } from '../stored-tools.ts'
import type { PostgresClient } from './postgres-client.ts'
import { storable } from './query-builder.ts'
import type { Tables } from './tables.ts'
import { type ToolLexemes, toolLexemes } from './tool-lexemes.ts'

/** How many tools one statement writes. Each updates the counts of all their terms once. */
export const BATCH = 5_000

/** A tool as a row. */
export interface ToolRow {
  readonly tool: Tool
  readonly definition: string
  readonly hash: string
  /** Read on first use, because most tools of a repeated `put` or `sync` have not changed. */
  lexemes(): ToolLexemes
}

export function toRow(tool: Tool, readTerms: (tool: Tool) => readonly ToolTerm[]): ToolRow {
  const definition = JSON.stringify(toStored(tool))
  let lexemes: ToolLexemes | undefined
  return {
    tool,
    definition,
    hash: hashText(definition),
    lexemes() {
      lexemes ??= toolLexemes(readTerms(tool))
      return lexemes
    },
  }
}

export interface WriteContext {
  readonly client: PostgresClient
  readonly tables: Tables
}

/** Reads the texts of changed tools before the lock is taken, so that others wait for less time. */
export async function prepareRows(context: WriteContext, rows: readonly ToolRow[]): Promise<void> {
  for (const { lexemes } of (await findChanged(context, rows)).changed) lexemes()
}

/** Which of the rows differ from what is stored. */
async function findChanged(
  { client, tables }: WriteContext,
  rows: readonly ToolRow[],
): Promise<{ changed: readonly ToolRow[]; existing: ReadonlySet<string> }> {
  const names = rows.map(({ tool }) => tool.name)
  const found = await client.query(
    `SELECT name, hash FROM ${tables.tools} WHERE name = ANY($1::text[])`,
    [names],
  )
  const hashes = new Map(
    (found.rows as { name: string; hash: string }[]).map(({ name, hash }) => [name, hash]),
  )
  return {
    changed: rows.filter(({ tool, hash }) => hashes.get(tool.name) !== hash),
    existing: new Set(hashes.keys()),
  }
}

/** Adds and replaces tools, and updates the counts. Must run in a transaction with the lock. */
export async function writeRows(
  context: WriteContext,
  rows: readonly ToolRow[],
): Promise<Pick<EngineChange, 'added' | 'replaced'>> {
  const { client, tables } = context
  const { changed, existing } = await findChanged(context, rows)
  if (changed.length === 0) return { added: 0, replaced: 0 }
  const replaced = changed.map(({ tool }) => tool.name).filter((name) => existing.has(name))
  const counts = createCounts()
  await subtractCounts(context, replaced, counts)
  const columns: string[][] = [[], [], [], [], [], []]
  for (const { tool, definition, hash, lexemes: read } of changed) {
    const { document, lexemes } = read()
    for (const lexeme of lexemes) add(counts.terms, lexeme, 1)
    add(counts.sources, tool.source, 1)
    const key = nameKey(withoutServer(tool.name))
    const values = [tool.name, key, tool.source, hash, document, definition]
    for (const [at, value] of values.entries()) columns[at]!.push(value)
  }
  await client.query(
    `INSERT INTO ${tables.tools} (changed, name, key, source, hash, terms, definition)
    SELECT nextval('${tables.tools}_changes'), name, key, source, hash, terms::tsvector, definition
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
      WITH ORDINALITY AS given (name, key, source, hash, terms, definition, place)
    ORDER BY place
    ON CONFLICT (name) DO UPDATE SET changed = excluded.changed, key = excluded.key,
      source = excluded.source, hash = excluded.hash, terms = excluded.terms,
      definition = excluded.definition`,
    columns,
  )
  await writeCounts(context, counts)
  return { added: changed.length - replaced.length, replaced: replaced.length }
}

/** Removes tools, and updates the counts. Must run in a transaction with the lock. */
export async function removeRows(context: WriteContext, names: readonly string[]): Promise<number> {
  const { client, tables } = context
  let removed = 0
  for (let at = 0; at < names.length; at += BATCH) {
    const batch = storable(names.slice(at, at + BATCH))
    const counts = createCounts()
    await subtractCounts(context, batch, counts)
    const { rows } = await client.query(
      `DELETE FROM ${tables.tools} WHERE name = ANY($1::text[]) RETURNING 1`,
      [batch],
    )
    removed += rows.length
    await writeCounts(context, counts)
  }
  return removed
}

/** Makes the tools of a source equal to the rows. @throws DuplicateToolError */
export async function syncRows(
  context: WriteContext,
  source: ToolSource,
  rows: readonly ToolRow[],
): Promise<EngineChange> {
  const { client, tables } = context
  const names = rows.map(({ tool }) => tool.name)
  const others = await client.query(
    `SELECT name, source FROM ${tables.tools} WHERE name = ANY($1::text[]) AND source <> $2 LIMIT 1`,
    [names, source],
  )
  const other = others.rows[0] as { name: string; source: ToolSource } | undefined
  if (other) throw new DuplicateToolError(other.name, other.source, source)
  const listed = new Set(names)
  const before = await client.query(`SELECT name FROM ${tables.tools} WHERE source = $1`, [source])
  const gone = (before.rows as { name: string }[])
    .map(({ name }) => name)
    .filter((name) => !listed.has(name))
  const removed = await removeRows(context, gone)
  const change = { added: 0, replaced: 0, removed }
  for (let at = 0; at < rows.length; at += BATCH) {
    const { added, replaced } = await writeRows(context, rows.slice(at, at + BATCH))
    change.added += added
    change.replaced += replaced
  }
  return change
}

/** By lexeme and by source, how many more tools there are; negative if fewer. */
interface Counts {
  readonly terms: Map<string, number>
  readonly sources: Map<string, number>
}

function createCounts(): Counts {
  return { terms: new Map(), sources: new Map() }
}

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count)
}

/** From what is stored and not from the definitions: another version may have read them differently. */
async function subtractCounts(
  { client, tables }: WriteContext,
  names: readonly string[],
  counts: Counts,
): Promise<void> {
  if (names.length === 0) return
  const terms = await client.query(
    `SELECT lexeme, count(*)::int AS tools FROM ${tables.tools}, unnest(terms)
    WHERE name = ANY($1::text[]) GROUP BY lexeme`,
    [names],
  )
  for (const { lexeme, tools } of terms.rows as { lexeme: string; tools: number }[]) {
    add(counts.terms, lexeme, -tools)
  }
  const sources = await client.query(
    `SELECT source, count(*)::int AS tools FROM ${tables.tools}
    WHERE name = ANY($1::text[]) GROUP BY source`,
    [names],
  )
  for (const { source, tools } of sources.rows as { source: string; tools: number }[]) {
    add(counts.sources, source, -tools)
  }
}

async function writeCounts({ client, tables }: WriteContext, counts: Counts): Promise<void> {
  await addCounts(client, tables.terms, 'term', counts.terms)
  await addCounts(client, tables.sources, 'source', counts.sources)
  const more = [...counts.sources.values()].reduce((sum, count) => sum + count, 0)
  if (more !== 0) await client.query(`UPDATE ${tables.state} SET tools = tools + $1`, [more])
}

async function addCounts(
  client: PostgresClient,
  table: string,
  column: string,
  counts: ReadonlyMap<string, number>,
): Promise<void> {
  const changed = [...counts].filter(([, count]) => count !== 0)
  if (changed.length === 0) return
  const keys = changed.map(([key]) => key)
  await client.query(
    `INSERT INTO ${table} AS known (${column}, tools)
    SELECT * FROM unnest($1::text[], $2::int[])
    ON CONFLICT (${column}) DO UPDATE SET tools = known.tools + excluded.tools`,
    [keys, changed.map(([, count]) => count)],
  )
  const fewer = changed.filter(([, count]) => count < 0).map(([key]) => key)
  if (fewer.length === 0) return
  await client.query(`DELETE FROM ${table} WHERE ${column} = ANY($1::text[]) AND tools <= 0`, [
    fewer,
  ])
}
