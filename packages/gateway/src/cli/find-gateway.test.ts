import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { registerGateway } from '../system/running-gateways.ts'
import { startHere } from './run-here.fixtures.ts'
import { type Serving, serving } from './serving.fixtures.ts'

let gateway: Serving
beforeEach(async () => {
  gateway = await serving({ mcpServers: { missing: { command: 'no-such-program' } } })
})
afterEach(() => gateway.end())

const running = () => join(gateway.env.TOOLSEARCH_CACHE!, 'running')

describe('finding the running gateway', () => {
  it('live and misses need no --url while one gateway is running', async () => {
    const { command } = await gateway.http()
    for (const name of ['live', 'misses']) {
      expect(await gateway.run(name, '--json')).toMatchObject({ code: 0 })
    }
    command.kill()
    await command.ended
    const { code, err } = await gateway.run('live')
    expect(code).toBe(1)
    expect(err).toContain('No gateway is running. Start one with toolsearch serve --http')
    expect(err).toContain('toolsearch serve --inspect')
    expect(err).toContain('toolsearch history')
    expect(err).toContain('toolsearch misses --since 7d')
  })

  it('finds serve --http as soon as its URL is printed', async () => {
    const listed: string[][] = []
    const command = startHere(['serve', '--http', '--port', '0', '-c', 'toolsearch.json'], {
      cwd: gateway.folder,
      env: gateway.env,
      onPrint(text) {
        if (text.includes('http://')) listed.push(readdirSync(running()))
      },
    })
    await expect.poll(() => listed.length).toBeGreaterThan(0)
    expect(listed[0]).toEqual([`${process.pid}.json`])
    command.kill()
    await command.ended
  })

  it('finds the inspector of a gateway that serves over stdio as soon as its URL is printed', async () => {
    const child = gateway.spawn('serve', '--inspect')
    const listed = new Promise<string[]>((resolve) => {
      // reads the folder before this process does anything else, which could take long enough
      child.stderr.on('data', (piece) => {
        if (String(piece).includes('http://'))
          resolve(existsSync(running()) ? readdirSync(running()) : [])
      })
    })
    expect(await listed).toEqual([`${child.pid}.json`])
    const found = await gateway.run('live', '--json')
    expect(JSON.parse(found.out)).toMatchObject({ sessions: [] })
  })

  it('says whether a token is missing or was rejected', async () => {
    gateway.env.TOOLSEARCH_TOKEN = 'right'
    await gateway.http()
    gateway.env.TOOLSEARCH_TOKEN = 'wrong'
    const wrong = await gateway.run('live')
    expect(wrong).toMatchObject({ code: 1 })
    expect(wrong.err).toContain('rejected the token in TOOLSEARCH_TOKEN')
    delete gateway.env.TOOLSEARCH_TOKEN
    const missing = await gateway.run('live')
    expect(missing).toMatchObject({ code: 1 })
    expect(missing.err).toContain('requires a token')
  })

  it('restart says in plain words that there is no such server', async () => {
    await gateway.http()
    const { code, err } = await gateway.run('restart', 'nope')
    expect(code).toBe(1)
    expect(err).toBe('There is no running server "nope". Servers: missing.\n')
  })

  it('prefers the gateway with the same config file, and lists several otherwise', async () => {
    const { url } = await gateway.http()
    const other = {
      // of a process that is running
      pid: process.ppid,
      url: 'http://127.0.0.1:9',
      configFile: '/somewhere/else.json',
      startedAt: new Date().toISOString(),
      version: '1.0.0',
    }
    await registerGateway(running(), other)
    expect(await gateway.run('live', '--json')).toMatchObject({ code: 0 })
    const { code, err } = await gateway.run('live', '-c', 'none.json')
    expect(code).toBe(2)
    expect(err).toContain('2 gateways are running. Choose one with --url:')
    expect(err).toContain(
      `--url ${new URL(url).origin}  (${join(gateway.folder, 'toolsearch.json')}`,
    )
    expect(err).toContain('--url http://127.0.0.1:9  (/somewhere/else.json')
  })
})

describe('the port of serve --http', () => {
  it('is the next free one if 7777 is in use', async () => {
    // Takes the port, unless another program already has it.
    const server = createServer().on('error', () => {})
    server.listen(7777, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve).once('error', resolve))
    const command = gateway.start('serve', '--http')
    await expect.poll(() => command.err).toContain('/mcp')
    server.close()
    const [, port] = /Port 7777 is in use, serving on (\d+)\./.exec(command.err)!
    expect(Number(port)).toBeGreaterThan(7777)
    expect(command.err).toContain(`http://127.0.0.1:${port}/mcp`)
  })

  it('is an error if it was specified and is in use', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const { code, err } = await gateway.run('serve', '--http', '--port', String(port))
    server.close()
    expect(code).toBe(2)
    expect(err).toContain(`Port ${port} is already in use. Choose another with --port.`)
  })
})
