import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type RunningGateway, registerGateway, runningGateways } from './running-gateways.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsearch-running-'))
})

const gateway = (given: Partial<RunningGateway> = {}): RunningGateway => ({
  pid: process.pid,
  url: 'http://127.0.0.1:7777',
  configFile: '/home/ada/toolsearch.json',
  startedAt: '2026-01-01T00:00:00.000Z',
  version: '1.0.0',
  ...given,
})

describe('running gateways', () => {
  it('lists a gateway until it is removed', async () => {
    const remove = await registerGateway(folder, gateway())
    expect(await runningGateways(folder)).toEqual([gateway()])
    remove()
    expect(await runningGateways(folder)).toEqual([])
  })

  it('lists the latest first', async () => {
    const later = gateway({ pid: process.ppid, startedAt: '2026-01-02T00:00:00.000Z' })
    await registerGateway(folder, gateway())
    await registerGateway(folder, later)
    expect(await runningGateways(folder)).toEqual([later, gateway()])
  })

  it('removes the entries of processes that have ended, and unreadable ones', async () => {
    const child = spawn(process.execPath, ['-e', '0'])
    await once(child, 'exit')
    await registerGateway(folder, gateway({ pid: child.pid! }))
    await writeFile(join(folder, '123.json'), '{"pid":')
    await writeFile(join(folder, 'notes.txt'), 'not an entry')
    expect(await runningGateways(folder)).toEqual([])
    expect(await readdir(folder)).toEqual(['notes.txt'])
  })

  it('writes entries that only the owner can read', async () => {
    await registerGateway(folder, gateway())
    expect((await stat(join(folder, `${process.pid}.json`))).mode & 0o777).toBe(0o600)
  })

  it('has no gateways if the folder is missing, and starts one if it can not be created', async () => {
    expect(await runningGateways(join(folder, 'none'))).toEqual([])
    await writeFile(join(folder, 'file'), '')
    const remove = await registerGateway(join(folder, 'file', 'running'), gateway())
    expect(() => remove()).not.toThrow()
  })
})
