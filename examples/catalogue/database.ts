import type { ToolDefinition } from 'toolsearch'

const database = {
  type: 'string',
  description: 'Name of the database, as returned by list_databases.',
}

const parameters = {
  type: 'array',
  items: { type: ['string', 'number', 'boolean', 'null'] },
  description: 'Values for $1, $2 and so on. Never build values into the text.',
}

/** Tools of Basin, an imaginary SQL database service. */
export const databaseTools: readonly ToolDefinition[] = [
  {
    name: 'mcp__database__list_databases',
    description: 'List the databases this connection may use, with size and engine version.',
    source: 'mcp:database',
    inputSchema: { type: 'object', properties: {} },
    annotations: { title: 'List databases', readOnlyHint: true },
  },
  {
    name: 'mcp__database__list_tables',
    description:
      'List the tables and views of a database with their comments and rough row counts. ' +
      'Start here when you do not know the schema.',
    source: 'mcp:database',
    inputSchema: {
      type: 'object',
      properties: {
        database,
        schema: { type: 'string', default: 'public' },
        name_like: {
          type: 'string',
          description: 'Pattern with % as wildcard, for example "order%".',
        },
        include_views: { type: 'boolean', default: true },
      },
      required: ['database'],
    },
    annotations: { title: 'List tables', readOnlyHint: true },
  },
  {
    name: 'mcp__database__describe_table',
    description:
      'Describe one table: columns with types, defaults and comments, primary and foreign ' +
      'keys, indexes. Optionally returns a few sample rows.',
    source: 'mcp:database',
    inputSchema: {
      type: 'object',
      properties: {
        database,
        table: {
          type: 'string',
          description: 'Table name, with its schema if it is not "public".',
        },
        sample_rows: { type: 'integer', minimum: 0, maximum: 20, default: 0 },
      },
      required: ['database', 'table'],
    },
    annotations: { title: 'Describe table', readOnlyHint: true },
  },
  {
    name: 'mcp__database__run_query',
    description:
      'Run one SQL SELECT statement and return the rows. The statement runs in a read-only ' +
      'transaction, so anything that writes is refused; use execute_statement for that. Ask ' +
      'for the columns and rows you need: results beyond max_rows are cut and flagged.',
    source: 'mcp:database',
    inputSchema: {
      type: 'object',
      properties: {
        database,
        sql: {
          type: 'string',
          description: 'One SELECT, WITH or SHOW statement, with no semicolon after it.',
        },
        parameters,
        max_rows: { type: 'integer', minimum: 1, maximum: 5000, default: 200 },
        timeout_seconds: { type: 'integer', minimum: 1, maximum: 120, default: 30 },
        format: {
          type: 'string',
          enum: ['objects', 'arrays', 'csv', 'markdown'],
          default: 'objects',
        },
      },
      required: ['database', 'sql'],
    },
    outputSchema: {
      type: 'object',
      properties: {
        columns: {
          type: 'array',
          items: {
            type: 'object',
            properties: { name: { type: 'string' }, type: { type: 'string' } },
            required: ['name', 'type'],
          },
        },
        rows: { type: 'array' },
        row_count: { type: 'integer' },
        truncated: { type: 'boolean' },
        milliseconds: { type: 'number' },
      },
      required: ['columns', 'rows', 'row_count', 'truncated'],
    },
    annotations: { title: 'Run query', readOnlyHint: true },
  },
  {
    name: 'mcp__database__execute_statement',
    description:
      'Run SQL that changes data: INSERT, UPDATE, DELETE or MERGE. All statements run in one ' +
      'transaction. By default it is rolled back and only the number of rows that would ' +
      'change is returned; set commit to true to keep the change.',
    source: 'mcp:database',
    inputSchema: {
      type: 'object',
      properties: {
        database,
        statements: {
          type: 'array',
          minItems: 1,
          maxItems: 20,
          items: {
            type: 'object',
            properties: {
              sql: { type: 'string', description: 'One statement.' },
              parameters,
              expected_rows: {
                type: 'object',
                description: 'Roll everything back if the number of changed rows is outside this.',
                properties: {
                  minimum: { type: 'integer', minimum: 0 },
                  maximum: { type: 'integer', minimum: 0 },
                },
              },
            },
            required: ['sql'],
          },
        },
        commit: {
          type: 'boolean',
          default: false,
          description: 'Keep the changes. Without it the call is a rehearsal.',
        },
        isolation: {
          type: 'string',
          enum: ['read_committed', 'repeatable_read', 'serializable'],
          default: 'read_committed',
        },
        reason: {
          type: 'string',
          description: 'Why the change is made. Written to the audit log.',
        },
      },
      required: ['database', 'statements', 'reason'],
    },
    annotations: { title: 'Execute statement', destructiveHint: true },
  },
  {
    name: 'mcp__database__apply_migration',
    description:
      'Apply a named schema migration: create, alter or drop tables, columns and indexes. ' +
      'Migrations run once and are recorded; applying the same name again does nothing. Long ' +
      'locks on busy tables are refused unless allowed.',
    source: 'mcp:database',
    searchHint: 'DDL add column create table index',
    inputSchema: {
      type: 'object',
      properties: {
        database,
        name: {
          type: 'string',
          pattern: '^[a-z0-9_]+$',
          description: 'Short name in snake case, for example "add_order_notes".',
        },
        up: { type: 'string', description: 'SQL that makes the change.' },
        down: { type: 'string', description: 'SQL that takes it back.' },
        environment: {
          type: 'string',
          enum: ['development', 'staging', 'production'],
          default: 'development',
        },
        dry_run: {
          type: 'boolean',
          default: true,
          description: 'Report the locks and the plan, change nothing.',
        },
        lock_timeout_seconds: { type: 'integer', minimum: 1, maximum: 60, default: 5 },
        allow_long_locks: { type: 'boolean', default: false },
      },
      required: ['database', 'name', 'up'],
    },
    annotations: { title: 'Apply migration', destructiveHint: true, idempotentHint: true },
  },
  {
    name: 'mcp__database__explain_query',
    description:
      'Show how the database would run a query: the plan, the indexes it uses, the estimated ' +
      'cost, and hints on what to index. With analyze the query is really run and ' +
      'timed, in a read-only transaction.',
    source: 'mcp:database',
    inputSchema: {
      type: 'object',
      properties: {
        database,
        sql: { type: 'string' },
        parameters,
        analyze: { type: 'boolean', default: false },
        format: { type: 'string', enum: ['text', 'json'], default: 'text' },
      },
      required: ['database', 'sql'],
    },
    annotations: { title: 'Explain query', readOnlyHint: true },
  },
  {
    name: 'mcp__database__create_backup',
    description:
      'Take a backup of a database now, beside the nightly ones. Returns a backup id at once; ' +
      'the work goes on in the background.',
    source: 'mcp:database',
    inputSchema: {
      type: 'object',
      properties: {
        database,
        label: { type: 'string', maxLength: 80 },
        keep_days: { type: 'integer', minimum: 1, maximum: 365, default: 14 },
      },
      required: ['database'],
    },
    annotations: { title: 'Create backup', destructiveHint: false },
  },
]
