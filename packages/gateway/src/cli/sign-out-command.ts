import { createSignInStore } from '../sign-in/sign-in-store.ts'
import { type Command, OK } from './command.ts'
import { commonHelp, commonOptions } from './common-options.ts'
import { findRemoteServer } from './find-remote-server.ts'
import { signInFolder } from './kept-folders.ts'

export const signOutCommand: Command = {
  name: 'sign-out',
  summary: 'forgets a sign-in',
  usage: 'SERVER [options]',
  options: commonOptions,
  help: commonHelp,
  examples: ['toolsearch sign-out linear'],
  async run(call) {
    const { terminal, values, env } = call
    const { remote } = await findRemoteServer(call)
    const store = createSignInStore(signInFolder(env))
    const wasSignedIn = await store.withLock(remote, () => store.remove(remote))
    if (values.json) terminal.print(JSON.stringify({ server: remote.name, wasSignedIn }, null, 2))
    else if (wasSignedIn) terminal.print(`Signed out of ${remote.name}.`)
    else terminal.print(`There was no sign-in to ${remote.name}.`)
    return OK
  },
}
