import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { createToolSearch } from '../toolsearch.ts'
import { type CatalogueChange, createCatalogue } from './catalogue.ts'
import { DuplicateToolError, InvalidToolError } from './catalogue-errors.ts'
import type { Tool, ToolDefinition } from './tool.ts'

describe('createCatalogue', () => {
  it('starts empty, at version 0', () => {
    const catalogue = createCatalogue()
    expect(catalogue.size).toBe(0)
    expect(catalogue.version).toBe(0)
    expect(catalogue.tools()).toEqual([])
    expect(catalogue.sorted()).toEqual([])
  })

  it('contains the tools it is created with', () => {
    const catalogue = createCatalogue([{ name: 'read_file' }, { name: 'write_file' }])
    expect(namesOf(catalogue.tools())).toEqual(['read_file', 'write_file'])
    expect(catalogue.version).toBe(1)
  })

  it('throws if two initial tools have the same name', () => {
    expect(() => createCatalogue([{ name: 'a' }, { name: 'a' }])).toThrow(DuplicateToolError)
  })

  it('advises what a caller can do about a duplicate without options for it', () => {
    const create = () => createToolSearch({ tools: [{ name: 'a' }, { name: 'a' }] })
    expect(create).toThrow(
      "Rename one, or add it with catalogue.add(…, { duplicates: 'replace' }).",
    )
  })

  it('throws if an initial tool is invalid', () => {
    expect(() => createCatalogue([{ name: '' }])).toThrow(InvalidToolError)
  })

  it('finds a tool only by its exact name', () => {
    const catalogue = createCatalogue([{ name: 'Read', description: 'Reads' }])
    expect(catalogue.get('Read')).toMatchObject({ name: 'Read', description: 'Reads' })
    expect(catalogue.has('Read')).toBe(true)
    expect(catalogue.get('read')).toBeUndefined()
    expect(catalogue.has(' Read')).toBe(false)
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '0'])(
    'handles a tool named %s like any other',
    (name) => {
      const catalogue = createCatalogue([{ name: 'a' }])
      expect(catalogue.has(name)).toBe(false)
      catalogue.add({ name })
      expect(namesOf(catalogue.tools())).toEqual(['a', name])
      catalogue.remove(name)
      expect(namesOf(catalogue.tools())).toEqual(['a'])
    },
  )
})

describe('catalogue order', () => {
  it('is insertion order', () => {
    const catalogue = createCatalogue([{ name: 'c' }])
    catalogue.add([{ name: 'a' }, { name: 'd' }])
    catalogue.add({ name: 'b' })
    expect(namesOf(catalogue.tools())).toEqual(['c', 'a', 'd', 'b'])
  })

  it('is by code units in sorted(), independent of the locale', () => {
    const names = ['ä', 'b', '😀', 'B', '中', 'a', '_', '￿', 'a_b', 'aB']
    const catalogue = createCatalogue(names.map((name) => ({ name })))
    const expected = ['B', '_', 'a', 'aB', 'a_b', 'b', 'ä', '中', '😀', '￿']
    expect(namesOf(catalogue.sorted())).toEqual(expected)
  })

  it('keeps a replaced tool in its place', () => {
    const catalogue = createCatalogue([{ name: 'a' }, { name: 'b' }, { name: 'c' }])
    catalogue.add({ name: 'b', description: 'new' }, { duplicates: 'replace' })
    expect(namesOf(catalogue.tools())).toEqual(['a', 'b', 'c'])
    expect(catalogue.tools()[1]?.description).toBe('new')
  })

  it('puts a tool that was removed and added again last', () => {
    const catalogue = createCatalogue([{ name: 'a' }, { name: 'b' }, { name: 'c' }])
    catalogue.remove('a')
    catalogue.add({ name: 'a' })
    expect(namesOf(catalogue.tools())).toEqual(['b', 'c', 'a'])
    expect(namesOf(catalogue.sorted())).toEqual(['a', 'b', 'c'])
  })

  it('does not change a list that was returned before', () => {
    const catalogue = createCatalogue([{ name: 'b' }])
    const [tools, sorted] = [catalogue.tools(), catalogue.sorted()]
    catalogue.add({ name: 'a' })
    expect(namesOf(tools)).toEqual(['b'])
    expect(namesOf(sorted)).toEqual(['b'])
    expect(namesOf(catalogue.sorted())).toEqual(['a', 'b'])
  })

  it('returns the same list until something changes', () => {
    const catalogue = createCatalogue([{ name: 'a' }])
    expect(catalogue.tools()).toBe(catalogue.tools())
    expect(catalogue.sorted()).toBe(catalogue.sorted())
  })
})

