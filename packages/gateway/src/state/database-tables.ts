import type { ColumnType, Generated, JSONColumnType } from 'kysely'

/** Written as JSON text, read as the value. `json` keeps texts that `jsonb` and `text` reject, such as `\0`. */
type Json = JSONColumnType<object, string, string>
/** `int8` is read as text, because not every value is an exact number. */
type BigInteger = ColumnType<string, number | string, number | string>
type OptionalBigInteger = ColumnType<string | null, number | null, number | null>
type Time = ColumnType<Date, Date | string, Date | string>

/**
 * The tables of a gateway in PostgreSQL. Most have a `key`, a hash of what identifies a record, because
 * names come from outside and may be longer than what an index accepts.
 */
export interface DatabaseTables {
  toolsearch_schema: {
    /** The oldest version of the tables that a program must know to use them. */
    minimum: number
  }
  /** How often records of a kind have changed, so that other replicas notice. */
  toolsearch_versions: { kind: string; version: BigInteger }
  toolsearch_locks: { name: string; holder: string; fence: BigInteger; expires_at: Time }
  toolsearch_settings: { name: string; value: Json }
  toolsearch_approvals: { key: string; approval: Json }
  toolsearch_past_definitions: { key: string; past: Json; changed_at: Time }
  toolsearch_sign_ins: { key: string; sign_in: Json; fence: BigInteger }
  /** Times in milliseconds since 1970. */
  toolsearch_keys: {
    key: string
    api_key: Json
    revoked_at: OptionalBigInteger
    last_used_at: OptionalBigInteger
  }
  /** The columns are for searching; `entry` is the whole entry. */
  toolsearch_audit: {
    id: string
    at: Time
    kind: string
    action: string
    outcome: string
    profile: string | null
    client: string | null
    server: string | null
    target: string | null
    /** Ids, names and email addresses, in lower case. */
    people: string[]
    not_found: boolean
    /** In lower case. */
    text: string
    entry: Json
  }
  /** `person` is a hash as well. */
  toolsearch_accounts: { key: string; person: string; revision: string; account: Json }
  toolsearch_history: { id: string; at: Time; bytes: number; entry: Json }
  toolsearch_uses: { id: string; use: Json }
  /** `bytes` of the text, `kept_at` when a gateway last wrote it. */
  toolsearch_skill_texts: { digest: string; bytes: number; kept_at: Time; content: Json }
  toolsearch_saved_queries: { key: string; position: Generated<string>; query: Json }
}
