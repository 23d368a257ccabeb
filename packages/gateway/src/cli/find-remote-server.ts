import { closestKey } from '../config/closest-key.ts'
import type { ServerConfig } from '../config/gateway-config.ts'
import { type RemoteServer, remoteServer } from '../sign-in/remote-server.ts'
import type { CommandCall } from './command.ts'
import { UsageError } from './command-errors.ts'
import { findConfig } from './find-config.ts'

/** Finds the server that the command line names. @throws UsageError if you can't sign in to it */
export async function findRemoteServer(
  call: CommandCall,
): Promise<{ server: ServerConfig; remote: RemoteServer }> {
  const [name, ...more] = call.args
  const { config } = await findConfig(call)
  const names = config.servers.map((each) => each.name)
  if (name === undefined || more.length > 0) {
    throw new UsageError(`Specify one server: ${names.join(', ')}.`)
  }
  const server = config.servers.find((each) => each.name === name)
  if (!server) {
    const closest = closestKey(name, names)
    const hint = closest ? `Did you mean "${closest}"?` : `Configured servers: ${names.join(', ')}.`
    throw new UsageError(`The configuration has no server "${name}". ${hint}`)
  }
  const remote = remoteServer(server)
  if (remote) return { server, remote }
  throw new UsageError(
    server.connection.kind === 'stdio'
      ? `${name} is a local command, so there is no sign-in. Pass credentials in its "env".`
      : `${name} has an "Authorization" header in the configuration. Remove it to sign in instead.`,
  )
}
