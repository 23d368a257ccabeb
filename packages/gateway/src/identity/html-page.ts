import { createHash } from 'node:crypto'

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:32em;margin:15vh auto;padding:0 1em;color:#1a1a1a;' +
  'background:#fff}button{font:inherit;padding:.4em 1.2em;margin-right:.6em}code{overflow-wrap:anywhere}' +
  '@media(prefers-color-scheme:dark){body{color:#eee;background:#181818}a{color:#8ab4f8}}'
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  // With "no-referrer", browsers would hide the origin of forms, which the gateway checks.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  // Nobody can put the page into a frame and let people click on what they don't see.
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'`,
}

/** HTML that is safe to show. */
export interface Html {
  readonly html: string
}

/** A page for people who sign in, without scripts. */
export function htmlPage(title: string, body: Html, status = 200): Response {
  const page = html`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${{ html: STYLE }}</style><h1>${title}</h1>${body}</html>`
  return new Response(page.html, { status, headers: HEADERS })
}

/** Escapes every value that is not HTML already. */
export function html(texts: TemplateStringsArray, ...values: readonly (string | Html)[]): Html {
  const parts = texts.map((text, index) => {
    const value = values[index] ?? ''
    return text + (typeof value === 'string' ? escaped(value) : value.html)
  })
  return { html: parts.join('') }
}

function escaped(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return text.replace(/[&<>"']/g, (character) => entities[character]!)
}
