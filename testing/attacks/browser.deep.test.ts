import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scriptedAgent } from '../../examples/scripted-agent.ts'
import { type Serving, serving, until } from '../../packages/gateway/src/cli/serving.fixtures.ts'
import { visit } from '../../packages/inspector/tests/inspector.fixtures.ts'
import { openBrowser, type TestBrowser } from '../../packages/inspector/tests/open-browser.ts'
import { type RecordingServer, startRecordingServer } from './recording-server.ts'
import { type Rig, startRig } from './rig.ts'

type Page = Awaited<ReturnType<TestBrowser['newPage']>>
type Frame = ReturnType<Page['mainFrame']>

let browser: TestBrowser
let hostile: Server
beforeAll(async () => {
  browser = await openBrowser()
  const script = readFileSync(join(import.meta.dirname, 'hostile-page.js'), 'utf8')
  hostile = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(`<title>hostile</title><body>hostile<script>${script}</script>`)
  }).listen(0, '127.0.0.1')
  await once(hostile, 'listening')
})
afterAll(async () => {
  await browser.close()
  hostile.closeAllConnections()
  hostile.close()
})

/** Pages that attack: cross-site, same-site on another port, and in a frame whose origin is opaque. */
const PLACES = ['another site', 'another port', 'a sandbox'] as const

/** Opens a page in the browser of the victim, and returns the frame that attacks. */
async function openHostile(page: Page, place: (typeof PLACES)[number]): Promise<Frame> {
  const { port } = hostile.address() as AddressInfo
  // Chromium resolves all names under "localhost" to this machine.
  const host = place === 'another site' ? 'evil.localhost' : '127.0.0.1'
  await page.goto(`http://${host}:${port}/`)
  if (place !== 'a sandbox') return page.mainFrame()
  await page.evaluate('embed(location.href, { sandbox: "allow-scripts allow-forms allow-popups" })')
  return page.frames()[1]!
}

const CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'notes__write', arguments: { text: 'from a page' } },
}
/** Every request that changes something, and some that read. */
const REQUESTS: readonly { method: string; path: string; body?: object }[] = [
  { method: 'POST', path: '/mcp', body: CALL },
  {
    method: 'POST',
    path: '/api/tools/notes__write/call',
    body: { arguments: {}, confirmed: true },
  },
  { method: 'POST', path: '/api/tools/notes__write/block', body: {} },
  { method: 'POST', path: '/api/servers/notes/restart', body: {} },
  { method: 'POST', path: '/api/config', body: { kind: 'remove-server', server: 'notes' } },
  { method: 'POST', path: '/api/keys', body: { name: 'stolen', role: 'administrator' } },
  { method: 'POST', path: '/api/saved', body: { query: 'hostile' } },
  { method: 'POST', path: '/api/sample', body: {} },
  { method: 'DELETE', path: '/api/accounts/notes' },
  { method: 'PUT', path: '/api/accounts/notes/values', body: { values: { KEY: 'x' } } },
  { method: 'POST', path: '/api/accounts/notes/connect', body: {} },
  { method: 'POST', path: '/sign-out' },
  { method: 'GET', path: '/api/me' },
  { method: 'GET', path: '/api/overview' },
  { method: 'GET', path: '/api/tools' },
  { method: 'GET', path: '/api/events' },
  { method: 'GET', path: '/api/keys' },
  { method: 'GET', path: '/api/accounts' },
  { method: 'GET', path: '/mcp' },
  { method: 'GET', path: '/' },
]

/** Everything that a hostile page could read. */
function attackFrom(frame: Frame, url: string): Promise<unknown> {
  return frame.evaluate(`attack(${JSON.stringify({ url, requests: REQUESTS })})`)
}

async function expectNoFrame(
  page: Page,
  place: (typeof PLACES)[number],
  url: string,
): Promise<void> {
  const frame = await openHostile(page, place)
  await frame.evaluate(`embed(${JSON.stringify(url)})`)
  const element = await frame.locator('#embedded').elementHandle()
  const embedded = await element!.contentFrame()
  expect(await embedded!.content()).not.toMatch(/toolsearch|type="module"/)
}

