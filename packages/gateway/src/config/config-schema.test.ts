import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { BAD_BEYOND_SCHEMA, BAD_EXAMPLES, GOOD_EXAMPLES } from './config-examples.fixtures.ts'
import * as keys from './config-keys.ts'
import { DEFAULT_LIMITS } from './default-limits.ts'
import { readConfig } from './read-config.ts'

const file = join(import.meta.dirname, '..', '..', 'config-schema.json')
const schema = JSON.parse(readFileSync(file, 'utf8'))
const validate = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false }).compile(
  schema,
)
const { privateKey: KEY } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})
const env = { TOKEN: 't0k', KEY }

function schemaAccepts(text: string): boolean {
  return validate(parse(text.replace('\uFEFF', ''), [], { allowTrailingComma: true }))
}

describe('config-schema.json', () => {
  it.each(GOOD_EXAMPLES)('accepts what the reader accepts: $about', ({ text }) => {
    expect(readConfig(text, { file: 'x.json', env })).toHaveProperty('config')
    expect(schemaAccepts(text), JSON.stringify(validate.errors)).toBe(true)
  })

  it.each(BAD_EXAMPLES)('refuses what the reader refuses: $about', ({ text }) => {
    expect(readConfig(text, { file: 'x.json', env })).toHaveProperty('problems')
    expect(schemaAccepts(text)).toBe(false)
  })

  it.each(BAD_BEYOND_SCHEMA)('cannot see what the reader refuses: $about', ({ text }) => {
    expect(readConfig(text, { file: 'x.json', env })).toHaveProperty('problems')
    expect(schemaAccepts(text)).toBe(true)
  })

  it.each([
    ['the root', schema, keys.ROOT_KEYS],
    ['a server', schema.$defs.server, keys.SERVER_KEYS],
    ['settings', schema.$defs.settings, keys.SETTING_KEYS],
    ['settings of a server', schema.$defs.serverSettings, keys.SERVER_SETTING_KEYS],
    ['oauth', schema.$defs.oauth, keys.OAUTH_KEYS],
    ['limits', schema.$defs.limits, keys.LIMIT_KEYS],
  ])('knows the same keys of %s', (_, { properties }, { read, ignored = [] }: keys.KeyRules) => {
    expect(Object.keys(properties).sort()).toEqual([...read, ...ignored].sort())
  })

  it('tells the same defaults', () => {
    const { connectMs, callMs, resultChars } = schema.$defs.limits.properties
    expect({
      connectMs: connectMs.default,
      callMs: callMs.default,
      resultChars: resultChars.default,
    }).toEqual(DEFAULT_LIMITS)
  })
})
