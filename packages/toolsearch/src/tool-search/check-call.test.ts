import { Validator } from '@cfworker/json-schema'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { readDefinition } from '../catalogue/read-definition.ts'
import type { JsonSchema, Tool } from '../catalogue/tool.ts'
import { bm25Ranker } from '../ranking/bm25-ranker.ts'
import type { AnsweredCall } from './call-result.ts'
import type { ValidateArguments } from './check-arguments.ts'
import { checkCall } from './check-call.ts'
import type { SearchView } from './search-view.ts'

const readFile = readDefinition({
  name: 'read_file',
  description: 'Reads a file',
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string', minLength: 1 },
      range: { type: 'object', properties: { from: { type: 'integer' } }, required: ['from'] },
    },
    required: ['path'],
    additionalProperties: false,
  },
})
const writeFile = readDefinition({ name: 'write_file', description: 'Writes a file' })

function viewOf(tools: readonly Tool[]): SearchView {
  return {
    ranker: bm25Ranker,
    get: (name) => tools.find((tool) => tool.name === name),
    isVisible: (tool) => tools.includes(tool),
    tools: () => tools,
    status: () => 'loaded',
    notReady: () => [],
    deferrable: () => tools.length,
    eager: () => 0,
    remainingAfter: () => 0,
  }
}

const options = {
  view: viewOf([readFile, writeFile]),
  searchToolName: 'tool_search',
  isHidden: () => false,
}

const ajv = new Ajv2020({ allErrors: true, strict: false })
const withAjv: ValidateArguments = (schema, value) => {
  const validate = ajv.compile(schema)
  return validate(value) ? [] : (validate.errors ?? []).map((error) => ajv.errorsText([error]))
}
const withCfworker: ValidateArguments = (schema, value) =>
  new Validator(schema as JsonSchema, '2020-12', false)
    .validate(value)
    .errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`)

const invalid = { kind: 'answered', reason: 'invalid-arguments', tool: readFile, isError: true }

describe('checkCall', () => {
  it('accepts a call with valid arguments', async () => {
    const check = await checkCall({ name: 'read_file', arguments: { path: 'a.txt' } }, options)
    expect(check).toEqual({ kind: 'run', tool: readFile, arguments: { path: 'a.txt' } })
  })

  it('parses arguments sent as JSON text', async () => {
    const check = await checkCall({ name: 'read_file', arguments: '{"path":"a.txt"}' }, options)
    expect(check).toEqual({ kind: 'run', tool: readFile, arguments: { path: 'a.txt' } })
  })

  it.each([undefined, null, ''])('treats %j as no arguments', async (args) => {
    const run = { kind: 'run', tool: writeFile, arguments: {} }
    expect(await checkCall({ name: 'write_file', arguments: args }, options)).toEqual(run)
    expect(await checkCall({ name: 'write_file' }, options)).toEqual(run)
  })

  it.each(['read_file', 'write_file', 'nothing'])('keeps the id of a call to %s', async (name) => {
    expect(await checkCall({ id: 'call_7', name }, options)).toHaveProperty('id', 'call_7')
    expect(await checkCall({ name }, options)).not.toHaveProperty('id')
  })

  it('answers invalid JSON with the parse error and the schema', async () => {
    const check = await checkCall({ name: 'read_file', arguments: '{"path": "a.txt"' }, options)
    expect(check).toMatchObject({
      ...invalid,
      data: {
        error: expect.stringContaining('The call to "read_file" was not executed.'),
        problems: [expect.stringContaining('the arguments are not valid JSON')],
        inputSchema: readFile.inputSchema,
      },
    })
  })

  it.each(['null', '7', '"text"', '[]'])(
    'rejects JSON arguments that are not an object, whatever the validator says: %s',
    async (json) => {
      const call = { name: 'read_file', arguments: json }
      const problems = ['the arguments must be an object']
      for (const validate of [undefined, () => []]) {
        const check = await checkCall(call, { ...options, validate })
        expect(check).toMatchObject({ ...invalid, data: { problems } })
      }
    },
  )

  it('answers invalid arguments with every problem and the definition', async () => {
    const check = await checkCall({ name: 'read_file', arguments: { path: 7, range: [] } }, options)
    const data = {
      error:
        'The arguments for "read_file" do not match its schema. Call it again with arguments that match inputSchema.',
      problems: ['"path" must be string, not number', '"range" must be object, not array'],
      name: 'read_file',
      description: 'Reads a file',
      inputSchema: readFile.inputSchema,
    }
    expect(check).toEqual({ ...invalid, text: JSON.stringify(data), data })
  })

  it('answers a call to a hidden tool with its schema, whatever the arguments are', async () => {
    const hidden = { ...options, isHidden: (tool: Tool) => tool === readFile }
    for (const args of [{ path: 'a.txt' }, {}, '{']) {
      const check = await checkCall({ name: 'read_file', arguments: args }, hidden)
      expect(check).toMatchObject({
        kind: 'answered',
        reason: 'not-loaded',
        tool: readFile,
        isError: true,
        data: {
          error: `Tool "read_file" wasn't loaded yet, so the call was not executed. It is loaded now. Call it again with arguments that match inputSchema.`,
          inputSchema: readFile.inputSchema,
        },
      })
      expect(check).not.toHaveProperty('data.problems')
    }
    expect(await checkCall({ name: 'write_file' }, hidden)).toMatchObject({ kind: 'run' })
  })

  it('answers an unknown name with similar names', async () => {
    const check = await checkCall({ name: 'readfile', arguments: {} }, options)
    expect(check).toMatchObject({
      kind: 'answered',
      reason: 'unknown-tool',
      isError: true,
      data: {
        error: 'There is no tool named "readfile". Similar names: read_file.',
        closest: ['read_file'],
      },
    })
    expect(check).not.toHaveProperty('tool')
  })

  it('points to the search tool if no name is similar', async () => {
    const check = await checkCall({ name: 'zzz' }, { ...options, searchToolName: 'FindTools' })
    expect(check).toMatchObject({
      reason: 'unknown-tool',
      data: { error: 'There is no tool named "zzz". Use FindTools to find one.' },
    })
  })

  it('answers an empty name, because a model can send one', async () => {
    const check = await checkCall({ name: '' }, options)
    expect(check).toMatchObject({ kind: 'answered', reason: 'unknown-tool', isError: true })
  })

  it('does not reveal tools the caller may not see', async () => {
    const view = viewOf([writeFile])
    const call = { name: 'read_file', arguments: { path: 'a' } }
    const check = await checkCall(call, { ...options, view })
    expect(check).toMatchObject({ reason: 'unknown-tool', data: { closest: ['write_file'] } })
    expect(JSON.stringify(check)).not.toContain('Reads a file')
  })
})

