import { html, htmlPage } from './html-page.ts'

/** Answers that contain codes or tokens must not be stored anywhere. */
export const NO_STORE = { 'cache-control': 'no-store' } as const

const MAX_BODY = 65_536

/** Sends a browser to another address. */
export function redirect(target: URL): Response {
  // 303: the browser must not post the form again at the next address.
  const headers = { location: target.href, ...NO_STORE, 'referrer-policy': 'no-referrer' }
  return new Response(null, { status: 303, headers })
}

/** Explains to a person why a sign-in cannot go on. */
export function signInProblem(message: string, status = 400): Response {
  return htmlPage('Sign-in is not possible', html`<p>${message}</p>`, status)
}

/** An error response of OAuth. */
export function oauthError(error: string, description: string, status = 400): Response {
  return Response.json({ error, error_description: description }, { status, headers: NO_STORE })
}

/** The form in a request; empty if there is none. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const form = await readBody(request, (text) => new URLSearchParams(text))
  return form ?? new URLSearchParams()
}

/** The body of a request. Undefined if it is too long or invalid. */
export async function readBody<Value>(
  request: Request,
  parse: (text: string) => Value,
): Promise<Value | undefined> {
  try {
    const text = await request.text()
    return text.length > MAX_BODY ? undefined : parse(text)
  } catch {
    return undefined
  }
}
