import { closestKey } from '../config/closest-key.ts'
import type { ServerConfig } from '../config/gateway-config.ts'
import { type RemoteServer, remoteServer } from '../sign-in/remote-server.ts'
import type { CommandCall } from './command.ts'
import { findConfig } from './find-config.ts'
import { UsageError } from './usage-error.ts'

/** The server that a command line names, if it is one to sign in to. */
export async function findRemoteServer(
  call: CommandCall,
): Promise<{ server: ServerConfig; remote: RemoteServer }> {
  const [name, ...more] = call.words
  const { config } = await findConfig(call)
  const names = config.servers.map((each) => each.name)
  if (name === undefined || more.length > 0) {
    throw new UsageError(`Name one server: ${names.join(', ')}.`)
  }
  const server = config.servers.find((each) => each.name === name)
  if (!server) {
    const closest = closestKey(name, names)
    const hint = closest ? `Did you mean "${closest}"?` : `There are ${names.join(', ')}.`
    throw new UsageError(`There is no server "${name}" in the configuration. ${hint}`)
  }
  const remote = remoteServer(server)
  if (remote) return { server, remote }
  throw new UsageError(
    server.connection.kind === 'stdio'
      ? `${name} is started by a command: it gets what it needs by "env".`
      : `${name} has a header "Authorization" in the configuration. Take it away to sign in instead.`,
  )
}
