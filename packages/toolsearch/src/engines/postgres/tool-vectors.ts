import { hashText } from '../../catalogue/hash-text.ts'
import type { Tool } from '../../catalogue/tool.ts'
import { embeddingTexts } from '../../ranking/tool-fields.ts'
import type { Embedder, TextVectors } from '../../semantics/embedder.ts'
import { lengthOf, scaledTo } from '../../semantics/vector-math.ts'
import type { EngineScope } from '../candidate-engine.ts'
import type { PostgresClient } from './postgres-client.ts'
import { createParameters, scopeConditions } from './query-builder.ts'
import { hasTable, lockTables, type Tables } from './tables.ts'
import { FOUND, type FoundRow } from './tool-cache.ts'

/** Where the vectors of tools and queries come from. */
export interface VectorSource {
  readonly id: string
  readonly dimensions: number
  /** Undefined for a text that the embedder does not understand. */
  embed(
    texts: readonly string[],
    kind: 'query' | 'document',
  ): Promise<readonly (Float32Array | undefined)[]>
}

/** How many tools the comparison of meanings adds to the candidates. */
export const MAX_NEAREST = 200
/** pgvector indexes no vectors with more dimensions. */
const MAX_INDEXED = 2_000

export function vectorSource(vectors: TextVectors): VectorSource {
  return {
    id: vectors.id,
    dimensions: vectors.dimensions,
    async embed(texts, kind) {
      if (kind === 'query') for (const text of texts) await vectors.prepare?.(text)
      return texts.map((text) => ofLengthOne(vectors.embed(text, kind)))
    },
  }
}

export function embedderSource(embedder: Embedder & { readonly dimensions: number }): VectorSource {
  const { maxBatch = 96 } = embedder
  return {
    id: embedder.id,
    dimensions: embedder.dimensions,
    async embed(texts, kind) {
      const vectors: (Float32Array | undefined)[] = []
      for (let at = 0; at < texts.length; at += maxBatch) {
        const batch = await embedder.embed(texts.slice(at, at + maxBatch), { kind })
        vectors.push(...batch.map((vector) => ofLengthOne(Float32Array.from(vector))))
      }
      return vectors
    },
  }
}

function ofLengthOne(vector: Float32Array | undefined): Float32Array | undefined {
  return vector && lengthOf(vector) > 0 ? scaledTo(1, vector) : undefined
}

/** The text of a tool that stands for its meaning. */
export function meaningOf(tool: Tool): string {
  return embeddingTexts(tool).whole
}

/** Vectors of different embedders are not comparable, so each has a table of its own. */
function vectorTable({ prefix }: Tables, { id, dimensions }: VectorSource): string {
  return `${prefix}vectors_${hashText(`${id} ${dimensions}`).slice(0, 12)}`
}

/**
 * Creates the table, if pgvector is available. Must run in a transaction. Resolves to whether there
 * is one.
 */
export async function setUpVectors(
  client: PostgresClient,
  tables: Tables,
  source: VectorSource,
): Promise<boolean> {
  const table = vectorTable(tables, source)
  if (await hasTable(client, table)) return true
  await lockTables(client, tables)
  if (!(await hasPgvector(client))) return false
  await client.query(
    `CREATE TABLE IF NOT EXISTS ${table} (
      id bigint PRIMARY KEY REFERENCES ${tables.tools} ON DELETE CASCADE,
      changed bigint NOT NULL,
      vector vector(${source.dimensions}) NOT NULL
    )`,
  )
  if (source.dimensions <= MAX_INDEXED) {
    await client.query(
      `CREATE INDEX IF NOT EXISTS ${table}_nearest ON ${table} USING hnsw (vector vector_ip_ops)`,
    )
  }
  return true
}

async function hasPgvector(client: PostgresClient): Promise<boolean> {
  const { rows } = await client.query(`SELECT 1 FROM pg_available_extensions WHERE name = 'vector'`)
  if (rows.length === 0) return false
  await client.query('SAVEPOINT before_vector')
  try {
    await client.query('CREATE EXTENSION IF NOT EXISTS vector')
    return true
  } catch {
    // Only an administrator may install it here.
    await client.query('ROLLBACK TO SAVEPOINT before_vector')
    return false
  }
}

/** Of these tools, those without a vector for their current definition. */
export async function withoutVector(
  client: PostgresClient,
  tables: Tables,
  source: VectorSource,
  names: readonly string[],
): Promise<ReadonlyMap<string, FoundRow>> {
  const { rows } = await client.query(
    `SELECT ${columns('tool')}, tool.name FROM ${tables.tools} AS tool
    LEFT JOIN ${vectorTable(tables, source)} AS known
      ON known.id = tool.id AND known.changed = tool.changed
    WHERE tool.name = ANY($1::text[]) AND known.id IS NULL`,
    [names],
  )
  return new Map((rows as (FoundRow & { name: string })[]).map((row) => [row.name, row]))
}

export async function writeVectors(
  client: PostgresClient,
  tables: Tables,
  source: VectorSource,
  vectors: readonly (FoundRow & { readonly vector: Float32Array })[],
): Promise<void> {
  // A tool that was removed or changed in the meantime gets no vector here.
  await client.query(
    `INSERT INTO ${vectorTable(tables, source)} (id, changed, vector)
    SELECT tool.id, tool.changed, given.vector::vector
    FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS given (id, changed, vector)
    JOIN ${tables.tools} AS tool ON tool.id = given.id AND tool.changed = given.changed
    ON CONFLICT (id) DO UPDATE SET changed = excluded.changed, vector = excluded.vector`,
    [
      vectors.map(({ id }) => id),
      vectors.map(({ changed }) => changed),
      vectors.map(({ vector }) => toText(vector)),
    ],
  )
}

/** The tools in the scope that are nearest to a query. Must run in a transaction. */
export async function findNearest(
  client: PostgresClient,
  tables: Tables,
  source: VectorSource,
  { vector, limit, scope }: { vector: Float32Array; limit: number; scope: EngineScope },
): Promise<readonly FoundRow[]> {
  const parameters = createParameters()
  const query = parameters.add(toText(vector))
  const conditions = scopeConditions(scope, parameters)
  // The index knows no scope, and would find too few tools in a small one.
  const order = conditions === '' ? '' : '+ 0'
  await client.query(`SET LOCAL hnsw.ef_search = ${Math.max(40, Math.min(1_000, limit))}`)
  const { rows } = await client.query(
    `SELECT ${columns('tool')} FROM ${vectorTable(tables, source)} AS near
    JOIN ${tables.tools} AS tool ON tool.id = near.id AND tool.changed = near.changed
    WHERE true ${conditions}
    ORDER BY (near.vector <#> ${query}::vector) ${order} LIMIT ${parameters.add(limit)}`,
    parameters.values,
  )
  return rows as FoundRow[]
}

function columns(table: string): string {
  return FOUND.replace(/(\w+)::text/g, `${table}.$1::text`)
}

function toText(vector: Float32Array): string {
  return `[${vector.join(',')}]`
}
