import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { closeAll, open } from './inspection.fixtures.ts'

afterEach(closeAll)

const script = `console.log(${JSON.stringify('x'.repeat(5_000))})`

async function build(folder: string): Promise<void> {
  await mkdir(join(folder, 'page/assets'), { recursive: true })
  await writeFile(join(folder, 'page/index.html'), '<!doctype html><title>inspector</title>')
  await writeFile(join(folder, 'page/favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(folder, 'page/assets/index-Ab12_-x9.js'), script)
}

describe('the inspector page', () => {
  it('explains how to build it, and is served after the build without a restart', async () => {
    const { origin, folder } = await open()
    const missing = await fetch(origin)
    expect(missing.status).toBe(503)
    expect(await missing.text()).toContain('npm run build -w toolsearch-inspector')
    expect((await fetch(`${origin}/assets/none.js`)).status).toBe(404)
    await build(folder)
    expect(await (await fetch(origin)).text()).toContain('<title>inspector</title>')
  })

  it('needs no token, but the API does', async () => {
    const { origin, folder } = await open(undefined, { token: 'secret' })
    await build(folder)
    expect((await fetch(origin)).status).toBe(200)
    expect((await fetch(`${origin}/assets/index-Ab12_-x9.js`)).status).toBe(200)
    for (const path of ['overview', 'tools', 'search?query=a', 'events', 'activity', 'saved']) {
      const rejected = await fetch(`${origin}/api/${path}`)
      expect(rejected.status).toBe(401)
      expect(await rejected.json()).toEqual({ error: 'A bearer token is required.' })
    }
    const headers = { authorization: 'Bearer secret' }
    expect((await fetch(`${origin}/api/tools`, { headers })).status).toBe(200)
  })

  it('may not load anything from other sites, nor be framed', async () => {
    const { origin, folder } = await open()
    await build(folder)
    for (const path of ['/', '/api/tools']) {
      const { headers } = await fetch(`${origin}${path}`)
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
          "media-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      )
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
    }
  })

  it('is revalidated with an ETag, and hashed assets are cached forever', async () => {
    const { origin, folder } = await open()
    await build(folder)
    const first = await fetch(origin)
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const etag = first.headers.get('etag')!
    const again = await fetch(origin, { headers: { 'if-none-match': `"other", ${etag}` } })
    expect(again.status).toBe(304)
    const asset = await fetch(`${origin}/assets/index-Ab12_-x9.js`)
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const icon = await fetch(`${origin}/favicon.svg`)
    expect(icon.headers.get('content-type')).toBe('image/svg+xml')
    expect(icon.headers.get('cache-control')).toBe('no-cache')
  })

  it('is gzipped for clients that accept it', async () => {
    const { origin, folder } = await open()
    await build(folder)
    const url = `${origin}/assets/index-Ab12_-x9.js`
    const zipped = await fetch(url)
    expect(zipped.headers.get('content-encoding')).toBe('gzip')
    expect(await zipped.text()).toBe(script)
    for (const encoding of ['identity', 'gzip;q=0, br', 'br']) {
      const plain = await fetch(url, { headers: { 'accept-encoding': encoding } })
      expect(plain.headers.get('content-encoding')).toBeNull()
      expect(await plain.text()).toBe(script)
    }
  })

  it('allows only GET and HEAD', async () => {
    const { origin, folder } = await open()
    await build(folder)
    const refused = await fetch(origin, { method: 'POST' })
    expect(refused.status).toBe(405)
    expect(refused.headers.get('allow')).toBe('GET, HEAD')
    const head = await fetch(origin, { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
  })

  it('serves no files outside the page folder', async () => {
    const { origin, folder } = await open()
    await build(folder)
    await writeFile(join(folder, 'secret.txt'), 'secret')
    for (const path of [
      '/../secret.txt',
      '/%2e%2e/secret.txt',
      '/..%2fsecret.txt',
      '/page/index.html',
    ]) {
      expect((await fetch(`${origin}${path}`)).status).toBe(404)
    }
  })
})
