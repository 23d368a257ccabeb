import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { personValue } from '../../packages/gateway/src/accounts/accounts.fixtures.ts'
import {
  type IdentityProvider,
  startIdentityProvider,
} from '../services/start-identity-provider.ts'
import { type Rig, startRig } from './rig.ts'
import { jsonIn, rpcRequest } from './rpc-request.ts'

let rig: Rig
let other: IdentityProvider
beforeAll(async () => {
  ;[rig, other] = await Promise.all([startRig({ hasProvider: true }), startIdentityProvider()])
})
afterAll(() => Promise.all([rig.close(), other.close()]))

/** Signs a token of one of two issuers, and asks for what only administrators see. */
async function statusFor(provider: IdentityProvider, claims: object): Promise<number> {
  const as = await provider.sign({ aud: rig.url, email_verified: true, ...claims })
  return (await rig.send({ path: '/api/keys', as })).status
}

describe('a claim with groups that is a text', () => {
  it('is one group', async () => {
    for (const groups of ['friends of admins', 'admins friends', 'admins ', 'admins,x', '']) {
      expect([groups, await statusFor(rig.provider, { groups })]).toEqual([groups, 403])
    }
    expect(await statusFor(rig.provider, { groups: 'admins' })).toBe(200)
  })
})

describe('an entry of administrators', () => {
  const identity = (administrators: readonly string[], issuers = [rig.provider, other]) => ({
    identity: {
      url: rig.url,
      issuers: issuers.map(({ issuer }) => ({ issuer, page: { clientId: 'page' } })),
      administrators,
    },
  })

  it('names a group, a subject or an email address, and nothing else of that name', async () => {
    await rig.configure(
      identity(['staff', 'ann@x.dev', 'subject:root', 'group:all@x.dev'], [rig.provider]),
    )
    await expect.poll(() => statusFor(rig.provider, { groups: ['staff'] })).toBe(200)
    const people: [object, number][] = [
      [{ sub: 'staff' }, 403],
      [{ email: 'staff' }, 403],
      [{ email: 'ANN@x.dev' }, 200],
      [{ sub: 'ann@x.dev' }, 403],
      [{ groups: ['ann@x.dev'] }, 403],
      [{ email: 'ann@x.dev', email_verified: false }, 403],
      [{ sub: 'root' }, 200],
      [{ groups: ['root'] }, 403],
      [{ groups: ['all@x.dev'] }, 200],
      [{ email: 'all@x.dev' }, 403],
      [{ groups: ['group:all@x.dev', 'subject:root', 'Staff'], sub: 'subject:root' }, 403],
    ]
    for (const [claims, status] of people) {
      expect([claims, await statusFor(rig.provider, claims)]).toEqual([claims, status])
    }
  })

  it('is about one issuer if there are several', async () => {
    const issuer = rig.provider.issuer
    await rig.configure(identity([`${issuer}/ admins`, `${other.issuer} subject:root`]))
    await expect.poll(() => statusFor(other, { sub: 'root' })).toBe(200)
    expect(await statusFor(rig.provider, { groups: ['admins'] })).toBe(200)
    expect(await statusFor(rig.provider, { sub: 'root' })).toBe(403)
    expect(await statusFor(other, { groups: ['admins'] })).toBe(403)
  })

  it('is a mistake if it does not say which of several issuers it is about', async () => {
    await rig.configure(identity(['admins']))
    expect(rig.commands[0]!.err).toContain('"admins" does not say which issuer it is about.')
    // The settings before it stay in effect.
    expect(await statusFor(other, { groups: ['admins'] })).toBe(403)
  })
})

