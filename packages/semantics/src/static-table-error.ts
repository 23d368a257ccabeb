/** The bytes of an embedding table are not what they should be. */
export class StaticTableError extends Error {
  override readonly name = 'StaticTableError'
  readonly code = 'bad_static_table'

  constructor(reason: string) {
    super(`Cannot read the embedding table: ${reason}`)
  }
}
