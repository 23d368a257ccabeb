import type { Client } from '../api/client.ts'
import type { Toast } from './actions-context.ts'

/** Restarts a server, and says how that went. */
export async function restartServer(client: Client, server: string): Promise<Toast> {
  const { state, detail = '' } = await client.restart(server)
  if (state === 'ready') return { text: `Restarted ${server}.` }
  return { text: `Restarted ${server}, but it is not ready. ${detail}`.trim(), isProblem: true }
}

/** Opens the sign-in page of a server in a new tab. */
export async function signInToServer(client: Client, server: string): Promise<Toast> {
  const { url } = await client.signIn(server)
  if (!/^https?:\/\//i.test(url)) throw new Error(`${server} sent an invalid sign-in address.`)
  open(url, '_blank', 'noopener')
  // Browsers may block the new tab: the link is the way around that.
  const link = { title: 'Open the sign-in page', href: url }
  return { text: `Continue the sign-in to ${server} in the new tab.`, link }
}