describe('catalogue.add', () => {
  it('accepts one definition or several', () => {
    const catalogue = createCatalogue()
    expect(namesOf(catalogue.add({ name: 'a' }).added)).toEqual(['a'])
    expect(namesOf(catalogue.add([{ name: 'b' }, { name: 'c' }]).added)).toEqual(['b', 'c'])
    expect(catalogue.size).toBe(3)
  })

  it('rejects a duplicate name by default and says which source has it', () => {
    const catalogue = createCatalogue([{ name: 'send', description: 'old', source: 'mcp:mail' }])
    const error = errorOf(() => catalogue.add({ name: 'send', source: 'plugin:chat' }))
    expect(error).toBeInstanceOf(DuplicateToolError)
    expect(error).toMatchObject({ code: 'duplicate_tool', toolName: 'send' })
    expect(error.message).toContain('"send"')
    expect(error.message).toContain('mcp:mail')
    expect(error.message).toContain('plugin:chat')
    expect(catalogue.get('send')?.description).toBe('old')
  })

  it('rejects a duplicate name even if the definitions are equal', () => {
    const catalogue = createCatalogue([{ name: 'a', description: 'same' }])
    expect(() => catalogue.add({ name: 'a', description: 'same' })).toThrow(DuplicateToolError)
  })

  it('replaces a tool if requested and reports it as replaced', () => {
    const catalogue = createCatalogue([{ name: 'a', description: 'old' }])
    const change = catalogue.add(
      [
        { name: 'a', description: 'new' },
        { name: 'b', description: 'other' },
      ],
      { duplicates: 'replace' },
    )
    expect(namesOf(change.replaced)).toEqual(['a'])
    expect(change.replaced[0]?.description).toBe('new')
    expect(namesOf(change.added)).toEqual(['b'])
    expect(change.removed).toEqual([])
  })

  it('rejects a name that occurs twice in one call', () => {
    const catalogue = createCatalogue()
    const twice = [
      { name: 'a', description: 'first' },
      { name: 'a', description: 'second' },
    ]
    expect(() => catalogue.add(twice)).toThrow(DuplicateToolError)
    expect(catalogue.size).toBe(0)

    const { rejected } = catalogue.add(twice, { problems: 'skip' })
    expect(rejected).toHaveLength(1)
    expect(catalogue.get('a')?.description).toBe('first')
  })

  it('uses the last definition of a repeated name with duplicates: replace', () => {
    const catalogue = createCatalogue()
    const change = catalogue.add(
      [{ name: 'a', description: 'first' }, { name: 'b' }, { name: 'a', description: 'second' }],
      { duplicates: 'replace' },
    )
    expect(namesOf(change.added)).toEqual(['a', 'b'])
    expect(catalogue.get('a')?.description).toBe('second')
  })

  it('changes nothing if one definition is invalid', () => {
    const catalogue = createCatalogue([{ name: 'a', description: 'old' }])
    const heard: CatalogueChange[] = []
    catalogue.subscribe((change) => heard.push(change))
    const bad = [
      { name: 'a', description: 'new' },
      { name: 'b' },
      { name: 'c', inputSchema: { default: Number.NaN } },
      { name: 'd' },
    ]
    const error = errorOf(() => catalogue.add(bad, { duplicates: 'replace' }))
    expect(error).toMatchObject({ toolName: 'c', field: 'inputSchema.default' })
    expect(namesOf(catalogue.tools())).toEqual(['a'])
    expect(catalogue.get('a')?.description).toBe('old')
    expect(catalogue.version).toBe(1)
    expect(heard).toEqual([])
  })

  it('adds the valid definitions and returns the errors with problems: skip', () => {
    const catalogue = createCatalogue([{ name: 'taken', source: 'client' }])
    const mixed = [
      { name: 'a' },
      { name: 'taken' },
      null,
      'text',
      { description: 'no name' },
      { name: 'b', inputSchema: [] },
      { name: 'c' },
    ] as unknown as ToolDefinition[]
    const change = catalogue.add(mixed, { problems: 'skip' })
    expect(namesOf(change.added)).toEqual(['a', 'c'])
    expect(namesOf(catalogue.tools())).toEqual(['taken', 'a', 'c'])
    expect(change.rejected.map((error) => [error.code, error.toolName])).toEqual([
      ['duplicate_tool', 'taken'],
      ['invalid_tool', ''],
      ['invalid_tool', ''],
      ['invalid_tool', ''],
      ['invalid_tool', 'b'],
    ])
    expect(change.rejected[3]!.message).toBe(
      'The tool at index 4: name must be a non-empty string, got undefined',
    )
    expect(catalogue.get('taken')?.source).toBe('client')
  })

  it('does not report a change if a tool is replaced by an equal one', () => {
    const inputSchema = { type: 'object', properties: { a: {}, b: {} } }
    const catalogue = createCatalogue([{ name: 'a', inputSchema, tags: ['x'] }])
    const before = catalogue.get('a')
    const same = {
      tags: ['x'],
      inputSchema: { properties: { b: {}, a: {} }, type: 'object' },
      name: 'a',
    }
    const change = catalogue.add(same, { duplicates: 'replace' })
    expect(change).toEqual({ version: 1, added: [], replaced: [], removed: [], rejected: [] })
    expect(catalogue.get('a')).toBe(before)
  })

  it.each<[string, Partial<ToolDefinition>]>([
    ['title', { title: 'new' }],
    ['description', { description: 'new' }],
    ['inputSchema', { inputSchema: { type: 'object', properties: { a: {} } } }],
    ['outputSchema', { outputSchema: { type: 'object' } }],
    ['source', { source: 'plugin' }],
    ['isMcp', { isMcp: true }],
    ['searchHint', { searchHint: 'new' }],
    ['tags', { tags: ['new'] }],
    ['annotations', { annotations: { readOnlyHint: true } }],
    ['loading', { loading: 'deferred' }],
    ['metadata', { metadata: { new: true } }],
  ])('detects a change of the %s alone', (field, update) => {
    const catalogue = createCatalogue([{ name: 'a' }])
    const change = catalogue.add({ name: 'a', ...update }, { duplicates: 'replace' })
    expect(namesOf(change.replaced)).toEqual(['a'])
    expect(catalogue.get('a')).toMatchObject({ [field]: Object.values(update)[0] })
  })

  it('detects changed metadata that JSON cannot represent', () => {
    const [first, second] = [() => 1, () => 2]
    const catalogue = createCatalogue([{ name: 'a', metadata: { run: first } }])
    catalogue.add({ name: 'a', metadata: { run: second } }, { duplicates: 'replace' })
    expect(catalogue.get('a')?.metadata.run).toBe(second)
  })

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['a new function', {}, { run: check }],
    ['a removed function', { run: check }, {}],
    ['a renamed function', { run: check }, { execute: check }],
    ['a different nested function', { on: { call: () => 1 } }, { on: { call: () => 2 } }],
    ['a different map', { table: new Map([[1, 2]]) }, { table: new Map([[1, 3]]) }],
  ])('detects %s in the metadata', (_, before, after) => {
    const catalogue = createCatalogue([{ name: 'a', metadata: before }])
    catalogue.add({ name: 'a', metadata: after }, { duplicates: 'replace' })
    expect(catalogue.get('a')?.metadata).toEqual(after)
  })

  it('does not report a change if only the order of metadata keys differs', () => {
    const catalogue = createCatalogue([{ name: 'a', metadata: { run: check, undo: errorOf } }])
    const same = { name: 'a', metadata: { undo: errorOf, run: check } }
    expect(catalogue.add(same, { duplicates: 'replace' }).replaced).toEqual([])
  })

  it('accepts circular metadata', () => {
    const metadata: Record<string, unknown> = { size: 1n }
    metadata.self = metadata
    const catalogue = createCatalogue([{ name: 'a', metadata }])
    const change = catalogue.add({ name: 'a', metadata }, { duplicates: 'replace' })
    expect(namesOf(change.replaced)).toEqual([])
  })
})

