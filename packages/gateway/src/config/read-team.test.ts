import { describe, expect, it } from 'vitest'
import type { TeamSettings } from './config-file.ts'
import { formatProblem } from './config-problem.ts'
import type { GatewayConfig } from './gateway-config.ts'
import { readConfig } from './read-config.ts'
import { redactSettings } from './redact-settings.ts'
import { settingSecretValues } from './secret-values.ts'

const KEY = 'A'.repeat(43)

function read(toolsearch: object, server: object = {}) {
  const text = JSON.stringify({ mcpServers: { a: { command: 'x', ...server } }, toolsearch })
  return readConfig(text, { file: '/etc/tools/servers.json', env: { SECRET: 'hunter2' } })
}

function configOf(toolsearch: TeamSettings, server: object = {}): GatewayConfig {
  const result = read(toolsearch, server)
  if ('problems' in result) throw new Error(result.problems.map(formatProblem).join('\n'))
  return result.config
}

function problemsOf(toolsearch: object, server: object = {}): string[] {
  const result = read(toolsearch, server)
  return 'problems' in result ? result.problems.map(formatProblem) : []
}

const identity = { url: 'https://tools.example.com/' }

describe('settings for a team', () => {
  it('have defaults', () => {
    const config = configOf({
      identity: { ...identity, issuers: [{ issuer: 'https://login.example.com' }] },
      access: { rules: [{ allow: ['*'] }] },
      profiles: { support: {} },
      rateLimits: [{ calls: 10 }],
      audit: {},
      telemetry: {},
      state: {},
      encryption: { keyFile: 'secret.key' },
    })
    expect(config).toMatchObject({
      identity: {
        url: 'https://tools.example.com',
        issuers: [
          {
            issuer: 'https://login.example.com',
            algorithms: ['RS256', 'ES256', 'PS256', 'EdDSA'],
            groupsClaim: 'groups',
            requiredScopes: [],
          },
        ],
        administrators: [],
        clockSkewSeconds: 30,
        apiKeys: true,
      },
      access: { rules: [{ allow: ['*'] }], cedar: [] },
      profiles: { support: { deny: [], readOnly: false } },
      rateLimits: [{ each: 'person', calls: 10, per: 'minute' }],
      audit: { to: 'file', arguments: 'shape', days: 90, required: false },
      telemetry: { otlpHeaders: {}, metricsHost: '127.0.0.1', logs: 'text' },
      state: { redisPrefix: 'toolsearch:' },
      encryption: { keyFile: '/etc/tools/secret.key', previousKeys: [] },
    })
  })

  it('say who is an administrator, of which issuer', () => {
    const [one, two] = ['https://one.example.com', 'https://two.example.com']
    const administratorsOf = (administrators: string[], issuers = [one]) =>
      configOf({
        identity: { ...identity, administrators, issuers: issuers.map((issuer) => ({ issuer })) },
      }).identity?.administrators
    expect(
      administratorsOf(['staff', 'Ann@x.dev', 'subject:a:b@c', 'group:a@x.dev', 'a b']),
    ).toEqual([
      { issuer: one, kind: 'group', name: 'staff' },
      { issuer: one, kind: 'email', name: 'Ann@x.dev' },
      { issuer: one, kind: 'subject', name: 'a:b@c' },
      { issuer: one, kind: 'group', name: 'a@x.dev' },
      { issuer: one, kind: 'group', name: 'a b' },
    ])
    expect(administratorsOf([`${two}/ staff`, `${one} subject:root`], [one, two])).toEqual([
      { issuer: two, kind: 'group', name: 'staff' },
      { issuer: one, kind: 'subject', name: 'root' },
    ])
  })

  it('ask for the issuer of groups and people if there are several', () => {
    const [one, two] = ['https://one.example.com', 'https://two.example.com']
    const problemsWith = (groups: string[], people: string[], issuers = [one, two]) =>
      problemsOf({
        identity: { ...identity, issuers: issuers.map((issuer) => ({ issuer })) },
        access: { rules: [{ groups, allow: ['*/*'] }] },
        rateLimits: [{ people, each: 'person', calls: 1, per: 'day' }],
      })
    expect(problemsWith([`${two} staff`, 'key staff'], [`${one} ann`, 'key x1'])).toEqual([])
    expect(problemsWith(['staff'], ['ann'], [one])).toEqual([])
    const problems = problemsWith(['staff'], [`https://three.example.com ann`])
    expect(problems).toEqual([
      expect.stringContaining(`"staff" does not say which issuer it is about`),
      expect.stringContaining('"https://three.example.com ann" does not say which issuer'),
    ])
  })

  it('resolve policy files against the folder of the configuration', () => {
    const { access } = configOf({ access: { cedar: ['team.cedar', '/srv/all.cedar'] } })
    expect(access?.cedar).toEqual(['/etc/tools/team.cedar', '/srv/all.cedar'])
  })

  it('record to the database if there is one', () => {
    const { audit } = configOf({ audit: {}, state: { postgres: 'postgres://db/x' } })
    expect(audit?.to).toBe('postgres')
  })

  it("keep the values that each person enters, and expand the gateway's own", () => {
    const { servers } = configOf(
      { identity },
      {
        env: { A: '${person:API_KEY}-${SECRET}' },
        toolsearch: { credentials: 'person' },
      },
    )
    expect(servers[0]).toMatchObject({
      connection: { env: { A: '${person:API_KEY}-hunter2' } },
      credentials: { kind: 'person' },
    })
  })

  it('read a token exchange', () => {
    const exchange = {
      tokenUrl: 'https://login.example.com/token',
      clientId: 'gateway',
      scope: 'crm',
    }
    const { servers } = configOf(
      { identity },
      {
        command: undefined,
        url: 'https://crm.example.com/mcp',
        toolsearch: { credentials: { exchange } },
      },
    )
    expect(servers[0]?.credentials).toEqual({ kind: 'exchange', exchange })
  })

  it.each<[string, object, object?]>([
    ['a gateway over http', { identity: { url: 'http://tools.example.com' } }],
    ['an address with a path', { identity: { url: 'https://tools.example.com/mcp' } }],
    [
      'a shared secret as signature',
      {
        identity: { ...identity, issuers: [{ issuer: 'https://x.dev', algorithms: ['HS256'] }] },
      },
    ],
    [
      'administrators of unknown issuers',
      {
        identity: {
          ...identity,
          issuers: [{ issuer: 'https://one.dev' }, { issuer: 'https://two.dev/' }],
          administrators: ['https://two.dev x', 'staff', 'https://three.dev group:staff'],
        },
      },
    ],
    ['a mistyped key of a rule', { access: { rules: [{ allow: ['x'], group: ['y'] }] } }],
    ['a rule for nobody', { access: { rules: [{ allow: ['x'], groups: [] }] } }],
    ['a deny with arguments', { access: { rules: [{ deny: ['x'], arguments: { a: ['b'] } }] } }],
    ['a mistyped server of a profile', { profiles: { p: { servers: ['A'] } } }],
    ['a name that is not part of a URL', { profiles: { 'p q': {} } }],
    ['a limit without a bound', { rateLimits: [{}] }],
    ['a missing database', { audit: { to: 'postgres' } }],
    ['no key', { encryption: {} }],
    ['a short key', { encryption: { key: 'short' } }],
    ['people who do not sign in', {}, { toolsearch: { credentials: 'person' } }],
    ['values of people that nobody enters', {}, { env: { A: '${person:B}' } }],
  ])('suggest a fix for %s', (_, settings, server) => {
    expect(problemsOf(settings, server).join('\n')).toMatchSnapshot()
  })

  it('never show a secret in a problem', () => {
    const settings = {
      state: { redis: 'http://:hunter2@x', postgres: 'mysql://me:hunter2@x' },
      encryption: { key: 'hunter2', previousKeys: ['hunter2'] },
      telemetry: { otlpHeaders: { A: 'hunter2\n' }, otlpUrl: 'hunter2' },
      identity: { url: 'https://hunter2@x.dev' },
    }
    expect(problemsOf(settings).length).toBeGreaterThan(5)
    expect(problemsOf(settings).join('\n')).not.toContain('hunter2')
  })

  it('are shown and logged without their secrets', () => {
    const settings = {
      state: { redis: 'redis://:hunter2@cache:6379/0', postgres: 'postgres://me:hunter2@db/x' },
      encryption: { key: KEY, previousKeys: [KEY] },
      telemetry: { otlpUrl: 'http://otel:4318', otlpHeaders: { 'x-api-key': 'hunter2' } },
      identity: {
        ...identity,
        issuers: [
          { issuer: 'https://x.dev', proxy: { clientId: 'id', clientSecret: '${SECRET}' } },
        ],
      },
    }
    expect(redactSettings(settings)).toEqual({
      ...settings,
      state: { redis: 'redis://***@cache:6379/0', postgres: 'postgres://***@db/x' },
      encryption: { key: '***', previousKeys: ['***'] },
      telemetry: { otlpUrl: 'http://otel:4318', otlpHeaders: { 'x-api-key': '***' } },
    })
    const secrets = new Set(settingSecretValues(configOf(settings)))
    expect(secrets).toEqual(new Set(['hunter2', KEY]))
  })
})
