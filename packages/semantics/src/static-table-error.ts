/** The bytes are not a valid embedding table. */
export class StaticTableError extends Error {
  override readonly name = 'StaticTableError'
  readonly code = 'bad_static_table'

  constructor(reason: string) {
    super(`Cannot read the embedding table: ${reason}`)
  }
}
