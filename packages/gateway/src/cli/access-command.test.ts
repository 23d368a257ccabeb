import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createManifestCache } from '../upstreams/manifest-cache.ts'
import { type CommandResult, runHere } from './run-here.fixtures.ts'
import { recorded } from './serving.fixtures.ts'

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsearch-access-'))
  const config = {
    mcpServers: { everything: recorded },
    toolsearch: {
      access: {
        cedar: ['team.cedar'],
        rules: [
          { allow: ['everything/*'], groups: ['staff'] },
          { allow: ['everything/get-sum'], people: ['ann'], arguments: { a: [1] } },
          { deny: ['echo'], groups: ['guests'] },
        ],
      },
      profiles: { sums: { allow: ['get-sum'] } },
    },
  }
  await writeFile(join(folder, 'toolsearch.json'), JSON.stringify(config))
  await writeFile(join(folder, 'team.cedar'), 'permit(principal, action, resource);')
})

const run = (...args: string[]) => runCommand('access', ...args)

function runCommand(...args: string[]): Promise<CommandResult> {
  const env = { PATH: process.env.PATH, HOME: folder, TOOLSEARCH_CACHE: join(folder, 'cache') }
  return runHere(args, { cwd: folder, env })
}

describe('toolsearch access', () => {
  it('lists what a person may use, with the rules that decide', async () => {
    const { code, out, err } = await run('--group', 'staff', '--group', 'guests')
    expect(code).toBe(0)
    expect(out).toContain('✓ everything/get-sum  toolsearch.access.rules[0].allow[0]')
    expect(out).toContain('✗ everything/echo  toolsearch.access.rules[2].deny[0]')
    expect(err).toMatch(/\d+ of \d+ tools allowed\./)
  })

  it('applies the groups and the scope of an API key', async () => {
    const options = ['--group', 'staff', '--allow', 'everything/ec*', '--json']
    const created = await runCommand('keys', 'create', 'bot', ...options)
    const { id } = JSON.parse(created.out) as { id: string }
    const { out } = await run('--as', id)
    expect(out).toContain('✓ everything/echo')
    expect(out).toContain('✗ everything/get-sum')
  })

  it('explains one tool, with every part that decides', async () => {
    const { code, out } = await run('everything__echo', '--group', 'staff', '--profile', 'sums')
    expect(code).toBe(1)
    expect(out).toBe(
      [
        'everything__echo  not allowed  profile "sums": allow',
        '  ✓ rules: toolsearch.access.rules[0].allow[0]',
        '  ✓ policies: policy0 in team.cedar',
        '  ✗ profile: profile "sums": allow\n',
      ].join('\n'),
    )
  })

  it('decides about arguments', async () => {
    const ask = (args: string) => run('everything/get-sum', '--as', 'ann', '--arguments', args)
    expect((await ask('{"a":1,"b":2}')).code).toBe(0)
    const { code, out } = await ask('{"a":2,"b":2}')
    expect(code).toBe(1)
    expect(out).toContain('toolsearch.access.rules[1].arguments')
  })

  it('names the arguments that a tool is allowed with', async () => {
    const condition = 'a is 1 (toolsearch.access.rules[1].arguments)'
    const one = await run('everything/get-sum', '--as', 'ann')
    expect(one.code).toBe(0)
    expect(one.out).toMatch(/^everything\/get-sum {2}allowed with arguments {2}toolsearch/)
    expect(one.out).toContain(`if ${condition}`)
    const all = await run('--as', 'ann')
    expect(all.out).toContain(`✓ everything/get-sum  with arguments: ${condition}`)
    // Another rule allows every call.
    const both = await run('everything/get-sum', '--as', 'ann', '--group', 'staff')
    expect(both.out).toMatch(/^everything\/get-sum {2}allowed {2}toolsearch.access.rules\[0\]/)
  })

  it('lists servers with credentials of people', async () => {
    const config = join(folder, 'people.json')
    const personal = { toolsearch: { credentials: 'person' } }
    const env = { KEY: `\${person:KEY}` }
    const mcpServers = {
      everything: recorded,
      crm: { command: 'crm-mcp', env, ...personal },
      mail: { command: 'mail-mcp', env, ...personal },
      bank: { command: 'bank-mcp', env, ...personal },
      wiki: { command: 'wiki-mcp', env, ...personal },
    }
    const rules = [
      { allow: ['crm/*'] },
      { allow: ['mail/get_*', 'wiki/edit'], arguments: { page: ['Home'] } },
    ]
    const identity = { url: 'http://localhost:7777' }
    await writeFile(
      config,
      JSON.stringify({ mcpServers, toolsearch: { identity, access: { rules } } }),
    )
    const people = join(folder, 'cache', 'manifests', 'people', '0123')
    await createManifestCache(people).write('wiki', {
      fingerprint: 'of an account',
      era: 'legacy',
      tools: [{ name: 'edit', inputSchema: { type: 'object' } }],
      refused: [],
      capabilities: {},
    })
    const { code, out, err } = await run('--config', config)
    expect(code).toBe(0)
    expect(out).toContain('✓ wiki/edit  with arguments: page is "Home"')
    expect(out).toContain('✓ crm/*  toolsearch.access.rules[0].allow[0]')
    expect(out).toContain('? mail/*  depends on the tool')
    expect(out).toContain('✗ bank/*  no rule of toolsearch.access.rules allows it')
    expect(err).toContain('Not counted: crm, mail, bank. The tools of a server with credentials')
    expect((await run('crm/anything', '--config', config)).out).toContain('allowed')
    const denied = await run('mail/send', '--config', config)
    expect(denied.code).toBe(1)
    expect(denied.err).toContain('Decided by name')
  })

  it('answers about resources and prompts, as JSON', async () => {
    const { code, out } = await run('--resource', 'everything/demo://x', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      isAllowed: false,
      reason: 'no rule of toolsearch.access.rules allows it',
      parts: [{ by: 'rules' }, { by: 'policies' }],
    })
    expect((await run('--prompt', 'everything/x', '--group', 'staff')).code).toBe(0)
  })

  it.each([
    [['nothing'], 'There is no tool "nothing".'],
    [['--profile', 'none'], 'There is no profile "none" in the configuration.'],
    [['--resource', 'demo://x'], '--resource must start with the name of a server and a slash.'],
    [['everything/echo', '--arguments', '[]'], '--arguments must be a JSON object.'],
  ])('says what is wrong with %j', async (args, message) => {
    const { code, err } = await run(...args)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })

  it('reports a mistake in a policy file with its place', async () => {
    const file = join(folder, 'team.cedar')
    await writeFile(file, 'permit(principal, action, resource)\nwhen { foo };')
    const { code, err } = await run()
    await writeFile(file, 'permit(principal, action, resource);')
    expect(code).toBe(2)
    expect(err).toContain('team.cedar:2:8 Invalid variable: foo.')
  })
})
