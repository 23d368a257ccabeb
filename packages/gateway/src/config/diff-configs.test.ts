import { describe, expect, it } from 'vitest'
import { diffConfigs, isUnchanged } from './diff-configs.ts'
import type { GatewayConfig } from './gateway-config.ts'
import { readConfig } from './read-config.ts'

function config(mcpServers: object, toolsearch: object = {}): GatewayConfig {
  const result = readConfig(JSON.stringify({ mcpServers, toolsearch }), { file: 'x.json', env: {} })
  if ('problems' in result) throw new Error(JSON.stringify(result.problems))
  return result.config
}

describe('diffConfigs', () => {
  it('tells apart what came, went, changed and stayed', () => {
    const before = config({ a: { command: 'a' }, b: { command: 'b' }, c: { command: 'c' } })
    const after = config({ d: { command: 'd' }, c: { command: 'c2' }, b: { command: 'b' } })
    const diff = diffConfigs(before, after)
    expect(diff.added.map(({ name }) => name)).toEqual(['d'])
    expect(diff.removed.map(({ name }) => name)).toEqual(['a'])
    expect(diff.changed.map(({ after, reconnect }) => [after.name, reconnect])).toEqual([
      ['c', true],
    ])
    expect(diff.kept.map(({ name }) => name)).toEqual(['b'])
    expect(diff.settingsChanged).toBe(false)
    expect(isUnchanged(diff)).toBe(false)
  })

  it.each([
    ['a hint', { command: 'a', toolsearch: { hints: { x: 'y' } } }, false],
    ['a limit', { command: 'a', timeout: 5000 }, false],
    ['a variable', { command: 'a', env: { A: 'b' } }, true],
    ['being disabled', { command: 'a', disabled: true }, true],
  ])('says whether %s needs a new connection', (_, entry, reconnect) => {
    const { changed } = diffConfigs(config({ a: { command: 'a' } }), config({ a: entry }))
    expect(changed.map((change) => change.reconnect)).toEqual([reconnect])
  })

  it('sees a new mode, and nothing in a new order', () => {
    const one = config({ a: { command: 'a' }, b: { command: 'b' } })
    expect(
      isUnchanged(diffConfigs(one, config({ b: { command: 'b' }, a: { command: 'a' } }))),
    ).toBe(true)
    const other = config({ a: { command: 'a' }, b: { command: 'b' } }, { mode: 'auto' })
    expect(diffConfigs(one, other)).toMatchObject({ settingsChanged: true, changed: [] })
  })
})
