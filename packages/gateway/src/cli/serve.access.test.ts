import { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recorded, type Serving, serving, textOf, until } from './serving.fixtures.ts'

const config = (settings: object, toolsearch: object = {}) => ({
  mcpServers: { everything: { ...recorded, toolsearch: settings } },
  toolsearch,
})
const UNMATCHED = 'toolsearch.deny[0] "get-sun" matches no tool. Did you mean "get-sum"?'

let served: Serving
beforeAll(async () => {
  served = await serving(config({}, { deny: ['get-sun'] }))
})
afterAll(() => served.end())

describe('a rule that matches no tool', () => {
  it('makes doctor fail and is named by it', async () => {
    await served.write(config({}, { deny: ['get-sun'] }))
    const { code, out } = await served.run('doctor')
    expect(out).toContain(`! ${UNMATCHED}`)
    expect(code).toBe(1)
    await served.write(config({}, { deny: ['get-*'], pins: ['everything/echo'] }))
    const healthy = await served.run('doctor')
    expect(healthy.out).toMatch(/✓ everything: \d+ tools, \d+ hidden by rules/)
    expect(healthy.code).toBe(0)
  })

  it('is reported by serve at the start and after an edit', async () => {
    await served.write(config({}, { deny: ['get-sun'] }))
    const command = served.start('serve', '--http', '--port', '0')
    const seen = (text: string) =>
      until(
        async () => command.err,
        (all) => all.includes(text),
      )
    await seen(`Warning: ${UNMATCHED}\n`)
    await served.write(config({ hints: { eco: 'repeat' } }, { deny: ['get-*'] }))
    await seen(
      'Warning: toolsearch.hints.eco of server "everything" matches no tool. Did you mean "echo"?',
    )
    expect(command.err.split(UNMATCHED)).toHaveLength(2)
  })
})

describe('rules and overrides', () => {
  it('are named by tools and search --why for a tool that they hide', async () => {
    await served.write(config({}, { deny: ['get-sum'] }))
    const hidden = 'is hidden by toolsearch.deny[0]'
    for (const name of ['everything__get-sum', 'everything/get-sum']) {
      for (const line of [
        ['tools', name],
        ['search', 'add', '--why', name],
      ]) {
        const { err } = await served.run(...line)
        expect(err).toContain(`${name} ${hidden}`)
        expect(err).not.toContain('There is no tool')
      }
    }
  })

  it('decide what a client can list and call, and apply after an edit', async () => {
    const overrides = {
      echo: { name: 'repeat', description: 'Repeats', parameters: { message: { value: 'fixed' } } },
    }
    const settings = { deny: ['get-*'], overrides }
    await served.write(config(settings, { mode: 'passthrough' }))
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(served.pipe())
    const list = async () => (await client.listTools()).tools.map(({ name }) => name)
    const tools = await until(list, (names) => names.includes('everything__repeat'))
    expect(tools.filter((name) => name.includes('get-'))).toEqual([])
    expect(tools).not.toContain('everything__echo')
    const call = { name: 'everything__repeat', arguments: { message: 'mine' } }
    expect(textOf(await client.callTool(call))).toBe('Echo: fixed')

    await served.write(config({ allow: ['get-sum'] }, { mode: 'passthrough' }))
    await until(list, (names) => names.length === 1)
    expect(await list()).toEqual(['everything__get-sum'])
    await client.close()
  })
})
