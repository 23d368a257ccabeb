/** Whose account it is, and for which server. The same name with a different URL is a different server. */
export interface AccountKey {
  readonly person: string
  readonly server: string
  /** Empty for local commands. */
  readonly url: string
}

/** A person's credentials for one server, as they are stored: encrypted. */
export interface AccountRecord extends AccountKey {
  /** Different after each write, and never used again. */
  readonly revision: string
  /** When the person has connected or changed it, in milliseconds since 1970. */
  readonly updatedAt: number
  /** Encrypted texts, by what they contain. */
  readonly sealed: Readonly<Record<string, string>>
}

/** Where accounts are stored: in files, or in PostgreSQL. Knows nothing of what they contain. */
export interface AccountRecords {
  read(key: AccountKey): Promise<AccountRecord | undefined>
  /**
   * Stores a record if the stored one still has the revision `replaces`, or if there is none and
   * `replaces` is undefined. Otherwise resolves to false, so that a process that was suspended cannot
   * overwrite what others wrote in the meantime. Atomic across processes.
   */
  write(record: AccountRecord, replaces: string | undefined): Promise<boolean>
  /** The accounts of one person, by server. */
  list(person: string): Promise<readonly AccountRecord[]>
  /** Resolves to whether there was a record. */
  remove(key: AccountKey): Promise<boolean>
  /** Removes all accounts of a person, and resolves to their number. */
  removeAll(person: string): Promise<number>
  /** Every record, for encrypting them with a new key. May miss records that are written meanwhile. */
  all(): AsyncIterable<AccountRecord>
  /** Runs the listener after any process may have changed a record. Returns a function that stops it. */
  onChange?(listener: () => void): () => void
}
