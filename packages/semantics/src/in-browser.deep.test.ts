import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Browser } from 'playwright-core'
import { createToolSearch } from 'toolsearch'
import { hybridRanker } from 'toolsearch/rankers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launchChromium } from '../../inspector/tests/chromium.ts'
import { loadStaticEmbedder } from './index.ts'

const tools = [
  { name: 'refund_payment', description: 'Returns a payment to the card it came from.' },
  { name: 'send_message', description: 'Posts a message to a channel.' },
  { name: 'list_files', description: 'Shows what is in a folder.' },
]
const query = 'give the customer their money back'
const script = `
  import { createToolSearch } from 'toolsearch'
  import { hybridRanker } from 'toolsearch/rankers'
  import { loadStaticEmbedder } from './index.browser.ts'
  globalThis.search = async () => {
    const vectors = await loadStaticEmbedder()
    const toolSearch = createToolSearch({
      tools: ${JSON.stringify(tools)},
      ranker: () => hybridRanker({ vectors }),
    })
    return toolSearch.search(${JSON.stringify(query)}).hits.map(({ tool, score }) => [tool.name, score])
  }`

let browser: Browser
let server: Server

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    conditions: ['@toolsearch/source'],
  })
  const table = await readFile(fileURLToPath(new URL('../data/table.bin', import.meta.url)))
  const policies: Record<string, string> = {
    '/lenient': "script-src 'self' 'wasm-unsafe-eval'",
    '/strict': "script-src 'self'",
  }
  server = createServer(({ url = '' }, response) => {
    const page = '<!doctype html><script type="module" src="/src/page.js"></script>'
    if (url === '/src/page.js') {
      response.setHeader('content-type', 'text/javascript').end(outputFiles[0]!.text)
    } else if (url === '/data/table.bin') response.end(table)
    else if (policies[url]) {
      response.setHeader('content-security-policy', policies[url])
      response.setHeader('content-type', 'text/html').end(page)
    } else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  browser = await launchChromium()
})

afterAll(async () => {
  await browser?.close()
  server?.close()
})

it.each(['lenient', 'strict'])(
  'ranks in a browser with the %s content security policy as in Node',
  async (policy) => {
    const { port } = server.address() as AddressInfo
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${port}/${policy}`)
    const found = await page.evaluate('search()')
    const ranker = () => hybridRanker({ vectors: loadStaticEmbedder() })
    const { hits } = createToolSearch({ tools, ranker }).search(query)
    expect(hits[0]?.tool.name).toBe('refund_payment')
    expect(found).toEqual(hits.map(({ tool, score }) => [tool.name, score]))
  },
)