describe.each([
  ['Ajv', withAjv],
  ['@cfworker/json-schema', withCfworker],
])('checkCall with %s', (_, validate) => {
  it('accepts a call with valid arguments', async () => {
    const call = { name: 'read_file', arguments: { path: 'a', range: { from: 1 } } }
    expect(await checkCall(call, { ...options, validate })).toMatchObject({ kind: 'run' })
  })

  it.each([
    ['a missing property', {}, 'path'],
    ['an additional property', { path: 'a', mode: 'r' }, 'additional'],
    ['a string that is too short', { path: '' }, 'path'],
    ['a nested problem', { path: 'a', range: { from: 'b' } }, 'from'],
  ])('reports %s', async (_what, args, expected) => {
    const check = await checkCall({ name: 'read_file', arguments: args }, { ...options, validate })
    expect(check).toMatchObject(invalid)
    const { problems } = (check as AnsweredCall).data as { problems: string[] }
    expect(problems.join('\n').toLowerCase()).toContain(expected)
  })
})

describe('checkCall with a custom validator', () => {
  it('passes the original schema and the parsed arguments to the validator', async () => {
    const seen: unknown[] = []
    const validate: ValidateArguments = (schema, value) => {
      seen.push(schema, value)
      return []
    }
    await checkCall({ name: 'read_file', arguments: '{"path":"a"}' }, { ...options, validate })
    expect(seen[0]).toBe(readFile.inputSchema)
    expect(seen[1]).toEqual({ path: 'a' })
  })

  it('reports problems found by the caller even if the validator finds none', async () => {
    const call = { name: 'read_file', arguments: { path: 'a' }, problems: ['no such drive'] }
    const check = await checkCall(call, { ...options, validate: () => [] })
    expect(check).toMatchObject({
      ...invalid,
      data: { problems: ['no such drive'], inputSchema: readFile.inputSchema },
    })
  })

  it('uses only the problems that the validator reports', async () => {
    const lenient: ValidateArguments = () => []
    const strict: ValidateArguments = () => ['the drive is read-only']
    const call = { name: 'read_file', arguments: { path: 7 } }
    expect(await checkCall(call, { ...options, validate: lenient })).toMatchObject({ kind: 'run' })
    expect(await checkCall(call, { ...options, validate: strict })).toMatchObject({
      data: { problems: ['the drive is read-only'] },
    })
  })

  it('falls back to checking required properties and types if the validator throws', async () => {
    const validate: ValidateArguments = () => {
      throw new Error('cannot compile')
    }
    const good = { name: 'read_file', arguments: { path: 'a' } }
    expect(await checkCall(good, { ...options, validate })).toMatchObject({ kind: 'run' })
    const bad = { name: 'read_file', arguments: {} }
    expect(await checkCall(bad, { ...options, validate })).toMatchObject({
      data: { problems: ['"path" is required'] },
    })
  })

  it('falls back to the built-in check if Ajv cannot compile the schema', async () => {
    const odd = readDefinition({
      name: 'odd',
      inputSchema: {
        $schema: 'https://example.com/a-dialect-nobody-knows',
        type: 'object',
        required: ['a'],
      },
    })
    const view = viewOf([odd])
    const check = await checkCall({ name: 'odd' }, { ...options, view, validate: withAjv })
    expect(check).toMatchObject({ data: { problems: ['"a" is required'] } })
  })

  it.each([
    ['a promise', () => Promise.resolve([])],
    ['a promise', () => Promise.reject(new Error('late'))],
    ['false', () => false],
    ['true', () => true],
    ['undefined', () => undefined],
    ['null', () => null],
    ['a string', () => 'path is missing'],
    ['a list with an object', () => [new Error('path is missing')]],
  ])(
    'rejects a validator that returns %s instead of a list of strings',
    async (kind, returning) => {
      const validate = returning as unknown as ValidateArguments
      const call = { name: 'read_file', arguments: { path: 'a' } }
      const error = await checkCall(call, { ...options, validate }).catch((thrown) => thrown)
      expect(error).toMatchObject({ name: 'InvalidValidatorError', code: 'invalid_validator' })
      expect(error.message).toContain(`The "validate" option returned ${kind}`)
    },
  )
})