describe('catalogue.remove', () => {
  it('removes tools by name and returns them', () => {
    const catalogue = createCatalogue([{ name: 'a' }, { name: 'b' }, { name: 'c' }])
    expect(namesOf(catalogue.remove('b').removed)).toEqual(['b'])
    expect(namesOf(catalogue.remove(['c', 'a']).removed)).toEqual(['c', 'a'])
    expect(catalogue.size).toBe(0)
    expect(catalogue.get('a')).toBeUndefined()
  })

  it('ignores unknown and repeated names', () => {
    const catalogue = createCatalogue([{ name: 'a' }])
    expect(catalogue.remove('missing')).toMatchObject({ version: 1, removed: [] })
    expect(namesOf(catalogue.remove(['a', 'missing', 'a']).removed)).toEqual(['a'])
    expect(catalogue.version).toBe(2)
  })
})

describe('catalogue.removeSource', () => {
  it('removes exactly the tools of one source', () => {
    const catalogue = createCatalogue([
      { name: 'a', source: 'mcp:git' },
      { name: 'b', source: 'mcp:github' },
      { name: 'mcp__git__c' },
      { name: 'd' },
    ])
    expect(namesOf(catalogue.removeSource('mcp:git').removed)).toEqual(['a', 'mcp__git__c'])
    expect(namesOf(catalogue.tools())).toEqual(['b', 'd'])
  })

  it('does nothing if the source has no tools', () => {
    const catalogue = createCatalogue([{ name: 'a' }])
    expect(catalogue.removeSource('mcp:none')).toMatchObject({ version: 1, removed: [] })
  })
})

