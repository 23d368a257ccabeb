import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { root } from './pages.ts'
import { runNode, runSample } from './run-sample.ts'

vi.setConfig({ testTimeout: 60_000 })

describe('npm run docs -- sample', () => {
  const command = ['--conditions=@toolsearch/source', '--import', 'tsx', 'testing/docs/sample.ts']
  const run = (...args: string[]) => runNode([...command, ...args], { cwd: root })

  it('lists the samples', async () => {
    const { code, output } = await run()
    expect(code).toBe(0)
    expect(output).toContain('  anthropic/loop\n')
  })

  it('runs a sample without an API key', async () => {
    const { code, output } = await run('anthropic/loop')
    expect(code, output).toBe(0)
    expect(output).toContain('Refunded.')
  })

  it('fails for a sample that does not exist', async () => {
    const { code, output } = await run('anthropic/lop')
    expect(code).toBe(1)
    expect(output).toContain('There is no sample "anthropic/lop".')
  })
})

describe('runSample', () => {
  let cwd: string
  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'toolsearch-run-'))
  })

  it('reports rejected requests and missing ones', async () => {
    const url = 'https://api.anthropic.com/v1/messages'
    const program = `await fetch('${url}', { method: 'POST', body: '{"model":"m"}' })`
    const args = ['--input-type=module', '-e', program]
    const { code, problems } = await runSample('anthropic/loop.ts', { args, cwd })
    expect(code).toBe(0)
    expect(problems).toEqual([
      expect.stringContaining('A request was rejected: {"type":"error"'),
      'The model replied 0 times instead of 3.',
    ])
  })
})
