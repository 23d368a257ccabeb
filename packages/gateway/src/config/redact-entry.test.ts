import { describe, expect, it } from 'vitest'
import { redactEntry } from './redact-entry.ts'

describe('redactEntry', () => {
  it('hides secrets and shows everything else', () => {
    const harmless = {
      command: 'x',
      env: {
        A: '${A}',
        HOME: '${HOME:-}',
        API_KEY: '${API_KEY:-}',
        LOG_LEVEL: 'debug',
        REGION: 'us-east-1',
        MODEL: '${MODEL:-gpt-4o-mini}',
        PORT: 8080,
        USE_AUTH: 'true',
        CREDENTIALS: '/home/me/credentials.json',
        SERVICE: 'https://api.example.com/v1',
      },
      headers: { Authorization: 'Bearer ${T}', Accept: 'application/json' },
      timeout: 30_000,
      disabled: true,
      oauth: { clientId: 'toolsearch', callbackPort: 3118 },
    }
    expect(redactEntry(harmless)).toEqual(harmless)
  })

  it.each([
    ['API_KEY', 'abc'],
    ['API_KEY', 12_345],
    ['API_KEY', '${KEY:-abc}'],
    ['Authorization', 'Bearer ${T:-hunter2}'],
    ['B', 'hunter2'],
    ['B', 'sk-hunter2hunter2'],
    ['B', 'Bearer abcdef'],
    ['OPTIONS', '{"password": "swordfish"}'],
    ['OPTIONS', 'host=x;pwd=swordfish'],
  ])('hides the value of %s: %s', (name, value) => {
    const hidden = { [name]: '***' }
    const own = { [name]: value }
    expect(redactEntry({ env: own, headers: own, auth: own })).toEqual({
      ...{ env: hidden, headers: hidden, auth: hidden },
    })
  })

  it('hides the secret parts of URLs and arguments', () => {
    expect(
      redactEntry({
        args: ['--key', 'hunter2', '--level', 'debug'],
        env: { DATABASE: 'postgres://me:hunter2@x.dev/db' },
        url: '${HOST}/mcp?key=hunter2',
        serverUrl: '${HOST:-https://me:hunter2@x.dev}/mcp',
      }),
    ).toEqual({
      args: ['--key', '***', '--level', 'debug'],
      env: { DATABASE: 'postgres://***@x.dev/db' },
      url: '${HOST}/mcp?key=***',
      serverUrl: '***',
    })
  })

  it('hides the fixed values of parameters, but no other settings', () => {
    const overrides = { send: { name: 'x', parameters: { key: { value: 'hunter2' } } } }
    expect(redactEntry({ toolsearch: { deny: ['parameters'], overrides } })).toEqual({
      toolsearch: {
        deny: ['parameters'],
        overrides: { send: { name: 'x', parameters: { key: { value: '***' } } } },
      },
    })
  })

  it('hides the secret of a token exchange', () => {
    const entry = (clientSecret: string) => ({
      toolsearch: { credentials: { exchange: { clientId: 'x', clientSecret } } },
    })
    expect(redactEntry(entry('hunter2'))).toEqual(entry('***'))
    expect(redactEntry(entry('${SECRET}'))).toEqual(entry('${SECRET}'))
  })
})
