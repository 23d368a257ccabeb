import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recorded, type Serving, serving } from './serving.fixtures.ts'

let gateway: Serving
let url = ''

beforeAll(async () => {
  gateway = await serving({ mcpServers: { everything: recorded } })
  await gateway.run('tools')
  url = (await gateway.http()).url
}, 60_000)
afterAll(() => gateway.end())

/** Runs a command whose reader closes the pipe: before any output, or after the first, as `head` does. */
function runWithoutReader(
  closesAt: 'start' | 'output',
  ...line: string[]
): Promise<{ code: number | null; err: string }> {
  return new Promise((resolve) => {
    const child = gateway.spawn(...line)
    let err = ''
    child.stderr.on('data', (piece) => {
      err += piece
    })
    if (closesAt === 'start') child.stdout.destroy()
    else child.stdout.once('data', () => child.stdout.destroy())
    child.once('exit', (code) => resolve({ code, err }))
  })
}

describe('a reader that goes away', () => {
  it.each([[['tools', '--json']], [['doctor']]])('ends %j without a stack trace', async (line) => {
    const { code, err } = await runWithoutReader('start', ...line)
    expect(code).toBe(0)
    expect(err).not.toMatch(/EPIPE|\n {4}at /)
  })

  it('ends live --follow --json at the next event', async () => {
    const search = () =>
      fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'tool_search',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: {
            name: 'tool_search',
            arguments: { query: 'sum' },
            _meta: {
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
              'io.modelcontextprotocol/clientCapabilities': {},
            },
          },
        }),
      }).then((response) => response.text())
    const ended = runWithoutReader('output', 'live', '--follow', '--json')
    const timer = setInterval(() => void search(), 200)
    const { code, err } = await ended
    clearInterval(timer)
    expect(code).toBe(0)
    expect(err).not.toMatch(/EPIPE|\n {4}at /)
  }, 60_000)
})
