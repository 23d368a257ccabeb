import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, it } from 'vitest'
import {
  type OAuthFixture,
  type OAuthFixtureOptions,
  oauthFixture,
  visit,
} from '../sign-in/oauth-server.fixtures.ts'
import { type CommandHere, type CommandResult, startHere } from './run-here.fixtures.ts'
import { type Serving, serving, textOf, until } from './serving.fixtures.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function start(
  options?: OAuthFixtureOptions,
  more: (behind: OAuthFixture) => object = () => ({}),
): Promise<{ behind: OAuthFixture; served: Serving }> {
  const behind = await oauthFixture(options)
  ends.push(behind.close)
  const mail = { url: behind.url, ...more(behind) }
  const local = { command: 'x', disabled: true }
  const served = await serving({ mcpServers: { mail, local } })
  ends.push(served.end)
  return { behind, served }
}

/** Runs `sign-in`. Passes the URL that it prints to `person`. */
function signIn(
  { folder, env }: Serving,
  person: (address: string, command: CommandHere) => void,
  ...args: string[]
): Promise<CommandResult> {
  const line = ['sign-in', '-c', 'toolsearch.json', 'mail', ...args]
  const command = startHere(line, {
    cwd: folder,
    env,
    onPrint(text) {
      const [, address] = /^ {2}(http\S+)\n/m.exec(text) ?? []
      if (address !== undefined) person(address, command)
    },
  })
  return command.ended
}

const follow = (address: string) => void visit(address)

async function connected(served: Serving): Promise<Client> {
  const { url } = await served.http()
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  ends.push(() => client.close())
  return client
}

const search = { name: 'tool_search', arguments: { query: 'open tool' } }
const call = {
  name: 'call_destructive_tool',
  arguments: { name: 'mail__open_tool', arguments: {} },
}

describe('toolsearch sign-in', () => {
  it('makes a server ready in a running gateway, even after a sign-in was revoked', async () => {
    const { behind, served } = await start()
    const client = await connected(served)
    const found = () => client.callTool(search).then(textOf)
    await until(found, (text) => text.includes('Run: toolsearch sign-in mail'))
    // The gateway must not start a sign-in by itself.
    expect(behind.asked).toEqual([])

    const { code, out, err } = await signIn(served, follow)
    expect({ code, out }).toEqual({ code: 0, out: 'Signed in to mail: 2 tools.\n' })
    expect(out + err).not.toMatch(/access-|refresh-/)
    expect(await until(found, (text) => text.includes('mail__open_tool'))).toContain('open_tool')
    expect(textOf(await client.callTool(call))).toBe('open_tool was called')

    behind.expireAccess()
    expect(textOf(await client.callTool(call))).toBe('open_tool was called')
    behind.revoke()
    const rejected = await client.callTool(call)
    expect(rejected.isError).toBe(true)
    expect(textOf(rejected)).toContain('Run: toolsearch sign-in mail')
    await signIn(served, follow)
    const again = () => client.callTool(call).then(textOf)
    expect(await until(again, (text) => text === 'open_tool was called')).toContain('was called')
  })

  it('prints JSON without secrets', async () => {
    const { behind, served } = await start()
    const signedIn = await signIn(served, follow, '--json')
    expect(JSON.parse(signedIn.out)).toEqual({
      server: 'mail',
      issuer: behind.issuer,
      scope: 'read',
      isLasting: true,
      state: 'ready',
      tools: 2,
    })
  })

  it('is undone by sign-out, which revokes the tokens if it can', async () => {
    const { served, behind } = await start()
    await signIn(served, follow)
    const { out } = await served.run('sign-out', 'mail', '--json')
    expect(JSON.parse(out)).toEqual({ server: 'mail', wasSignedIn: true, wasRevoked: true })
    expect(behind.asked.at(-1)).toBe('revoke')
    behind.trouble.noRevocation = true
    await signIn(served, follow)
    const kept = await served.run('sign-out', 'mail')
    expect(kept.out).toContain('Signed out of mail. Its authorization server did not revoke')
    const [again, doctor] = await Promise.all([
      served.run('sign-out', 'mail'),
      served.run('doctor'),
    ])
    expect(again.out).toBe('You were not signed in to mail.\n')
    expect(doctor.out).toContain('mail: needs-sign-in')
  })

  it('reports a timeout and a cancellation, and stores nothing', async () => {
    const { served } = await start()
    const [nobody, stopped] = await Promise.all([
      signIn(served, () => {}, '--timeout', '1'),
      signIn(served, (_, command) => command.kill('SIGINT')),
    ])
    expect(nobody.code).toBe(1)
    expect(nobody.err).toContain('The sign-in to mail timed out after 1 second.')
    expect(stopped.code).toBe(130)
    expect(stopped.err).toContain('Sign-in cancelled. Nothing changed.')
    expect(await readdir(join(served.env.TOOLSEARCH_CACHE!, 'sign-ins')).catch(() => [])).toEqual(
      [],
    )
  })

  it('reports that the sign-in was declined', async () => {
    const { behind, served } = await start()
    behind.trouble.deny = true
    const declined = await signIn(served, follow, '--json')
    expect(declined.code).toBe(1)
    expect(JSON.parse(declined.out).error).toBe('The sign-in to mail was declined.')
  })

  it('needs no browser with client credentials', async () => {
    const { behind, served } = await start({ client: { id: 'robot', secret: 's3cret' } }, (it) => ({
      oauth: {
        grant: 'client_credentials',
        clientId: 'robot',
        clientSecret: 's3cret',
        issuer: it.issuer,
      },
    }))
    const { code, out } = await served.run('sign-in', 'mail')
    expect({ code, out }).toEqual({ code: 0, out: 'Signed in to mail: 2 tools.\n' })
    expect(behind.asked).toEqual(['client_credentials'])
  })

  it.each([
    [['sign-in'], 'Specify one server: mail, local.'],
    [['sign-in', 'mial'], 'Did you mean "mail"?'],
    [['sign-in', 'local'], 'local is a local command'],
    [['sign-in', 'mail', '--timeout', 'soon'], 'Invalid --timeout "soon"'],
    [['sign-out', 'nowhere'], 'The configuration has no server "nowhere"'],
  ])('rejects %j with advice', async (line, words) => {
    const { served } = await start()
    const { code, err } = await served.run(...line)
    expect(code).toBe(2)
    expect(err).toContain(words)
  })
})
