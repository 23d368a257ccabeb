import { DuplicateToolError, InvalidToolError } from '../../catalogue/catalogue-errors.ts'
import type { Tool } from '../../catalogue/tool.ts'
import {
  type Check,
  check,
  names as checkNames,
  checkOptions,
  count,
} from '../../options/check-option.ts'
import { createTermReader } from '../../ranking/tool-terms.ts'
import type { Embedder, TextVectors } from '../../semantics/embedder.ts'
import type {
  CandidateEngine,
  CandidatesRequest,
  EngineChange,
  EngineScope,
} from '../candidate-engine.ts'
import { EngineError } from '../engine-error.ts'
import { checkSource, readTools } from '../stored-tools.ts'
import { findCandidates } from './find-candidates.ts'
import { findSimilar } from './find-similar.ts'
import {
  inTransaction,
  type PostgresClient,
  type PostgresDatabase,
  type PostgresPool,
} from './postgres-client.ts'
import { createParameters, likeText, scopeConditions, storable } from './query-builder.ts'
import { countTools, readTermFacts } from './read-terms.ts'
import { lockTables, setUpTables, tablesOf } from './tables.ts'
import { createToolCache, FOUND, type FoundRow } from './tool-cache.ts'
import {
  embedderSource,
  findNearest,
  MAX_NEAREST,
  meaningOf,
  setUpVectors,
  type VectorSource,
  vectorSource,
  withoutVector,
  writeVectors,
} from './tool-vectors.ts'
import {
  BATCH,
  prepareRows,
  removeRows,
  syncRows,
  type ToolRow,
  toRow,
  writeRows,
} from './write-tools.ts'

export interface PostgresEngineOptions {
  /** A pool of `pg`, or PGlite. You create it and close it. */
  pool: PostgresPool | PostgresDatabase
  /**
   * The beginning of the names of all tables: lower-case letters, digits and `_`.
   * @default 'toolsearch_'
   */
  tablePrefix?: string
  /**
   * How many definitions this process keeps in memory.
   * @default 10_000
   */
  cache?: number
  /**
   * How many tools a search scores. More find better candidates for queries of common words, and
   * take longer.
   * @default 5_000
   */
  scored?: number
  /**
   * Finds tools by meaning as well, if pgvector is installed: the table of toolsearch-semantics.
   * @default keywords only
   */
  vectors?: TextVectors
  /** Like `vectors`, for an embedding model that computes vectors on request. */
  embedder?: Embedder & { readonly dimensions: number }
}

/** An engine that keeps its tools in PostgreSQL. */
export interface PostgresEngine extends CandidateEngine {
  /**
   * Creates or updates the tables. Other methods do it when they are called first.
   * @throws EngineError
   */
  setUp(): Promise<void>
  /** Whether candidates are found by meaning, too: with `vectors` or `embedder`, and pgvector. */
  comparesMeanings(): Promise<boolean>
}

/**
 * Keeps tools in PostgreSQL 13 or newer, and finds candidates by full text search and trigrams. Any
 * number of processes can use the same tables.
 *
 * @throws InvalidOptionError
 */