describe('catalogue.sync', () => {
  it('adds, replaces and removes tools of a source, and keeps unchanged ones', () => {
    const catalogue = createCatalogue([
      { name: 'keep', source: 'mcp:git' },
      { name: 'own' },
      { name: 'change', description: 'old', source: 'mcp:git' },
      { name: 'drop', source: 'mcp:git' },
    ])
    const kept = catalogue.get('keep')
    const change = catalogue.sync('mcp:git', [
      { name: 'new' },
      { name: 'change', description: 'new' },
      { name: 'keep' },
    ])
    expect(namesOf(change.added)).toEqual(['new'])
    expect(namesOf(change.replaced)).toEqual(['change'])
    expect(namesOf(change.removed)).toEqual(['drop'])
    expect(namesOf(catalogue.tools())).toEqual(['keep', 'own', 'change', 'new'])
    expect(catalogue.get('keep')).toBe(kept)
    expect(change.version).toBe(2)
  })

  it('overrides the source in the definitions', () => {
    const catalogue = createCatalogue()
    catalogue.sync('mcp:git', [{ name: 'a' }, { name: 'b', source: 'builtin' }])
    expect(catalogue.tools().map((tool) => [tool.source, tool.isMcp])).toEqual([
      ['mcp:git', true],
      ['mcp:git', true],
    ])
  })

  it('changes nothing if a server reconnects with the same list', () => {
    const list = [{ name: 'a', inputSchema: { type: 'object' } }, { name: 'b' }]
    const catalogue = createCatalogue()
    catalogue.sync('mcp:git', list)
    const heard: CatalogueChange[] = []
    catalogue.subscribe((change) => heard.push(change))
    const change = catalogue.sync('mcp:git', structuredClone(list).reverse())
    expect(change).toEqual({ version: 1, added: [], replaced: [], removed: [], rejected: [] })
    expect(heard).toEqual([])
    expect(namesOf(catalogue.tools())).toEqual(['a', 'b'])
  })

  it('adds the tools of a removed server again, after the existing ones', () => {
    const catalogue = createCatalogue()
    catalogue.sync('mcp:git', [{ name: 'a' }, { name: 'b' }])
    catalogue.sync('mcp:mail', [{ name: 'c' }])
    catalogue.removeSource('mcp:git')
    catalogue.sync('mcp:git', [{ name: 'a' }, { name: 'b' }])
    expect(namesOf(catalogue.tools())).toEqual(['c', 'a', 'b'])
    expect(catalogue.version).toBe(4)
  })

  it('removes all tools of a source with an empty list', () => {
    const catalogue = createCatalogue([{ name: 'own' }])
    catalogue.sync('mcp:git', [{ name: 'a' }])
    expect(namesOf(catalogue.sync('mcp:git', []).removed)).toEqual(['a'])
    expect(namesOf(catalogue.tools())).toEqual(['own'])
  })

  it('rejects a name that belongs to another source and changes nothing', () => {
    const catalogue = createCatalogue([{ name: 'send', source: 'mcp:mail' }])
    catalogue.sync('mcp:chat', [{ name: 'old' }])
    const list = [{ name: 'new' }, { name: 'send' }]
    expect(() => catalogue.sync('mcp:chat', list)).toThrow(DuplicateToolError)
    expect(namesOf(catalogue.tools())).toEqual(['send', 'old'])

    const change = catalogue.sync('mcp:chat', list, { problems: 'skip' })
    expect(change.rejected.map((error) => error.toolName)).toEqual(['send'])
    expect(catalogue.get('send')?.source).toBe('mcp:mail')
    expect(namesOf(catalogue.tools())).toEqual(['send', 'new'])
  })

  it('replaces a tool of another source with duplicates: replace', () => {
    const catalogue = createCatalogue([{ name: 'send', source: 'mcp:mail' }])
    catalogue.sync('mcp:chat', [{ name: 'send' }], { duplicates: 'replace', problems: 'skip' })
    expect(catalogue.get('send')?.source).toBe('mcp:chat')
  })

  it.each([
    ['a new tool', []],
    ['a changed tool', [{ name: 'a', description: 'before' }]],
    ['an unchanged tool', [{ name: 'a', description: 'first' }]],
  ])('rejects a second definition of %s', (_, before) => {
    const catalogue = createCatalogue()
    catalogue.sync('mcp:git', before)
    const twice = [
      { name: 'a', description: 'first' },
      { name: 'a', description: 'second' },
    ]
    const { rejected } = catalogue.sync('mcp:git', twice, { problems: 'skip' })
    expect(rejected.map((error) => error.code)).toEqual(['duplicate_tool'])
    expect(catalogue.get('a')?.description).toBe('first')
  })

  it('changes nothing if one definition is invalid', () => {
    const catalogue = createCatalogue()
    catalogue.sync('mcp:git', [{ name: 'a' }, { name: 'b' }])
    const list = [{ name: 'c' }, { name: 'b', inputSchema: { default: Number.NaN } }]
    expect(() => catalogue.sync('mcp:git', list)).toThrow(InvalidToolError)
    expect(namesOf(catalogue.tools())).toEqual(['a', 'b'])
    expect(catalogue.version).toBe(1)
  })

  it('rejects a definition that is not an object, like catalogue.add', () => {
    const catalogue = createCatalogue()
    const list = [null, undefined, 'text', 7, ['a']] as unknown as ToolDefinition[]
    const added = catalogue.add(list, { problems: 'skip' })
    const synced = catalogue.sync('mcp:git', list, { problems: 'skip' })
    expect(added.rejected[0]?.message).toBe('The tool at index 0 must be an object, got null')
    expect(messagesOf(synced)).toEqual(messagesOf(added))
  })
})

