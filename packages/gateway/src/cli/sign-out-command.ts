import { type Command, commonHelp, commonOptions, OK } from './command.ts'

export const signOutCommand: Command = {
  name: 'sign-out',
  summary: 'Sign out of a server',
  usage: 'SERVER [options]',
  options: commonOptions,
  help: commonHelp,
  examples: ['toolsearch sign-out linear'],
  async run(call) {
    const { terminal, values } = call
    const { findRemoteServer } = await import('./find-remote-server.ts')
    const { openCommandRecords } = await import('./open-command-records.ts')
    const { revokeTokens } = await import('../sign-in/revoke-tokens.ts')
    const { remote } = await findRemoteServer(call)
    const { signIns, close } = await openCommandRecords(call)
    const [signIn, wasSignedIn] = await signIns
      .withLock(
        remote,
        async ({ read }) =>
          [await read().catch(() => undefined), await signIns.remove(remote)] as const,
      )
      .finally(close)
    const wasRevoked = signIn !== undefined && (await revokeTokens(remote, signIn))
    const { name: server } = remote
    const { recordCommandAction } = await import('./record-command-action.ts')
    const names = wasSignedIn ? [server] : []
    await recordCommandAction(call, { action: 'server.sign-out', names })
    if (values.json) terminal.print(JSON.stringify({ server, wasSignedIn, wasRevoked }, null, 2))
    else if (!wasSignedIn) terminal.print(`You were not signed in to ${server}.`)
    else if (wasRevoked) terminal.print(`Signed out of ${server} and revoked its tokens.`)
    else {
      terminal.print(
        `Signed out of ${server}. Its authorization server did not revoke the tokens; they stay valid until they expire.`,
      )
    }
    return OK
  },
}