export function postgresEngine(options: PostgresEngineOptions): PostgresEngine {
  checkOptions(options, 'options', OPTIONS)
  checkPool(options.pool, 'options.pool')
  const { pool, tablePrefix = 'toolsearch_', cache = 10_000, scored = 5_000 } = options
  const source = sourceOf(options)
  const tables = tablesOf(tablePrefix)
  const known = createToolCache(tables, cache)
  const readTerms = createTermReader()
  let ready: Promise<boolean> | undefined

  return {
    name: 'postgres',
    setUp: () => connected(async () => {}),
    comparesMeanings: () => connected(async (_, hasVectors) => hasVectors),
    async put(definitions) {
      const rows = rowsOf(readTools(definitions))
      const change = { added: 0, replaced: 0, removed: 0 }
      for (let at = 0; at < rows.length; at += BATCH) {
        const batch = rows.slice(at, at + BATCH)
        await connected((client) => prepareRows({ client, tables }, batch))
        const { added, replaced } = await write((client) => writeRows({ client, tables }, batch))
        change.added += added
        change.replaced += replaced
        await addVectors(batch.map(({ tool }) => tool))
      }
      return change
    },
    async remove(names) {
      checkNames(names, 'names')
      const removed = await write((client) => removeRows({ client, tables }, [...new Set(names)]))
      return { added: 0, replaced: 0, removed }
    },
    async sync(source, definitions) {
      checkSource(source, 'source')
      const rows = rowsOf(readTools(definitions, source))
      await connected((client) => prepareRows({ client, tables }, rows))
      const change: EngineChange = await write((client) =>
        syncRows({ client, tables }, source, rows),
      )
      await addVectors(rows.map(({ tool }) => tool))
      return change
    },
    get: (names, scope) => find('name = ANY($1::text[])', storable(names), scope),
    spelled: (keys, scope) => find('key = ANY($1::text[])', storable(keys), scope),
    startingWith: (prefix, limit, scope) =>
      connected(async (client) => {
        if (storable([prefix]).length === 0) return { tools: [], count: 0 }
        const parameters = createParameters()
        const pattern = parameters.add(`${likeText(prefix)}%`)
        const conditions = scopeConditions(scope, parameters)
        const where = `FROM ${tables.tools} WHERE name LIKE ${pattern} ${conditions}`
        const values = [...parameters.values]
        const first = `SELECT ${FOUND} ${where} ORDER BY name LIMIT ${parameters.add(limit)}`
        const [{ rows }, total] = await Promise.all([
          client.query(first, parameters.values),
          prefix === ''
            ? countTools({ client, tables, scope })
            : client
                .query(`SELECT count(*)::int AS tools ${where}`, values)
                .then((found) => (found.rows[0] as { tools: number }).tools),
        ])
        return { tools: await known.load(client, rows), count: total }
      }),
    similar: (name, limit, scope) =>
      connected(async (client) => {
        const rows = await findSimilar(client, tables, name, { limit, scope })
        return known.load(client, rows)
      }),
    terms: (request, scope) =>
      connected((client) => readTermFacts({ client, tables, scope }, request)),
    candidates: (request) =>
      connected(async (client, hasVectors) => {
        const [byWords, byMeaning] = await Promise.all([
          findCandidates(client, tables, request, scored),
          // What resembles a query rarely has a word that it requires.
          hasVectors && request.required.length === 0 ? nearest(request) : [],
        ])
        return known.load(client, merge(byWords, byMeaning, request.limit))
      }),
    count: (scope) => connected((client) => countTools({ client, tables, scope })),
  }

  function rowsOf(tools: readonly Tool[]): readonly ToolRow[] {
    return tools.map((tool) => toRow(tool, readTerms))
  }

  function find(condition: string, values: readonly string[], scope: EngineScope) {
    return connected(async (client): Promise<readonly Tool[]> => {
      if (values.length === 0) return []
      const parameters = createParameters()
      parameters.add(values)
      const { rows } = await client.query(
        `SELECT ${FOUND} FROM ${tables.tools}
        WHERE ${condition} ${scopeConditions(scope, parameters)} ORDER BY ${tables.tools}.id`,
        parameters.values,
      )
      return known.load(client, rows)
    })
  }

  async function nearest({ text, limit, scope }: CandidatesRequest): Promise<readonly FoundRow[]> {
    const [vector] = await source!.embed([text], 'query')
    if (vector === undefined) return []
    const wanted = { vector, scope, limit: Math.min(MAX_NEAREST, limit) }
    return inTransaction(pool, (client) => findNearest(client, tables, source!, wanted))
  }

  /** Outside of the transaction that writes the tools: computing vectors can take seconds. */
  async function addVectors(tools: readonly Tool[]): Promise<void> {
    if (source === undefined || tools.length === 0) return
    await connected(async (client, hasVectors) => {
      if (!hasVectors) return
      for (let at = 0; at < tools.length; at += BATCH) {
        const batch = tools.slice(at, at + BATCH)
        const names = batch.map(({ name }) => name)
        const rows = await withoutVector(client, tables, source, names)
        const missing = batch.filter(({ name }) => rows.has(name))
        if (missing.length === 0) continue
        const vectors = await source.embed(missing.map(meaningOf), 'document')
        const found = missing.flatMap(({ name }, index) => {
          const vector = vectors[index]
          return vector ? [{ ...rows.get(name)!, vector }] : []
        })
        if (found.length > 0) await writeVectors(client, tables, source, found)
      }
    })
  }

  function write<Result>(work: (client: PostgresClient) => Promise<Result>): Promise<Result> {
    return connected(() =>
      inTransaction(pool, async (client) => {
        await lockTables(client, tables)
        return work(client)
      }),
    )
  }

  /** Runs the work once the tables exist. Failures become an `EngineError`. */
  async function connected<Result>(
    work: (client: PostgresClient, hasVectors: boolean) => Promise<Result>,
  ): Promise<Result> {
    try {
      ready ??= setUp()
      return await work(pool, await ready)
    } catch (error) {
      if (isOwn(error)) throw error
      // Somebody may have removed the tables.
      if ((error as { code?: unknown }).code === UNDEFINED_TABLE) ready = undefined
      throw new EngineError(`PostgreSQL could not answer: ${messageOf(error)}`, { cause: error })
    }
  }

  async function setUp(): Promise<boolean> {
    try {
      return await inTransaction(pool, async (client) => {
        await setUpTables(client, tables)
        return source ? setUpVectors(client, tables, source) : false
      })
    } catch (error) {
      // The next call tries again.
      ready = undefined
      throw error
    }
  }
}

