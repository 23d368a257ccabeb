import fc from 'fast-check'
import type { JsonSchema } from 'toolsearch'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CheckingWorker, checkingWorker } from './arguments/check-in-worker.fixtures.ts'
import { createValidateArguments } from './validate-arguments.ts'

const validate = createValidateArguments()
const object = (properties: object, more: object = {}): JsonSchema =>
  ({ type: 'object', properties, ...more }) as JsonSchema

let worker: CheckingWorker
beforeAll(() => {
  worker = checkingWorker()
})
afterAll(() => worker.close())

const a = (count: number) => 'a'.repeat(count)
const LONG = 10_000

/** Patterns that take exponential or polynomial time with backtracking, and texts that trigger it. */
const CATASTROPHIC: readonly (readonly [name: string, pattern: string, attack: string])[] = [
  ['nested quantifiers', '^(a+)+$', `${a(LONG)}!`],
  ['nested quantifiers on a class', '^([A-Za-z0-9]+)+$', `${a(LONG)}!`],
  ['equal alternatives', '^(a|a)*$', `${a(LONG)}!`],
  ['overlapping alternatives', '^(a|aa)+$', `${a(LONG)}!`],
  ['optional alternatives', '^(a|a?)+$', `${a(LONG)}!`],
  ['nested stars', '^(.*)*x$', a(LONG)],
  ['three stars', '^((a*)*)*b$', a(LONG)],
  ['words and optional spaces', '^(\\w+\\s?)*$', `${'word '.repeat(LONG / 5)}!`],
  ['adjacent repetitions', 'x*x*x*x*x*x*y', 'x'.repeat(LONG)],
  ['many optional characters', `(a?){400}a{400}`, a(LONG)],
  ['trailing spaces', '\\s+$', `${' '.repeat(LONG)}x`],
  [
    'email, from OWASP',
    '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$',
    `${a(LONG)}!`,
  ],
  ['Java class name, from OWASP', '^(([a-z])+.)+[A-Z]([a-z])+$', a(LONG)],
  [
    'URL',
    '^(https?:\\/\\/)?([\\da-z.-]+)\\.([a-z.]{2,6})([\\/\\w .-]*)*\\/?$',
    `http://a.co/${a(LONG)}!`,
  ],
  ['semantic version', '^\\d+(\\.\\d+)*(-[\\w.]+)*(\\+[\\w.]+)*$', `1${'.1'.repeat(LONG / 2)}!`],
  ['Stack Overflow, 2016', '^[\\s\\u200c]+|[\\s\\u200c]+$', `x${' '.repeat(LONG)}x`],
  [
    'Cloudflare, 2019',
    '(?:(?:"|\'|\\]|\\}|\\\\|\\d|(?:nan|infinity|true|false|null|undefined|symbol|math)|`|-|\\+)+[)]*;?((?:\\s|-|~|!|\\{\\}|\\|\\||\\+)*.*(?:.*=.*)))',
    `x=${'x'.repeat(LONG)}`,
  ],
  ['markdown emphasis', '^(?:\\*\\*)?(?:[^*]|\\*[^*])*\\*\\*$', '*a'.repeat(LONG / 2)],
  ['HTML comment', '<!--(?:-?[^-])*-->', `<!--${'-a'.repeat(LONG / 2)}`],
  ['quoted strings', '^("(?:[^"\\\\]|\\\\.)*"\\s*)*$', `"${'\\"'.repeat(LONG / 2)}`],
  ['JSON-like lists', '^\\[(\\s*\\d+\\s*,?)*\\]$', `[${'1 '.repeat(LONG / 2)}`],
  ['look-ahead', '^(?=(a+)+b)', a(LONG)],
  ['backreference', '^(a+)+\\1$', `${a(LONG)}!`],
]

