import { Validator } from '@cfworker/json-schema'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { readDefinition } from '../catalogue/read-definition.ts'
import type { JsonSchema, Tool } from '../catalogue/tool.ts'
import { bm25Ranker } from '../ranking/bm25-ranker.ts'
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
    ranker: bm25Ranker(),
    get: (name) => tools.find((tool) => tool.name === name),
    isVisible: (tool) => tools.includes(tool),
    tools: () => tools,
    status: () => 'loaded',
    notReady: () => [],
    deferrable: () => tools.length,
    remainingAfter: () => 0,
  }
}

const options = {
  view: viewOf([readFile, writeFile]),
  searchToolName: 'tool_search',
  isUnloaded: () => false,
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

describe('checkCall', () => {
  it('accepts a call with valid arguments', () => {
    const check = checkCall({ name: 'read_file', arguments: { path: 'a.txt' } }, options)
    expect(check).toEqual({ ok: true, tool: readFile, arguments: { path: 'a.txt' } })
  })

  it('parses arguments sent as JSON text', () => {
    const check = checkCall({ name: 'read_file', arguments: '{"path":"a.txt"}' }, options)
    expect(check).toEqual({ ok: true, tool: readFile, arguments: { path: 'a.txt' } })
  })

  it.each([undefined, null, ''])('treats %j as no arguments', (args) => {
    expect(checkCall({ name: 'write_file', arguments: args }, options)).toEqual({
      ok: true,
      tool: writeFile,
      arguments: {},
    })
    expect(checkCall({ name: 'write_file' }, options).ok).toBe(true)
  })

  it('answers invalid JSON with the parse error and the schema', () => {
    const check = checkCall({ name: 'read_file', arguments: '{"path": "a.txt"' }, options)
    expect(check).toMatchObject({
      ok: false,
      tool: readFile,
      answer: {
        isError: true,
        data: {
          error: expect.stringContaining('The call to "read_file" was not executed.'),
          problems: [expect.stringContaining('the arguments are not valid JSON')],
          inputSchema: readFile.inputSchema,
        },
      },
    })
  })

  it.each(['null', '7', '"text"', '[]'])(
    'rejects JSON arguments that are not an object: %s',
    (json) => {
      expect(checkCall({ name: 'read_file', arguments: json }, options)).toMatchObject({
        ok: false,
        answer: { data: { problems: ['the arguments must be an object'] } },
      })
    },
  )

  it('answers invalid arguments with every problem and the definition', () => {
    const check = checkCall({ name: 'read_file', arguments: { path: 7, range: [] } }, options)
    expect(check).toEqual({
      ok: false,
      tool: readFile,
      answer: {
        isError: true,
        text: expect.any(String),
        data: {
          error:
            'The arguments for "read_file" do not match its schema. Call it again with arguments that match inputSchema.',
          problems: ['"path" must be string, not number', '"range" must be object, not array'],
          name: 'read_file',
          description: 'Reads a file',
          inputSchema: readFile.inputSchema,
        },
      },
    })
    if (!check.ok) expect(JSON.parse(check.answer.text)).toEqual(check.answer.data)
  })

  it('answers a call to an unloaded tool with its schema, whatever the arguments are', () => {
    const unloaded = { ...options, isUnloaded: (tool: Tool) => tool === readFile }
    for (const args of [{ path: 'a.txt' }, {}, '{']) {
      const check = checkCall({ name: 'read_file', arguments: args }, unloaded)
      expect(check).toMatchObject({
        ok: false,
        tool: readFile,
        answer: {
          isError: true,
          data: {
            error: `Tool "read_file" wasn't loaded yet, so the call was not executed. It is loaded now. Call it again with arguments that match inputSchema.`,
            inputSchema: readFile.inputSchema,
          },
        },
      })
      if (!check.ok) expect(check.answer.data).not.toHaveProperty('problems')
    }
    expect(checkCall({ name: 'write_file' }, unloaded).ok).toBe(true)
  })

  it('answers an unknown name with similar names', () => {
    const check = checkCall({ name: 'readfile', arguments: {} }, options)
    expect(check).toMatchObject({
      ok: false,
      answer: {
        isError: true,
        data: {
          error: 'There is no tool named "readfile". Similar names: read_file.',
          closest: ['read_file'],
        },
      },
    })
    expect(check).not.toHaveProperty('tool')
  })

  it('points to the search tool if no name is similar', () => {
    const check = checkCall({ name: 'zzz' }, { ...options, searchToolName: 'FindTools' })
    expect(check).toMatchObject({
      ok: false,
      answer: { data: { error: 'There is no tool named "zzz". Use FindTools to find one.' } },
    })
  })

  it('does not reveal tools the caller may not see', () => {
    const view = viewOf([writeFile])
    const check = checkCall({ name: 'read_file', arguments: { path: 'a' } }, { ...options, view })
    expect(check.ok).toBe(false)
    expect(check).toMatchObject({ answer: { data: { closest: ['write_file'] } } })
    expect(JSON.stringify(check)).not.toContain('Reads a file')
  })
})

describe.each([
  ['Ajv', withAjv],
  ['@cfworker/json-schema', withCfworker],
])('checkCall with %s', (_, validate) => {
  it('accepts a call with valid arguments', () => {
    const call = { name: 'read_file', arguments: { path: 'a', range: { from: 1 } } }
    expect(checkCall(call, { ...options, validate }).ok).toBe(true)
  })

  it.each([
    ['a missing property', {}, 'path'],
    ['an additional property', { path: 'a', mode: 'r' }, 'additional'],
    ['a string that is too short', { path: '' }, 'path'],
    ['a nested problem', { path: 'a', range: { from: 'b' } }, 'from'],
  ])('reports %s', (_what, args, expected) => {
    const check = checkCall({ name: 'read_file', arguments: args }, { ...options, validate })
    expect(check).toMatchObject({ ok: false, tool: readFile })
    if (check.ok) return
    const { problems } = check.answer.data as { problems: string[] }
    expect(problems.join('\n').toLowerCase()).toContain(expected)
  })
})

describe('checkCall with a custom validator', () => {
  it('passes the original schema and the parsed arguments to the validator', () => {
    const seen: unknown[] = []
    const validate: ValidateArguments = (schema, value) => {
      seen.push(schema, value)
      return []
    }
    checkCall({ name: 'read_file', arguments: '{"path":"a"}' }, { ...options, validate })
    expect(seen[0]).toBe(readFile.inputSchema)
    expect(seen[1]).toEqual({ path: 'a' })
  })

  it('reports problems found by the caller even if the validator finds none', () => {
    const call = { name: 'read_file', arguments: { path: 'a' }, problems: ['no such drive'] }
    const check = checkCall(call, { ...options, validate: () => [] })
    expect(check).toMatchObject({
      ok: false,
      answer: { data: { problems: ['no such drive'], inputSchema: readFile.inputSchema } },
    })
  })

  it('uses only the problems that the validator reports', () => {
    const lenient: ValidateArguments = () => []
    const strict: ValidateArguments = () => ['the drive is read-only']
    const call = { name: 'read_file', arguments: { path: 7 } }
    expect(checkCall(call, { ...options, validate: lenient }).ok).toBe(true)
    expect(checkCall(call, { ...options, validate: strict })).toMatchObject({
      answer: { data: { problems: ['the drive is read-only'] } },
    })
  })

  it('falls back to checking required properties and types if the validator throws', () => {
    const validate: ValidateArguments = () => {
      throw new Error('cannot compile')
    }
    const good = checkCall(
      { name: 'read_file', arguments: { path: 'a' } },
      { ...options, validate },
    )
    expect(good.ok).toBe(true)
    const bad = checkCall({ name: 'read_file', arguments: {} }, { ...options, validate })
    expect(bad).toMatchObject({ answer: { data: { problems: ['"path" is required'] } } })
  })

  it('falls back to the built-in check if Ajv cannot compile the schema', () => {
    const odd = readDefinition({
      name: 'odd',
      inputSchema: {
        $schema: 'https://example.com/a-dialect-nobody-knows',
        type: 'object',
        required: ['a'],
      },
    })
    const view = viewOf([odd])
    const check = checkCall({ name: 'odd', arguments: {} }, { ...options, view, validate: withAjv })
    expect(check).toMatchObject({ answer: { data: { problems: ['"a" is required'] } } })
  })
})
