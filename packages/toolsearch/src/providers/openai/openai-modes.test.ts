import { describe, expect, it } from 'vitest'
import { defaultMode, modeRefusal } from './openai-modes.ts'

const older = [
  'gpt-3.5-turbo',
  'gpt-35-turbo',
  'gpt-4',
  'gpt-4o-mini',
  'gpt-4.1',
  'gpt-5',
  'gpt-5-mini',
  'gpt-5.1',
  'gpt-5.2-2025-12-11',
  'gpt-5.3-codex',
  'openai/gpt-5',
  'ft:gpt-4.1:us::1',
  'o1',
  'o3-pro',
  'openai/o4-mini',
]
const newer = ['gpt-5.4', 'gpt-5.4-mini', 'gpt-5.6-luna', 'gpt-5.10', 'gpt-6', 'openai/gpt-5.5']

describe('the modes of a model', () => {
  it.each(older)('%s has only what needs nothing of it', (model) => {
    expect(defaultMode(model)).toBe('bridge')
    expect(modeRefusal('hosted', model)).toContain(model)
    expect(modeRefusal('client', model)).toContain(model)
    expect(modeRefusal('additional-tools', model)).toContain(model)
    expect(modeRefusal('append', model)).toBeUndefined()
    expect(modeRefusal('bridge', model)).toBeUndefined()
  })

  it.each([...newer, undefined])('%s has every mode', (model) => {
    expect(defaultMode(model)).toBe('client')
    expect(modeRefusal('hosted', model)).toBeUndefined()
  })

  it.each(['gpt-oss-120b', 'MiniMax-M2', 'my-deployment'])(
    'of %s nothing is known: it has the bridge unless the caller knows better',
    (model) => {
      expect(defaultMode(model)).toBe('bridge')
      expect(modeRefusal('client', model)).toBeUndefined()
    },
  )
})
