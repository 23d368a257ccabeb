import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { BAD_BEYOND_SCHEMA, BAD_EXAMPLES, GOOD_EXAMPLES } from './config-examples.fixtures.ts'
import { configJsonSchema } from './config-json-schema.ts'
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

  it.each(BAD_EXAMPLES)('rejects what the reader rejects: $about', ({ text }) => {
    expect(readConfig(text, { file: 'x.json', env })).toHaveProperty('problems')
    expect(schemaAccepts(text)).toBe(false)
  })

  it.each(BAD_BEYOND_SCHEMA)('accepts what only the reader can reject: $about', ({ text }) => {
    expect(readConfig(text, { file: 'x.json', env })).toHaveProperty('problems')
    expect(schemaAccepts(text)).toBe(true)
  })

  it('is up to date; otherwise run: npm run schema -w toolsearch-gateway', () => {
    expect(schema).toEqual(JSON.parse(JSON.stringify(configJsonSchema())))
  })

  it.each([
    'root',
    'server',
    'settings',
    'serverSettings',
    'oauth',
    'limits',
    'override',
    'annotations',
    'parameter',
    'identity',
    'issuer',
    'issuerProxy',
    'issuerPage',
    'access',
    'accessRule',
    'profile',
    'rateLimit',
    'audit',
    'telemetry',
    'state',
    'encryption',
    'tokenExchange',
  ])('describes every property of %s', (name) => {
    const { properties } = name === 'root' ? schema : schema.$defs[name]
    for (const [key, property] of Object.entries<{ description?: string }>(properties)) {
      expect(property.description, key).toMatch(/^[A-Z`].*\.$/s)
    }
  })
})
