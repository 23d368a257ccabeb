import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { readConfig } from './read-config.ts'

const file = 'servers.json'

describe('readConfig', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc
      .array(fc.constantFrom(...'{}[]",:/*$\\', '"mcpServers":', '"a"', '${', 'command', '\n', '1'))
      .map((parts) => parts.join('')),
  )
  it('returns a configuration or problems for any text', async () => {
    await checkProperty(
      fc.property(anyText, (text) => {
        const result = readConfig(text, { file, env: {} })
        if ('problems' in result) expect(result.problems.length).toBeGreaterThan(0)
        else expect(result.config.servers.length).toBeGreaterThan(0)
      }),
    )
  })

  const key = fc.constantFrom(
    'command',
    'args',
    'env',
    'cwd',
    'url',
    'headers',
    'type',
    'disabled',
    'timeout',
    'toolsearch',
    '__proto__',
    'constructor',
    'x',
  )
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom(
      'x',
      'https://x',
      '${A}',
      '${',
      'stdio',
      'sse',
      ['x'],
      { A: 'x' },
      { limits: {} },
      true,
      5000,
    ),
  )
  const name = fc.oneof(fc.string(), fc.constantFrom('a', '__proto__', 'toString', 'a b'))
  it('returns a configuration or problems for anything shaped like a configuration', async () => {
    await checkProperty(
      fc.property(
        fc.dictionary(name, fc.dictionary(key, value)),
        value,
        (mcpServers, toolsearch) => {
          const result = readConfig(JSON.stringify({ mcpServers, toolsearch }), {
            file,
            env: { A: 'b' },
          })
          if ('problems' in result) {
            const incomplete = result.problems.filter(
              ({ line, column, message, fix }) => line !== 1 || column <= 0 || !message || !fix,
            )
            expect(incomplete).toEqual([])
          } else expect(result.config.servers.length).toBe(Object.keys(mcpServers).length)
        },
      ),
    )
  })
})
