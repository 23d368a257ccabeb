import { spawn } from 'node:child_process'

const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Tries to open a URL in the browser, without waiting. Never throws. */
export function openBrowser(url: URL): void {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  try {
    // No shell: the URL comes from a server.
    const child = spawn(command!, [...args, url.href], { detached: true, stdio: 'ignore' })
    child.once('error', () => {})
    child.unref()
  } catch {
    // The URL is printed as well.
  }
}

/** Whether a person is likely to see a browser that opens here: not in CI, nor over SSH without a display. */
export function canOpenBrowser(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): boolean {
  if (env.CI) return false
  const hasDisplay = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
  if (env.SSH_CONNECTION || env.SSH_TTY) return hasDisplay
  return platform === 'darwin' || platform === 'win32' || hasDisplay
}