it('attacks that are tried below would succeed against a server without protection', async () => {
  const frame = await openHostile(await browser.newPageOfStranger(), 'another port')
  const url = new URL(frame.url()).origin
  const read = await attackFrom(frame, url)
  expect(read).toEqual(
    expect.arrayContaining([
      'POST /mcp 200',
      'GET /api/keys 200',
      'form /mcp',
      'frame /',
      'window',
    ]),
  )
})

describe.each(PLACES)('a page of %s in the browser of somebody', (place) => {
  describe('with a gateway on their machine', () => {
    let notes: RecordingServer
    let gateway: Serving
    let url: string
    beforeAll(async () => {
      notes = await startRecordingServer()
      gateway = await serving({
        mcpServers: { notes: { url: notes.url } },
        toolsearch: { mode: 'passthrough', ranking: 'words' },
      })
      url = new URL('/', (await gateway.http()).url).href.slice(0, -1)
      await until(
        () => fetch(`${url}/readyz`),
        ({ ok }) => ok,
      )
    })
    afterAll(() => Promise.all([gateway.end(), notes.close()]))

    it('reads nothing, calls nothing and changes nothing', async () => {
      const before = notes.requests.length
      const page = await browser.newPageOfStranger()
      const frame = await openHostile(page, place)
      expect(await attackFrom(frame, url)).toEqual([])
      expect(notes.calls).toEqual([])
      expect(notes.requests.slice(before)).toEqual([])
      const { saved } = (await (await fetch(`${url}/api/saved`)).json()) as { saved?: unknown[] }
      expect(saved ?? []).toEqual([])
      const { tools } = (await (await fetch(`${url}/api/tools`)).json()) as { tools: unknown[] }
      expect(tools).toHaveLength(2)
      await expectNoFrame(page, place, url)
    })

    it('is not the gateway under a name of its own', async () => {
      const { port } = new URL(url)
      const page = await browser.newPageOfStranger()
      for (const name of ['rebound.localhost', 'localhost.']) {
        for (const path of ['/', '/api/tools', '/mcp', '/healthz']) {
          const response = await page.goto(`http://${name}:${port}${path}`).catch(() => undefined)
          expect([name, path, response?.status() ?? 403]).toEqual([name, path, 403])
        }
      }
    })
  })

  describe('with the session of an administrator', () => {
    let rig: Rig
    beforeAll(async () => {
      rig = await startRig({
        hasProvider: true,
        settings: { encryption: { key: 'k'.repeat(43).concat('=') } },
      })
      rig.provider.people.set('ann', { groups: ['admins'] })
    })
    afterAll(() => rig.close())

    it('reads nothing, calls nothing and changes nothing', async () => {
      const page = await browser.newPageOfStranger()
      await page.goto(`${rig.url}/`)
      await page.getByRole('link', { name: 'Sign in' }).click()
      await page.getByPlaceholder('Enter any login').fill('ann')
      await page.getByPlaceholder('and password').fill('x')
      await page.getByRole('button', { name: 'Sign-in' }).click()
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.locator('.connection').getByText('Live').waitFor()
      const frame = await openHostile(page, place)
      const before = rig.notes.requests.length
      expect(await attackFrom(frame, rig.url)).toEqual([])
      expect(rig.notes.calls).toEqual([])
      expect(rig.notes.requests.slice(before)).toEqual([])
      const { json } = await rig.send({ path: '/api/keys', as: rig.admin })
      expect(json.keys.map(({ name }: { name: string }) => name)).toEqual(['rig'])
      await expectNoFrame(page, place, rig.url)
      // Signed out by another page would be a change, too.
      await page.goto(`${rig.url}/`)
      await page.locator('.connection').getByText('Live').waitFor()
      const audit = await rig.audited({})
      expect(
        audit
          .filter(({ outcome, name }) => outcome === 'ok' && name === 'ann')
          .map(({ action }) => action),
      ).toEqual(
        expect.not.arrayContaining(['config.edit', 'key.create', 'server.restart', 'tool.block']),
      )
    })
  })
})