describe('catalogue.subscribe', () => {
  it('notifies every listener of each change, in subscription order', () => {
    const catalogue = createCatalogue([{ name: 'a' }])
    const heard: string[] = []
    catalogue.subscribe(({ version }) => heard.push(`first ${version}`))
    catalogue.subscribe(({ version }) => heard.push(`second ${version}`))
    catalogue.add({ name: 'b' })
    catalogue.remove('a')
    expect(heard).toEqual(['first 2', 'second 2', 'first 3', 'second 3'])
  })

  it('passes the returned change to listeners after the catalogue has changed', () => {
    const catalogue = createCatalogue()
    const heard: CatalogueChange[] = []
    catalogue.subscribe((change) => {
      heard.push(change)
      expect(catalogue.has('a')).toBe(true)
      expect(catalogue.version).toBe(change.version)
      expect(catalogue.tools()).toHaveLength(1)
    })
    const change = catalogue.add([{ name: 'a' }, { name: '' }], { problems: 'skip' })
    expect(heard).toEqual([change])
    expect(heard[0]?.rejected).toHaveLength(1)
  })

  it('does not notify listeners if nothing changes', () => {
    const catalogue = createCatalogue([{ name: 'a' }])
    const heard: CatalogueChange[] = []
    catalogue.subscribe((change) => heard.push(change))
    catalogue.add([])
    catalogue.add({ name: 'a' }, { duplicates: 'replace' })
    catalogue.add({ name: 'a' }, { problems: 'skip' })
    catalogue.remove('missing')
    catalogue.removeSource('plugin')
    expect(heard).toEqual([])
    expect(catalogue.version).toBe(1)
  })

  it('unsubscribes a listener, even if called twice', () => {
    const catalogue = createCatalogue()
    const heard: number[] = []
    const stop = catalogue.subscribe(({ version }) => heard.push(version))
    catalogue.add({ name: 'a' })
    stop()
    stop()
    catalogue.add({ name: 'b' })
    expect(heard).toEqual([1])
  })

  it('notifies listeners of changes in order, even if a listener makes another change', () => {
    const catalogue = createCatalogue()
    const heard: string[] = []
    catalogue.subscribe(({ removed }) => {
      if (removed.length > 0) catalogue.add({ name: 'a', description: 'again' })
    })
    catalogue.subscribe(({ added, removed }) => {
      for (const tool of removed) heard.push(`- ${tool.name}`)
      for (const tool of added) heard.push(`+ ${tool.name}`)
    })
    catalogue.add({ name: 'a' })
    catalogue.remove('a')
    expect(heard).toEqual(['+ a', '- a', '+ a'])
  })

  it.each([[new Error('first')], [undefined]])(
    'rethrows what a listener throws (%s) after the change and all listeners',
    (thrown) => {
      const catalogue = createCatalogue()
      const heard: number[] = []
      catalogue.subscribe(() => {
        throw thrown
      })
      catalogue.subscribe(({ version }) => {
        heard.push(version)
        throw new Error('second')
      })
      const caught: unknown[] = []
      try {
        catalogue.add({ name: 'a' })
      } catch (error) {
        caught.push(error)
      }
      expect(caught).toEqual([thrown])
      expect(heard).toEqual([1])
      expect(catalogue.has('a')).toBe(true)
    },
  )
})

