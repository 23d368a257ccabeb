import { expect, it } from 'vitest'
import type { UpstreamErrorCode } from '../protocol/upstream-error.ts'
import { UpstreamError } from '../protocol/upstream-error.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import { withPersonalFailures } from './personal-failures.ts'

const page = 'https://tools.example.com/accounts'

function failing(code: UpstreamErrorCode, message: string) {
  const problems: string[] = []
  const status = {
    state: code === 'needs-sign-in' ? 'needs-sign-in' : 'failed',
    detail: message,
    logOutput: ['reading /etc/wiki.conf'],
  }
  const request = async () => {
    throw new UpstreamError(code, 'wiki', message, { undelivered: true })
  }
  const upstream = { name: 'wiki', status, request } as unknown as Upstream
  const onProblem = (problem: string) => problems.push(problem)
  const options = { person: 'ann', page, hasValues: false, onProblem }
  return { problems, upstream: withPersonalFailures(upstream, options) }
}

it.each<[UpstreamErrorCode, string]>([
  ['not-started', 'The command of wiki could not be started (spawn /opt/wiki ENOENT).'],
  ['died', 'wiki ended with the exit code 1.\nRecent log output: /etc/wiki.conf is missing'],
  ['protocol', 'wiki wrote /opt/wiki to stdout.'],
])('hides the details of a failure (%s) and logs them once', async (code, message) => {
  const { upstream, problems } = failing(code, message)
  for (const _ of [1, 2]) {
    const error = await upstream.request('tools/call', {}).catch((caught) => caught)
    expect(error).toMatchObject({ code, undelivered: true })
    expect(error.message).toContain('ask the administrator')
    expect(error.message).not.toContain('/')
  }
  expect(JSON.stringify(upstream.status)).not.toMatch(/opt|etc/)
  expect(problems).toEqual([`wiki failed for ann: ${message}`])
})

it('sends people to their accounts instead of the command line', async () => {
  const hint = 'wiki requires a sign-in (HTTP 401). Run: toolsearch sign-in wiki'
  const { upstream } = failing('needs-sign-in', hint)
  await expect(upstream.request('tools/call', {})).rejects.toThrow(`Open ${page}`)
  expect(upstream.status.detail).toContain(`Open ${page}`)
  expect(upstream.status.detail).not.toContain('toolsearch sign-in')
})

it('keeps messages that are meant for the person', async () => {
  const { upstream, problems } = failing('needs-sign-in', 'wiki needs your WIKI_TOKEN.')
  await expect(upstream.request('tools/call', {})).rejects.toThrow('wiki needs your WIKI_TOKEN.')
  expect(upstream.status.detail).toBe('wiki needs your WIKI_TOKEN.')
  expect(problems).toEqual([])
})
