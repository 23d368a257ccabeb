/** A browser without a screen: it keeps cookies, follows redirects and submits the forms it meets. */
export interface Browser {
  /**
   * Opens a URL and signs in where somebody asks for it, until a page has nothing to submit or the URL
   * starts with `until`.
   */
  visit(url: string | URL, options?: VisitOptions): Promise<Visited>
  /** Sends a request with the cookies of its site. Does not follow redirects. */
  request(url: string | URL, init?: RequestInit): Promise<Response>
  /** The names and values of the cookies of a site. */
  cookies(url: string | URL): ReadonlyMap<string, string>
}

interface VisitOptions {
  /** Who signs in. @default 'ann' */
  readonly login?: string
  /** Stops before it requests a URL that starts with this. */
  readonly until?: string
  /** Called with each page. Returns false to stop there. */
  readonly onPage?: (html: string, url: URL) => boolean | undefined
}

interface Visited {
  readonly url: URL
  /** Of the last page; 0 if it stopped at `until`. */
  readonly status: number
  readonly html: string
}

const MAX_STEPS = 30

export function createBrowser(): Browser {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (url: URL) => {
    const jar = jars.get(url.host) ?? new Map<string, string>()
    jars.set(url.host, jar)
    return jar
  }

  async function request(target: string | URL, init: RequestInit = {}): Promise<Response> {
    const url = new URL(target)
    const jar = jarOf(url)
    const headers = new Headers(init.headers)
    if (jar.size > 0) headers.set('cookie', [...jar].map(([k, v]) => `${k}=${v}`).join('; '))
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = cookie.split(/; */)
      const at = pair.indexOf('=')
      const isGone = attributes.some((attribute) => /^(max-age=0|expires=.*1970)/i.test(attribute))
      if (isGone) jar.delete(pair.slice(0, at))
      else jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return response
  }

  return {
    request,
    cookies: (url) => jarOf(new URL(url)),
    async visit(start, { login = 'ann', until, onPage } = {}) {
      let url = new URL(start)
      let init: RequestInit = {}
      for (let step = 0; step < MAX_STEPS; step++) {
        if (until !== undefined && url.href.startsWith(until)) return { url, status: 0, html: '' }
        const response = await request(url, init)
        init = {}
        const location = response.headers.get('location')
        const html = await response.text()
        if (location !== null) {
          url = new URL(location, url)
          continue
        }
        const next = formIn(html, url, login)
        if (onPage?.(html, url) === false || !next) return { url, status: response.status, html }
        url = next.action
        init = {
          method: 'POST',
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            // As browsers do.
            origin: url.origin,
          },
          body: next.fields,
        }
      }
      throw new Error(`Too many steps from ${start}; the last one was ${url}.`)
    },
  }
}

function formIn(html: string, base: URL, login: string) {
  const form = /<form[^>]*method="post"[^>]*>([\s\S]*?)<\/form>/i.exec(html)
  if (!form) return undefined
  const action = /action="([^"]*)"/i.exec(form[0])?.[1] ?? ''
  const fields = new URLSearchParams()
  for (const [input] of form[1]!.matchAll(/<(?:input|button)[^>]*>/gi)) {
    const name = /name="([^"]*)"/i.exec(input)?.[1]
    const value = /value="([^"]*)"/i.exec(input)?.[1] ?? ''
    if (name === undefined || fields.has(name)) continue
    fields.set(name, name === 'login' ? login : name === 'password' ? 'x' : unescaped(value))
  }
  return { action: new URL(unescaped(action), base), fields }
}

function unescaped(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')
}
