import { createHash, randomBytes } from 'node:crypto'
import { isSameSecret } from '../system/is-same-secret.ts'
import { createCookie } from './cookies.ts'

/**
 * Recognises the browser in which a sign-in was started, by a short-lived cookie. Otherwise somebody
 * could start a sign-in and have another person complete it.
 */
export interface BrowserBinding {
  /** The browser of a request, with the cookie that it has to get. */
  of(request: Request): { readonly id: string; readonly cookie: string }
  isSame(request: Request, id: string): boolean
}

const MAX_AGE_SECONDS = 600
const SECRET = /^[\w-]{43}$/

export function createBrowserBinding(name: string, url: string): BrowserBinding {
  const cookie = createCookie(name, url)
  const secretOf = (request: Request) => {
    const secret = cookie.read(request.headers.get('cookie'))
    return secret !== undefined && SECRET.test(secret) ? secret : undefined
  }
  const idOf = (secret: string) => createHash('sha256').update(secret).digest('base64url')
  return {
    of(request) {
      // Several sign-ins can be under way in one browser.
      const secret = secretOf(request) ?? randomBytes(32).toString('base64url')
      return { id: idOf(secret), cookie: cookie.set(secret, MAX_AGE_SECONDS) }
    },
    isSame(request, id) {
      const secret = secretOf(request)
      return secret !== undefined && isSameSecret(idOf(secret), id)
    },
  }
}
