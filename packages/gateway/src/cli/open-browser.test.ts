import { describe, expect, it } from 'vitest'
import { canOpenBrowser } from './open-browser.ts'

describe('canOpenBrowser', () => {
  it.each([
    ['linux', { DISPLAY: ':0' }, true],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, true],
    ['linux', {}, false],
    ['darwin', {}, true],
    ['win32', {}, true],
    ['darwin', { SSH_CONNECTION: '1.2.3.4 5 6.7.8.9 22' }, false],
    ['linux', { SSH_TTY: '/dev/pts/0', DISPLAY: 'localhost:10.0' }, true],
    ['darwin', { CI: 'true' }, false],
    ['linux', { CI: '1', DISPLAY: ':99' }, false],
  ] as const)('on %s with %j is %s', (platform, env, expected) => {
    expect(canOpenBrowser(env, platform)).toBe(expected)
  })
})
