import { describe, expect, it } from 'vitest'
import { readDefinition } from '../catalogue/read-definition.ts'
import { toolFingerprint } from '../catalogue/tool-fingerprint.ts'
import { createLoadedDefinitions } from './loaded-definitions.ts'

const tool = (name: string) => readDefinition({ name, description: `About ${name}` })

describe('createLoadedDefinitions', () => {
  it('finds a definition by its fingerprint', () => {
    const definitions = createLoadedDefinitions()
    definitions.remember(tool('a'))
    expect(definitions.find(toolFingerprint(tool('a')))?.description).toBe('About a')
    expect(definitions.find(toolFingerprint(tool('b')))).toBeUndefined()
  })

  it('keeps the definitions used last', () => {
    const definitions = createLoadedDefinitions(2)
    for (const name of ['a', 'b', 'a', 'c']) definitions.remember(tool(name))
    const kept = ['a', 'b', 'c'].filter((name) => definitions.find(toolFingerprint(tool(name))))
    expect(kept).toEqual(['a', 'c'])
  })
})
