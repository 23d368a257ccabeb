/** A connected client of `redis`, `@redis/client` or `iovalkey`/`ioredis`. It stays yours to close. */
export type RedisStoreClient =
  | { sendCommand(args: string[]): Promise<unknown> }
  | { call(command: string, ...args: string[]): Promise<unknown> }

/** The function that sends a command; undefined if this is not a client. */
export function sendCommand(
  client: RedisStoreClient,
): ((args: string[]) => Promise<unknown>) | undefined {
  // First, because ioredis also has a `sendCommand`, which takes something else.
  if (typeof client === 'object' && client !== null) {
    if ('call' in client) return ([name = '', ...args]) => client.call(name, ...args)
    if ('sendCommand' in client) return (args) => client.sendCommand(args)
  }
  return undefined
}