describe('patterns of a server', () => {
  it.each(CATASTROPHIC)('take no longer than the text: %s', async (_name, pattern, attack) => {
    const schemas = [
      object({ text: { type: 'string', pattern } }),
      object({}, { patternProperties: { [pattern]: { type: 'string' } } }),
      object({}, { propertyNames: { pattern } }),
    ]
    const value = { text: attack, [attack]: 'x' }
    const answers = await worker.check(schemas.map((schema) => ({ schema, value })))
    expect(answers).toHaveLength(3)
  })

  it('take no longer than the text, whatever is nested in what', async () => {
    const atom = fc.constantFrom('a', '.', '\\w', '[ab]', '\\s', 'a?', '(?:a|aa)', '\\p{L}')
    const times = fc.constantFrom('*', '+', '?', '{0,9}', '{2,}')
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => {
      const inner = tie('pattern')
      return {
        pattern: fc.oneof(
          { maxDepth: 6 },
          atom,
          fc.tuple(inner, times).map(([one, many]) => `(${one})${many}`),
          fc.tuple(inner, inner).map(([one, other]) => `(?:${one}|${other})`),
          fc.tuple(inner, inner).map(([one, other]) => `${one}${other}`),
        ),
      }
    })
    const cases = fc.sample(pattern, { numRuns: 100, seed: 15 }).map((inner) => ({
      schema: object({ text: { pattern: `^(${inner})+$` } }),
      value: { text: `${a(2_000)} ${a(2_000)}!` },
    }))
    expect(await worker.check(cases)).toHaveLength(100)
  })
})

describe('schemas of a server', () => {
  const doubling = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => {
      const next = { $ref: `#/$defs/d${index + 1}` }
      return [`d${index}`, { anyOf: [next, next] }]
    }),
  )
  const list = <Item>(count: number, item: (index: number) => Item) =>
    Array.from({ length: count }, (_, index) => item(index))
  const node = { anyOf: [{ $ref: '#/$defs/node' }, { $ref: '#/$defs/node' }] }
  const deep = list(90, () => 0).reduce<unknown>((inner) => ({ x: inner }), { x: 1 })

  it.each<[string, JsonSchema, unknown]>([
    [
      'references that double at every level',
      object({ x: { $ref: '#/$defs/d0' } }, { $defs: { ...doubling, d100: { type: 'string' } } }),
      { x: 1 },
    ],
    [
      'references that double, next to unknown keywords',
      object(
        { x: { $ref: '#/more/d0' } },
        {
          more: JSON.parse(
            JSON.stringify({ ...doubling, d100: { type: 'string' } }).replaceAll('$defs', 'more'),
          ),
        },
      ),
      { x: 1 },
    ],
    [
      'a tree with two alternatives at every level',
      object({ x: node }, { $defs: { node: { type: 'object', properties: { x: node } } } }),
      { x: deep },
    ],
    ['a schema that is its own alternative', { anyOf: [{ $ref: '#' }, { $ref: '#' }] }, { x: 1 }],
    ['a reference to itself', { $ref: '#' }, {}],
    [
      'unique items',
      object({ x: { type: 'array', uniqueItems: true } }),
      { x: list(100_000, (index) => ({ index })) },
    ],
    [
      'a long enum for many items',
      object({ x: { items: { enum: list(10_000, (index) => `v${index}`) } } }),
      { x: list(50_000, () => 'none') },
    ],
    [
      'many alternatives for many items',
      object({ x: { items: { anyOf: list(900, (index) => ({ required: [`p${index}`] })) } } }),
      { x: list(10_000, () => ({})) },
    ],
    [
      'many checks of a long text',
      object({ x: { allOf: list(900, () => ({ maxLength: 1e9 })) } }),
      { x: a(500_000) },
    ],
    [
      'many patterns',
      object(
        {},
        { patternProperties: Object.fromEntries(list(900, (index) => [`(a+)+${index}`, {}])) },
      ),
      Object.fromEntries(list(500, (index) => [`${a(50)}${index}`, 1])),
    ],
    [
      'ten thousand properties',
      object(Object.fromEntries(list(10_000, (index) => [`p${index}`, { type: 'string' }]))),
      { p1: 1 },
    ],
    [
      'five megabytes of text',
      object({ x: { type: 'string', description: a(5_000_000), enum: [a(1_000_000)] } }),
      { x: 'y' },
    ],
    [
      'many wrong items',
      object({ x: { items: { type: 'string' } } }),
      { x: list(100_000, (index) => index) },
    ],
    [
      'nested combinations',
      list(90, () => 0).reduce<object>(
        (inner) => ({ allOf: [{ anyOf: [inner, { type: 'null' }] }] }),
        { type: 'string' },
      ) as JsonSchema,
      {},
    ],
  ])('are checked within bounds: %s', async (_name, schema, value) => {
    const [problems] = await worker.check([{ schema, value }])
    expect(problems!.length).toBeLessThanOrEqual(20)
  })
})

