import { describe, expect, it } from 'vitest'
import { defaultMode, unsupportedReason } from './openai-modes.ts'

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

describe('OpenAI modes', () => {
  it.each(older)('%s supports only the modes without required features', (model) => {
    expect(defaultMode(model)).toBe('bridge')
    expect(unsupportedReason('hosted', model)).toContain(model)
    expect(unsupportedReason('client', model)).toContain(model)
    expect(unsupportedReason('append', model)).toBeUndefined()
    expect(unsupportedReason('bridge', model)).toBeUndefined()
  })

  it.each([...newer, undefined])('%s supports every mode', (model) => {
    expect(defaultMode(model)).toBe('client')
    expect(unsupportedReason('hosted', model)).toBeUndefined()
  })

  it.each(['gpt-oss-120b', 'MiniMax-M2', 'my-deployment'])(
    'unknown model %s defaults to bridge, but accepts every mode',
    (model) => {
      expect(defaultMode(model)).toBe('bridge')
      expect(unsupportedReason('client', model)).toBeUndefined()
    },
  )
})