describe('a group in a Cedar policy', () => {
  const permit = (group: string) =>
    `permit (principal in Group::${JSON.stringify(group)}, action, resource);`

  it('is that of one issuer if there are several', async () => {
    const { issuer } = rig.provider
    const file = join(rig.served.folder, 'team.cedar')
    await writeFile(file, permit(`${issuer} staff`))
    await rig.configure({
      identity: { url: rig.url, issuers: [{ issuer }, { issuer: other.issuer }] },
      access: { cedar: [file] },
    })
    const isServed = async (as: string) => {
      const before = rig.notes.calls.length
      await rig.call('notes__read', {}, { as })
      return rig.notes.calls.length > before
    }
    const sign = (provider: IdentityProvider, group: string) =>
      provider.sign({ aud: rig.url, groups: [group] })
    const staff = await sign(rig.provider, 'staff')
    await expect.poll(() => isServed(staff)).toBe(true)
    const others = await Promise.all([
      sign(other, 'staff'),
      sign(other, `${issuer} staff`),
      rig.key('staff', { groups: ['staff'] }),
      rig.key('named', { groups: [`${issuer} staff`] }),
    ])
    for (const as of others) expect(await isServed(as)).toBe(false)

    await writeFile(file, permit('staff'))
    await expect
      .poll(() => rig.commands[0]!.err)
      .toContain('"staff" does not say which issuer it is about.')
    await rig.configure({ access: undefined })
  })
})

it('a person is the same whether tokens spell the issuer with a slash at its end', async () => {
  const { issuer } = rig.provider
  await rig.configure({ identity: { url: rig.url, issuers: [{ issuer }] } })
  const idOf = async (iss: string) => {
    const as = await rig.provider.sign({ aud: rig.url, iss, sub: 'ann' })
    return (await rig.send({ path: '/api/me', as })).json.id
  }
  const id = await idOf(issuer)
  expect(id).toContain(encodeURIComponent(issuer))
  expect(await idOf(`${issuer}/`)).toBe(id)
})

describe('a session of a browser', () => {
  const issuers = () => [{ issuer: rig.provider.issuer, page: { clientId: 'page' } }]
  const identity = (more: object) => ({ identity: { url: rig.url, issuers: issuers(), ...more } })
  const edits: [string, () => ReturnType<typeof identity>][] = [
    ['its issuer is removed', () => identity({ issuers: [{ issuer: other.issuer }] })],
    ['all issuers are removed', () => identity({ issuers: [] })],
    [
      'people no longer sign in with it',
      () => identity({ issuers: [{ issuer: rig.provider.issuer }] }),
    ],
  ]

  it.each(edits)('ends when %s', async (_, edit) => {
    rig.provider.people.set('ann', { groups: ['admins'] })
    await rig.configure(identity({ administrators: ['admins'] }))
    await expect.poll(() => statusFor(rig.provider, { groups: ['admins'] })).toBe(200)
    const browser = await rig.signIn('ann')
    const keys = () => browser.request(`${rig.url}/api/keys`)
    expect((await keys()).status).toBe(200)
    await rig.configure(edit())
    await expect.poll(async () => (await keys()).status).toBe(401)
    const made = await browser.request(`${rig.url}/api/keys`, {
      method: 'POST',
      body: '{"name":"made","role":"administrator"}',
    })
    expect(made.status).toBe(401)
  })

  it('stays when something else is edited', async () => {
    await rig.configure(identity({ administrators: ['admins'] }))
    await expect.poll(() => statusFor(rig.provider, { groups: ['admins'] })).toBe(200)
    const browser = await rig.signIn('ann')
    await rig.configure(identity({ administrators: ['admins', 'more'] }))
    await expect.poll(() => statusFor(rig.provider, { groups: ['more'] })).toBe(200)
    expect((await browser.request(`${rig.url}/api/keys`)).status).toBe(200)
  })
})

