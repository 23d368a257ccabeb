import { spawn } from 'node:child_process'

/** Opens a page in the person's browser, if there is one. Never throws and waits for nothing. */
export function openBrowser(url: URL): void {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  try {
    // no shell stands in between: the address comes from a server
    const child = spawn(command!, [...args, url.href], { detached: true, stdio: 'ignore' })
    child.once('error', () => {})
    child.unref()
  } catch {
    // the person has the address
  }
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}
