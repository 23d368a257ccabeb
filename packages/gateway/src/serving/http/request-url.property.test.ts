import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sendRaw } from '../../../../../testing/attacks/send-raw.ts'
import { checkProperty } from '../../../../../testing/deep.ts'
import { NOBODY } from '../../identity/person.ts'
import { type GuardedServer, guardedServer } from './guarded-server.ts'

/** What a request was taken for, by everybody who looked at its path. */
let guarded: string[] = []
let handled: { path: string; person: string }[] = []
let server: GuardedServer
beforeAll(async () => {
  const judge = (path: string) => {
    guarded.push(path)
    return undefined
  }
  const handle = (request: Request, { pathname, href }: URL, person: string) => {
    expect(request.url).toBe(href)
    handled.push({ path: pathname, person })
    return new Response('ok')
  }
  server = await guardedServer(new Map(), {
    identity: {
      url: 'https://gateway.example',
      authenticate({ path, headers }) {
        judge(path)
        if (headers.authorization !== undefined) return { person: { ...NOBODY, id: 'ann' } }
        return { refusal: { status: 401, message: 'Sign in.', headers: {} } }
      },
      serves(path) {
        judge(path)
        return path === '/sign-in'
      },
      handle: async (request, url) => handle(request, url, 'sign-in'),
    },
    pages: async (request, url, { person }) => handle(request, url, person.id),
    health: judge,
    route: judge,
  })
})
afterAll(() => server.close())

const part = fc.constantFrom(
  ...['api', 'API', '%61pi', 'sign-in', 'mcp', 'accounts', '.', '..', '%2e', '%2E.', '%2f', '%5c'],
  ...[
    '/',
    '//',
    '\\',
    '?',
    '#',
    ':',
    '@',
    ';',
    ',',
    '*',
    ' ',
    '\t',
    '%',
    '%00',
    '127.0.0.1',
    'a',
    '☃',
  ],
  ...['http://', 'localhost', '[::1]', ':80', 'x@', '%68'],
)
const text = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''))
const target = fc.oneof(
  text.map((rest) => `/${rest}`),
  text,
)
const host = fc.oneof(
  fc.constantFrom('127.0.0.1', 'localhost', '[::1]:80'),
  text.map((rest) => `127.0.0.1${rest}`),
  text,
)

it('what guards judge is what handlers answer, whatever target and host a client sends', async () => {
  await checkProperty(
    fc.asyncProperty(target, host, fc.boolean(), async (target, host, hasToken) => {
      guarded = []
      handled = []
      const token = hasToken ? 'Authorization: Bearer x\r\n' : ''
      const head = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${token}Connection: close\r\n\r\n`
      const { statuses } = await sendRaw(server.origin, head)
      expect(statuses).toHaveLength(1)
      const judged = [...new Set(guarded)]
      if (statuses[0] === 400) expect([judged, handled]).toEqual([[], []])
      else if (statuses[0] !== 403) expect(judged).toHaveLength(1)
      for (const { path, person } of handled) {
        expect(path).toBe(judged[0])
        // Spaces around a target separate it from the method and the version.
        expect(target.split('?')[0]!.replace(/^ +| +$/g, '')).toBe(path)
        const isApi = path === '/api' || path.startsWith('/api/')
        expect(person).toBe(path === '/sign-in' ? 'sign-in' : isApi ? 'ann' : NOBODY.id)
      }
    }),
    { cases: 200, deepCases: 5_000 },
  )
})