const UNDEFINED_TABLE = '42P01'

function isOwn(error: unknown): boolean {
  const kinds = [EngineError, DuplicateToolError, InvalidToolError]
  return kinds.some((kind) => error instanceof kind)
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // A refused connection to a name with several addresses has no message of its own.
  const [first] = error instanceof AggregateError ? error.errors : []
  return error.message || (first instanceof Error ? first.message : error.name)
}

/** The best by keywords and the nearest by meaning, up to the limit. */
function merge(
  byWords: readonly FoundRow[],
  byMeaning: readonly FoundRow[],
  limit: number,
): readonly FoundRow[] {
  const rows = new Map(byMeaning.map((row) => [row.id, row]))
  for (const row of byWords) {
    if (rows.size >= limit) break
    rows.set(row.id, row)
  }
  return [...rows.values()]
}

function sourceOf({ vectors, embedder }: PostgresEngineOptions): VectorSource | undefined {
  if (embedder) return embedderSource(embedder)
  return vectors && vectorSource(vectors)
}

const hasEmbed = (value: unknown) => typeof (value as TextVectors | null)?.embed === 'function'

const checkPool: Check = check((value) => {
  const { query, connect, transaction } = (value ?? {}) as Record<string, unknown>
  return [query, connect ?? transaction].every((method) => typeof method === 'function')
}, 'use a pool of pg, or PGlite')

const OPTIONS = {
  pool: checkPool,
  tablePrefix: check(
    (value) => typeof value === 'string' && /^[a-z_][a-z0-9_]{0,31}$/.test(value),
    'use up to 32 lower-case letters, digits and _',
  ),
  cache: count(1),
  scored: count(1),
  vectors: check(hasEmbed, 'use loadStaticEmbedder() of toolsearch-semantics'),
  embedder: check(
    (value) => hasEmbed(value) && Number.isInteger((value as Embedder).dimensions),
    'use an embedder with dimensions',
  ),
} satisfies Record<keyof PostgresEngineOptions, Check>