describe('markup in what servers and agents send', () => {
  const MARKUP = `<img src=x onerror="hacked=1"><script>hacked=1</script><svg onload=hacked=1>"'><a href="javascript:hacked=1">x</a>`

  const FIND_MARKUP = `({
    isHacked: 'hacked' in window,
    elements: [
      ...document.querySelectorAll('[onerror], [onload], [href^="javascript:"], [src="x"], body script'),
    ].map(({ outerHTML }) => outerHTML),
  })`

  it('is text in every view', async () => {
    const notes = await startRecordingServer()
    notes.tools = ['read', 'write', MARKUP].map((name) => ({
      name,
      title: MARKUP,
      description: `${MARKUP} Reads notes.`,
      inputSchema: {
        type: 'object',
        properties: {
          [MARKUP]: { type: 'string', description: MARKUP, enum: [MARKUP], default: MARKUP },
        },
      },
      annotations: { title: MARKUP, readOnlyHint: true },
      icons: [{ src: 'javascript:hacked=1' }],
      _meta: { [MARKUP]: MARKUP },
    }))
    notes.answer = (method) =>
      method === 'tools/call'
        ? {
            content: [
              { type: 'text', text: MARKUP },
              {
                type: 'resource_link',
                uri: 'javascript:hacked=1',
                name: MARKUP,
                description: MARKUP,
              },
              { type: 'resource_link', uri: `https://x.example/${MARKUP}`, name: MARKUP },
              {
                type: 'image',
                mimeType: `image/svg+xml,${MARKUP}`,
                data: 'PHN2ZyBvbmxvYWQ9ImhhY2tlZD0xIi8+',
              },
              {
                type: 'resource',
                resource: { uri: 'data:text/html,x', mimeType: 'text/html', text: MARKUP },
              },
            ],
            structuredContent: { [MARKUP]: [{ [MARKUP]: MARKUP }] },
          }
        : undefined
    const dying = `process.stderr.write(${JSON.stringify(`${MARKUP}\n`)}); process.exit(1)`
    const gateway = await serving({
      mcpServers: {
        notes: { url: notes.url, toolsearch: { description: MARKUP } },
        dying: { command: process.execPath, args: ['-e', dying] },
      },
    })
    const { url } = await gateway.http()
    const origin = new URL('/', url).href
    await until(
      async () =>
        (await (await fetch(`${origin}api/tools`)).json()) as { tools: { name: string }[] },
      ({ tools }) => tools.length === 3,
    )
    const agent = await scriptedAgent(url, { name: MARKUP })
    await agent.search(MARKUP)
    await agent.search('read notes')
    await agent.call('notes__read')
    await agent.call(MARKUP, { [MARKUP]: MARKUP })
    const { page, problems } = await visit(await browser.newPageOfStranger(), origin)
    const mark = encodeURIComponent(MARKUP)
    for (const view of [
      '',
      'catalogue',
      'catalogue?tool=notes__read',
      `catalogue?tool=${mark}&query=${mark}`,
      'search?query=read+notes',
      `search?query=${mark}&tool=${mark}&ranker=${mark}`,
      'live',
      `live?session=${mark}&client=${mark}`,
      'history',
      'misses',
      `team?tab=${mark}&person=${mark}&since=${mark}`,
      `accounts?error=${mark}&server=${mark}&connected=${mark}`,
      mark,
    ]) {
      await page.goto(`${origin}#/${view}`)
      await page.reload()
      await page.getByRole('heading').first().waitFor()
      await page.locator('.connection').getByText('Live').waitFor()
      const found = await page.evaluate(FIND_MARKUP)
      expect([view, found]).toEqual([view, { isHacked: false, elements: [] }])
    }
    expect(problems.filter((problem) => problem.includes('Security Policy'))).toEqual([])
    await agent.close()
    await Promise.all([gateway.end(), notes.close()])
  })
})
