import type { ServerConfig } from '../config/gateway-config.ts'
import type { RemoteServer } from '../sign-in/remote-server.ts'
import { type SignedIn, signIn } from '../sign-in/sign-in.ts'
import { SignInFailedError } from '../sign-in/sign-in-error.ts'
import type { SignInStore } from '../sign-in/sign-in-store.ts'
import { createSignIns } from '../sign-in/sign-ins.ts'
import { createUpstream } from '../upstreams/create-upstream.ts'
import { type CommandCall, FAILED, OK } from './command.ts'
import { UsageError } from './command-errors.ts'
import { findRemoteServer } from './find-remote-server.ts'
import { count } from './format.ts'
import { openBrowser } from './open-browser.ts'
import { openCommandRecords } from './open-command-records.ts'
import { plain } from './plain.ts'
import { isInteractive } from './prompt.ts'
import { recordCommandAction } from './record-command-action.ts'

const INTERRUPTED = 130

export async function runSignIn(call: CommandCall): Promise<number> {
  const { terminal, values, signals } = call
  const seconds = readSeconds(values.timeout)
  const { server, remote } = await findRemoteServer(call)
  const { signIns: store, close } = await openCommandRecords(call)
  const controller = new AbortController()
  let isInterrupted = false
  const interrupt = () => {
    isInterrupted = true
    controller.abort(new SignInFailedError('Sign-in cancelled. Nothing changed.'))
  }
  for (const name of ['SIGINT', 'SIGTERM'] as const) signals.once(name, interrupt)
  const timer = setTimeout(() => {
    const message = `The sign-in to ${remote.name} timed out after ${count(seconds, 'second')}. Run the command again, with --timeout for more time.`
    controller.abort(new SignInFailedError(message))
  }, seconds * 1000)
  try {
    const needsPerson = (remote.oauth?.grant ?? 'authorization_code') === 'authorization_code'
    const signedIn =
      needsPerson && (await signInWithBrowser(call, remote, store, controller.signal))
    clearTimeout(timer)
    await recordCommandAction(call, { action: 'server.sign-in', names: [remote.name] })
    return await reportState(call, server, store, signedIn || undefined)
  } catch (error) {
    if (!(error instanceof SignInFailedError)) throw error
    if (values.json) {
      terminal.print(JSON.stringify({ server: remote.name, error: error.message }, null, 2))
    } else terminal.say(error.message)
    return isInterrupted ? INTERRUPTED : FAILED
  } finally {
    clearTimeout(timer)
    for (const name of ['SIGINT', 'SIGTERM'] as const) signals.off(name, interrupt)
    await close()
  }
}

function signInWithBrowser(
  { terminal, values, stdio }: CommandCall,
  remote: RemoteServer,
  store: SignInStore,
  signal: AbortSignal,
): Promise<SignedIn> {
  return signIn(remote, {
    store,
    signal,
    onUrl(url) {
      terminal.say(`Open this URL to sign in to ${remote.name}:\n\n  ${url.href}\n`)
      if (isInteractive(stdio) && !values['no-open'] && !values.json) openBrowser(url)
    },
  })
}

/** Connects to the server to check that the sign-in works. */
async function reportState(
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
    terminal.print(`Signed in to ${server.name}: ${count(tools, 'tool')}.`)
    if (signedIn && !signedIn.isLasting) {
      terminal.say(
        'The server issued no refresh token: sign in again when the access token expires.',
      )
    }
  } else terminal.say(plain(`${server.name} is ${state}: ${detail}`))
  return state === 'ready' ? OK : FAILED
}

function readSeconds(value: unknown): number {
  const seconds = Number(value ?? 300)
  if (seconds > 0 && seconds <= 86_400) return seconds
  throw new UsageError(`Invalid --timeout "${value}": use a number of seconds up to 86400.`)
}
