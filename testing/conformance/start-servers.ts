import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startChild } from './children.ts'

const START_MS = 60_000
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+\/mcp/
const FROM_SOURCE = [
  '--conditions=@toolsearch/source',
  '--import',
  fileURLToPath(import.meta.resolve('tsx')),
]
const GATEWAY = fileURLToPath(new URL('../../packages/gateway/src/cli/main.ts', import.meta.url))
const FIXTURE = fileURLToPath(new URL('./fixture/everything-server.ts', import.meta.url))
const SKILLS = fileURLToPath(new URL('./fixture/skills', import.meta.url))
const CLIENT = fileURLToPath(new URL('./client.ts', import.meta.url))

/** The command that starts our client; the suite appends the URL. */
export const CLIENT_COMMAND: string = [process.execPath, ...FROM_SOURCE, CLIENT].join(' ')

/** Starts the fixture and the gateway in front of it, from source. @throws if one does not start */
export async function startServers(): Promise<{ url: string; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'toolsearch-conformance-'))
  const options = { cwd: folder, env: { PATH: process.env.PATH ?? '', TOOLSEARCH_CACHE: folder } }
  const fixture = startChild(process.execPath, [...FROM_SOURCE, FIXTURE], options)
  const config = {
    mcpServers: {
      everything: {
        url: await fixture.waitForOutput(ADDRESS, START_MS),
        // The suite expects that clients without tasks cannot call tools that run only as tasks.
        toolsearch: { prefix: false, waitForTasks: false },
      },
    },
    // The suite expects that a stream is closed during a call, and waits for 10 seconds at most.
    toolsearch: { mode: 'passthrough', streamSeconds: 2, skills: [SKILLS] },
  }
  const file = join(folder, 'toolsearch.json')
  await writeFile(file, JSON.stringify(config))
  const serve = [...FROM_SOURCE, GATEWAY, 'serve', '--http', '--port', '0', '-c', file]
  const gateway = startChild(process.execPath, serve, options)
  const url = await gateway.waitForOutput(ADDRESS, START_MS)
  await untilListed(url)
  return {
    url,
    async close() {
      gateway.end()
      fixture.end()
      await Promise.all([gateway.ended, fixture.ended])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The gateway responds before its servers are connected, and the suite does not retry. */
async function untilListed(url: string): Promise<void> {
  const request = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  }
  const deadline = Date.now() + START_MS
  while (Date.now() < deadline) {
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(START_MS) })
    if ((await response.text()).includes('test_simple_text')) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`The gateway did not list the tools of the fixture within ${START_MS} ms.`)
}
