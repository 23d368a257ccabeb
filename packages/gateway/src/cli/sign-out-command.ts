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
    const { remote } = await findRemoteServer(call)
    const { signIns, close } = await openCommandRecords(call)
    const wasSignedIn = await signIns.withLock(remote, () => signIns.remove(remote)).finally(close)
    if (values.json) terminal.print(JSON.stringify({ server: remote.name, wasSignedIn }, null, 2))
    else if (wasSignedIn) terminal.print(`Signed out of ${remote.name}.`)
    else terminal.print(`You were not signed in to ${remote.name}.`)
    return OK
  },
}