describe('secrets', () => {
  const SECRET = 'p@ss/w+rd&"§ of the gateway'
  const OWN_KEY = 'correct horse battery'

  it('that a provider repeats in its errors do not reach the log', async () => {
    let repeat: (headers: IncomingHttpHeaders, body: string) => string = () => ''
    const exchange = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const error_description = repeat(request.headers, Buffer.concat(chunks).toString())
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: 'invalid_request', error_description }))
    }).listen(0, '127.0.0.1')
    await once(exchange, 'listening')
    const tokenUrl = `http://127.0.0.1:${(exchange.address() as AddressInfo).port}/token`
    const given = { tokenUrl, clientId: 'gateway', clientSecret: SECRET, audience: 'notes' }
    const own = await startRig({
      hasProvider: true,
      servers: { notes: { toolsearch: { credentials: { exchange: given } } } },
    })
    onTestFinished(async () => {
      await own.close()
      exchange.close()
    })
    const repeats: Record<string, typeof repeat> = {
      plain: () => SECRET,
      'URL-encoded': () => encodeURIComponent(SECRET),
      'in lower case': () =>
        encodeURIComponent(SECRET).replace(/%../g, (code) => code.toLowerCase()),
      'as in a form': () => new URLSearchParams({ x: SECRET }).toString(),
      'in JSON': () => JSON.stringify({ client_secret: SECRET }),
      'in base64': () => Buffer.from(SECRET).toString('base64'),
      'in base64url': () => Buffer.from(`a:${SECRET}`).toString('base64url'),
      'as it was sent': ({ authorization }) => `${authorization}`,
      'all parameters': (_, body) => body,
      'the start of the token': (_, body) => /eyJ[\w-]{20}/.exec(body)![0],
      'at the cut': (_, body) => `${'x'.repeat(280)} ${/eyJ[\w.-]+/.exec(body)![0]}`,
      'the secret at the cut': () => `${'x'.repeat(285)} ${SECRET}`,
    }
    let sent = 0
    for (const [how, text] of Object.entries(repeats)) {
      const ann = await own.token(how)
      repeat = (headers, body) => {
        sent++
        return `(${how}) ${text(headers, body)}`
      }
      await own.call('notes__read', {}, { as: ann })
      await expect.poll(() => own.commands[0]!.err).toContain(`(${how})`)
    }
    expect(sent).toBeGreaterThanOrEqual(Object.keys(repeats).length)
    const log = own.commands[0]!.err
    const base64 = Buffer.from(SECRET).toString('base64')
    const pieces = [SECRET.slice(0, 8), 'p%40ss', 'p\\u0040', base64.slice(4, 12), 'eyJ']
    for (const piece of pieces) expect(log).not.toContain(piece)
    expect(log).not.toMatch(/of.the.gate/)
  })

  it('and baggage of a client do not reach servers, other fields of its requests do', async () => {
    const as = await rig.key('carrier')
    const own = {
      'com.example/ticket': '7',
      traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    }
    const sent = jsonIn(rpcRequest('tools/call').body).params._meta
    const _meta = { ...sent, ...own, baggage: 'user=root' }
    const headers = { baggage: 'user=root' }
    await rig.rpc('tools/call', { name: 'notes__read', arguments: {}, _meta }, { as, headers })
    const { body, headers: received } = rig.notes.requests.at(-1)!
    expect(JSON.parse(body).params._meta).toEqual(own)
    expect(received).not.toHaveProperty('baggage')
    expect(`${body}${JSON.stringify(received)}`).not.toContain(as)
  })

  it('of a person are not in recorded arguments', async () => {
    const own = await startRig({
      servers: {
        mail: {
          url: rig.notes.url,
          headers: { 'x-key': personValue('KEY') },
          toolsearch: { credentials: 'person' },
        },
      },
    })
    onTestFinished(own.close)
    const [ann, bob] = [await own.key('ann'), await own.key('bob')]
    const set = (as: string, KEY: string) =>
      own.send({
        path: '/api/accounts/mail/values',
        method: 'PUT',
        as,
        body: { values: { KEY } },
      })
    expect((await set(ann, OWN_KEY)).status).toBe(204)
    const text = `It is ${OWN_KEY}, and ${encodeURIComponent(OWN_KEY)}.`
    await own.call('notes__write', { text }, { as: ann })
    await own.call('notes__write', { text }, { as: bob })
    expect((await set(ann, 'another staple')).status).toBe(204)
    await own.call('notes__write', { text: 'another staple' }, { as: ann })
    await expect
      .poll(async () =>
        (await own.audited({ tool: 'notes/write' })).map((entry) => entry.arguments),
      )
      .toEqual([{ text: '***' }, { text }, { text: 'It is ***, and ***.' }])
  })
})
