import type { ServerConfig } from '../config/gateway-config.ts'
import type { RemoteServer } from '../sign-in/remote-server.ts'
import { type SignedIn, signIn } from '../sign-in/sign-in.ts'
import { SignInFailedError } from '../sign-in/sign-in-error.ts'
import { createSignInStore, type SignInStore } from '../sign-in/sign-in-store.ts'
import { createSignIns } from '../sign-in/sign-ins.ts'
import { signInFolder } from '../system/data-folders.ts'
import { createUpstream } from '../upstreams/create-upstream.ts'
import { type Command, type CommandCall, NOT_WELL, OK } from './command.ts'
import { commonHelp, commonOptions } from './common-options.ts'
import { findRemoteServer } from './find-remote-server.ts'
import { openBrowser } from './open-browser.ts'
import { plain } from './plain.ts'
import { UsageError } from './usage-error.ts'

const INTERRUPTED = 130

export const signInCommand: Command = {
  name: 'sign-in',
  summary: 'signs in to a server that wants it (OAuth)',
  usage: 'SERVER [options]',
  options: { ...commonOptions, 'no-open': { type: 'boolean' }, timeout: { type: 'string' } },
  help: [
    ...commonHelp,
    '--no-open          only print the address; on a terminal it is opened in your browser',
    '--timeout SECONDS  how long to wait for you; 300 if left out',
  ],
  examples: ['toolsearch sign-in linear', 'toolsearch sign-in linear --no-open'],
  async run(call) {
    const { terminal, values, env } = call
    const seconds = readSeconds(values.timeout)
    const { server, remote } = await findRemoteServer(call)
    const store = createSignInStore(signInFolder(env))
    const controller = new AbortController()
    let isInterrupted = false
    const interrupt = () => {
      isInterrupted = true
      controller.abort(new SignInFailedError('Stopped. Nothing was changed.'))
    }
    process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
    const timer = setTimeout(() => {
      const words = `Nobody signed in to ${remote.name} within ${seconds} seconds. Run the command again, with --timeout for more time.`
      controller.abort(new SignInFailedError(words))
    }, seconds * 1000)
    try {
      const needsPerson = remote.oauth?.grant !== 'client_credentials'
      const signedIn = needsPerson && (await withPerson(call, remote, store, controller.signal))
      clearTimeout(timer)
      return await tell(call, server, store, signedIn || undefined)
    } catch (error) {
      if (!(error instanceof SignInFailedError)) throw error
      if (values.json) {
        terminal.print(JSON.stringify({ server: remote.name, error: error.message }, null, 2))
      } else terminal.say(error.message)
      return isInterrupted ? INTERRUPTED : NOT_WELL
    } finally {
      clearTimeout(timer)
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
    }
  },
}

function withPerson(
  { terminal, values }: CommandCall,
  remote: RemoteServer,
  store: SignInStore,
  signal: AbortSignal,
): Promise<SignedIn> {
  return signIn(remote, {
    store,
    signal,
    onUrl(url) {
      terminal.say(`Open this page to sign in to ${remote.name}:\n\n  ${url.href}\n`)
      const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true
      if (isTerminal && !values['no-open'] && !values.json) openBrowser(url)
    },
  })
}

/** Looks whether the server lets us in now. */
async function tell(
  { terminal, values }: CommandCall,
  server: ServerConfig,
  store: SignInStore,
  signedIn: SignedIn | undefined,
): Promise<number> {
  const upstream = createUpstream(server, { authFor: createSignIns(store).authFor })
  await upstream.connect()
  const { state, detail } = upstream.status
  const tools = upstream.tools.length
  await upstream.close()
  if (values.json) {
    const report = { server: server.name, ...signedIn, state, ...(detail && { detail }), tools }
    terminal.print(JSON.stringify(report, null, 2))
  } else if (state === 'ready') {
    terminal.print(`Signed in to ${server.name}: ${tools} tools.`)
    if (signedIn && !signedIn.isLasting) {
      terminal.say('It cannot be renewed: sign in again when it has expired.')
    }
  } else terminal.say(plain(`${server.name} is ${state}: ${detail}`))
  return state === 'ready' ? OK : NOT_WELL
}

function readSeconds(given: unknown): number {
  const seconds = Number(given ?? 300)
  if (seconds > 0 && seconds <= 86_400) return seconds
  throw new UsageError(`--timeout is "${given}"; give a number of seconds up to 86400.`)
}