describe('the arguments of a call', () => {
  it.each<[string, object, object, object?]>([
    [
      'a required property with a default is left out',
      { type: { enum: ['png'], default: 'png' } },
      {},
      { required: ['type'] },
    ],
    [
      'a nested required property with a default is left out',
      { x: object({ y: { default: 1 } }, { required: ['y'] }) },
      { x: {} },
    ],
    [
      'there are properties that the schema excludes',
      {},
      { extra: 1 },
      { additionalProperties: false },
    ],
    ['a number is written as text', { x: { type: 'integer', maximum: 9 } }, { x: '5' }],
    [
      'one of several types is written as text',
      { x: { anyOf: [{ type: 'integer' }, { type: 'null' }] } },
      { x: '5' },
    ],
    [
      'a list is written as text',
      { x: { type: 'array', items: { type: 'number' } } },
      { x: '[1, 2]' },
    ],
    ['an optional property is null', { x: { type: 'string' } }, { x: null }],
    [
      'the pattern is written for Python',
      { x: { type: 'string', pattern: '(?i)^abc$' } },
      { x: 'zzz' },
    ],
    [
      'the pattern has a named group of Python',
      { x: { type: 'string', pattern: '(?P<year>\\d+)' } },
      { x: 'zzz' },
    ],
    ['the pattern needs look-ahead', { x: { type: 'string', pattern: '^(?!a)' } }, { x: 'a' }],
    ['the pattern repeats too often', { x: { type: 'string', pattern: '^a{5000}$' } }, { x: 'a' }],
    ['the format is wrong', { x: { type: 'string', format: 'email' } }, { x: 'a' }],
    ['the schema is invalid', { x: { type: 'dict' } }, { x: 'a' }],
    [
      'two alternatives match, because servers ignore what they do not know',
      {},
      { x: 1 },
      {
        oneOf: [
          { additionalProperties: false },
          { properties: { x: {} }, additionalProperties: false },
        ],
      },
    ],
  ])('are left to the server if %s', (_name, properties, value, more) => {
    expect(validate(object(properties, more), value)).toEqual([])
  })

  it.each<[string, object, object, object?]>([
    ['a required property is missing', { x: {} }, {}, { required: ['x'] }],
    ['the type is wrong', { x: { type: 'string' } }, { x: 1 }],
    ['a text is not a number', { x: { type: 'integer' } }, { x: 'five' }],
    ['a number in a text is too large', { x: { type: 'integer', maximum: 9 } }, { x: '50' }],
    ['a required property is null', { x: { type: 'string' } }, { x: null }, { required: ['x'] }],
    ['the pattern does not match', { x: { type: 'string', pattern: '^[a-z]+$' } }, { x: 'A' }],
    [
      'one of several texts does not match',
      { x: { items: { pattern: '^\\d+$' } } },
      { x: ['1', 'a'] },
    ],
    [
      'items are repeated',
      { x: { type: 'array', uniqueItems: true } },
      {
        x: [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      },
    ],
    [
      'no alternative matches',
      { x: { oneOf: [{ type: 'string' }, { type: 'number' }] } },
      { x: true },
    ],
    [
      'a referenced definition does not match',
      { x: { $ref: '#/$defs/a~1b%25' } },
      { x: 1 },
      { $defs: { 'a/b%': { type: 'string' } } },
    ],
    [
      'a limit of draft 4 is reached',
      { x: { minimum: 5, exclusiveMinimum: true } },
      { x: 5 },
      { $schema: 'http://json-schema.org/draft-04/schema#', id: 'x' },
    ],
    [
      'an item of a tuple of draft 7 is wrong',
      { x: { items: [{ type: 'string' }] } },
      { x: [1] },
      { $schema: 'http://json-schema.org/draft-07/schema#' },
    ],
  ])('are refused if %s', (_name, properties, value, more) => {
    expect(validate(object(properties, more), value)).not.toEqual([])
  })
})
