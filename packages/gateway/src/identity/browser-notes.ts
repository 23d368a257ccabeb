import { createHash, randomBytes } from 'node:crypto'
import { createCookie } from './cookies.ts'
import { openValue, sealValue } from './sealed-value.ts'

/**
 * Notes about a sign-in that is under way. They travel with the browser, encrypted with the secret of
 * a short-lived cookie, so that the gateway stores nothing for people who have not signed in, and nobody
 * can start a sign-in and have another person's browser complete it.
 *
 * The owner of a browser can forge its notes: check what they contain.
 */
export interface BrowserNotes<Note> {
  /** The note, and the `Set-Cookie` header that the browser needs to return it. */
  write(request: Request, note: Note): { readonly text: string; readonly cookie: string }
  /** Undefined if the note is too old, or was not written for this browser. */
  read(request: Request, text: string | null): Note | undefined
}

export interface BrowserNotesOptions {
  /** Starts the name of the cookie. Notes with different purposes are not interchangeable. */
  readonly cookieName: string
  readonly purpose: string
  /** The public address of the gateway. */
  readonly url: string
  readonly now: () => number
}

const MAX_AGE_SECONDS = 600
const MAX_LENGTH = 12_000
const SECRET = /^[\w-]{43}$/

export function createBrowserNotes<Note>({
  cookieName,
  purpose,
  url,
  now,
}: BrowserNotesOptions): BrowserNotes<Note> {
  const cookie = createCookie(cookieName, url)
  const keyOf = (secret: string) => createHash('sha256').update(`${purpose} ${secret}`).digest()
  const secretOf = (request: Request) => {
    const secret = cookie.read(request.headers.get('cookie'))
    return secret !== undefined && SECRET.test(secret) ? secret : undefined
  }
  return {
    write(request, note) {
      // Several sign-ins can be under way in one browser.
      const secret = secretOf(request) ?? randomBytes(32).toString('base64url')
      const text = sealValue({ note, at: now() }, keyOf(secret))
      return { text, cookie: cookie.set(secret, MAX_AGE_SECONDS) }
    },
    read(request, text) {
      const secret = secretOf(request)
      if (secret === undefined || text === null || text.length > MAX_LENGTH) return undefined
      const opened = openValue(text, keyOf(secret)) as { note: Note; at: number } | undefined
      return opened && now() - opened.at < MAX_AGE_SECONDS * 1_000 ? opened.note : undefined
    },
  }
}