describe('checkCall for a tool with its own validator', () => {
  const withValidator = (validator: Tool['validator'] & {}) => ({
    ...options,
    view: viewOf([{ ...readFile, validator }]),
    // must not be asked
    validate: () => ['from the option'],
  })

  it('passes on the value that the validator returns', async () => {
    const check = await checkCall(
      { name: 'read_file', arguments: '{"path":7}' },
      withValidator(async (value) => ({ value: { limit: 10, ...(value as object) } })),
    )
    expect(check).toMatchObject({ kind: 'run', arguments: { path: 7, limit: 10 } })
  })

  it('answers with the problems that the validator reports', async () => {
    const check = await checkCall(
      { name: 'read_file', arguments: { path: 'a' } },
      withValidator(async () => ({ problems: ['at path: no such drive'] })),
    )
    expect(check).toMatchObject({
      reason: 'invalid-arguments',
      data: { problems: ['at path: no such drive'], inputSchema: readFile.inputSchema },
    })
  })

  it('answers with the error of a validator that throws', async () => {
    const check = await checkCall(
      { name: 'read_file', arguments: { path: 'a' } },
      withValidator(() => Promise.reject(new Error('no such drive'))),
    )
    expect(check).toMatchObject({
      reason: 'invalid-arguments',
      data: { problems: ['no such drive'] },
    })
  })
})

describe('checkCall for a tool whose schema no validator can compile', () => {
  const odd: Tool = {
    ...readFile,
    inputSchema: { type: 'object', properties: { path: { type: 'float' } }, required: ['path'] },
    problems: [
      { path: 'inputSchema.properties.path.type', problem: 'is "float"', fix: 'use "number"' },
    ],
  }
  const unchecked = { ...options, view: viewOf([odd]), validate: () => ['not a float'] }

  it('accepts any object', async () => {
    for (const args of [{}, { path: 7 }, '{"path":"a"}']) {
      const check = await checkCall({ name: 'read_file', arguments: args }, unchecked)
      expect(check).toMatchObject({ kind: 'run', tool: odd })
    }
  })

  it('still rejects arguments that are not an object', async () => {
    const check = await checkCall({ name: 'read_file', arguments: '[]' }, unchecked)
    expect(check).toMatchObject({ data: { problems: ['the arguments must be an object'] } })
  })
})
