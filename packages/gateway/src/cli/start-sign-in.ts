import type { GatewayConfig } from '../config/gateway-config.ts'
import { remoteServer } from '../sign-in/remote-server.ts'
import { signIn } from '../sign-in/sign-in.ts'
import { SignInFailedError } from '../sign-in/sign-in-error.ts'
import type { SignInStore } from '../sign-in/sign-in-store.ts'

const TIMEOUT_MS = 300_000

/**
 * Returns a function that starts the sign-in to a server and resolves to the URL to open. A person
 * finishes it in the browser; the gateway then connects by itself. Starting again cancels the first.
 */
export function createSignInStarter(
  config: () => GatewayConfig,
  store: SignInStore,
): (server: string) => Promise<string> {
  const running = new Map<string, AbortController>()

  return (name) =>
    new Promise<string>((resolve, reject) => {
      const server = config().servers.find((each) => each.name === name)
      const remote = server && remoteServer(server)
      if (!remote) {
        throw new SignInFailedError(
          `There is no sign-in to ${name}: it is a local command, or has an "Authorization" header.`,
        )
      }
      if (remote.oauth && remote.oauth.grant !== 'authorization_code') {
        throw new SignInFailedError(
          `${name} signs in with the credentials of the gateway, without a person.`,
        )
      }
      running.get(name)?.abort(new SignInFailedError('A new sign-in replaced this one.'))
      const controller = new AbortController()
      running.set(name, controller)
      const timer = setTimeout(
        () => controller.abort(new SignInFailedError(`The sign-in to ${name} timed out.`)),
        TIMEOUT_MS,
      ).unref()
      signIn(remote, { store, signal: controller.signal, onUrl: ({ href }) => resolve(href) })
        .catch(reject)
        .finally(() => {
          clearTimeout(timer)
          if (running.get(name) === controller) running.delete(name)
        })
    })
}