describe('catalogue after any sequence of changes', () => {
  const definition = fc.record({
    name: fc.constantFrom('a', 'b', 'c', '中', '__proto__'),
    description: fc.constantFrom('', 'one', 'two'),
    source: fc.constantFrom('builtin' as const, 'plugin' as const, 'mcp:git' as const),
  })
  const definitions = fc.array(definition, { maxLength: 4 })
  const source = fc.constantFrom('builtin' as const, 'plugin' as const, 'mcp:git' as const)
  const step = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), definitions }),
    fc.record({ kind: fc.constant('replace' as const), definitions }),
    fc.record({ kind: fc.constant('remove' as const), definitions }),
    fc.record({ kind: fc.constant('removeSource' as const), source }),
    fc.record({ kind: fc.constant('sync' as const), source, definitions }),
  )

  it('can be rebuilt from the changes its listeners received', async () => {
    await checkProperty(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const catalogue = createCatalogue()
        const mirror = new Map<string, Tool>()
        let heard = 0
        catalogue.subscribe(({ version, added, replaced, removed }) => {
          heard++
          expect(version).toBe(heard)
          for (const tool of removed) expect(mirror.delete(tool.name)).toBe(true)
          for (const tool of replaced) expect(mirror.has(tool.name)).toBe(true)
          for (const tool of added) expect(mirror.has(tool.name)).toBe(false)
          for (const tool of [...replaced, ...added]) mirror.set(tool.name, tool)
        })
        for (const one of steps) {
          if (one.kind === 'add') catalogue.add(one.definitions, { problems: 'skip' })
          if (one.kind === 'replace') catalogue.add(one.definitions, { duplicates: 'replace' })
          if (one.kind === 'remove') catalogue.remove(one.definitions.map(({ name }) => name))
          if (one.kind === 'removeSource') catalogue.removeSource(one.source)
          if (one.kind === 'sync') {
            catalogue.sync(one.source, one.definitions, { problems: 'skip' })
            expect(
              catalogue
                .tools()
                .filter((tool) => tool.source === one.source)
                .every((tool) => one.definitions.some(({ name }) => name === tool.name)),
            ).toBe(true)
          }
          expect(catalogue.tools()).toEqual([...mirror.values()])
          expect(catalogue.size).toBe(mirror.size)
          expect(catalogue.version).toBe(heard)
          expect(namesOf(catalogue.sorted())).toEqual([...mirror.keys()].sort())
        }
      }),
    )
  })
})

function namesOf(tools: readonly Tool[]): string[] {
  return tools.map((tool) => tool.name)
}

function check(): boolean {
  return true
}

function messagesOf({ rejected }: CatalogueChange): string[] {
  return rejected.map((error) => error.message)
}

function errorOf(act: () => unknown): Error {
  try {
    act()
  } catch (error) {
    return error as Error
  }
  return expect.fail('nothing was thrown')
}
