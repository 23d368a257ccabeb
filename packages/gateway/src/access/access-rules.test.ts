import type { ToolAnnotations } from 'toolsearch'
import { describe, expect, it } from 'vitest'
import type { AccessSettings } from '../config/gateway-config.ts'
import { hidingRule, readAccessRules } from './access-rules.ts'
import { matchesPattern, readPattern } from './name-pattern.ts'

const open: AccessSettings = { deny: [], readOnly: false }
const read = { readOnlyHint: true }
const write = { destructiveHint: false }

function isHidden(
  path: string,
  settings: Partial<AccessSettings>,
  { annotations = {}, scope = 'gateway' }: Options = {},
): boolean {
  const [server = '', name = ''] = path.split('/')
  const rules = readAccessRules({ ...open, ...settings }, scope)
  return hidingRule({ server, name, annotations }, rules) !== undefined
}

interface Options {
  readonly annotations?: ToolAnnotations
  readonly scope?: 'gateway' | 'server'
}

describe('matchesPattern', () => {
  it.each([
    ['transfer_*', 'transfer_money', true],
    ['transfer_*', 'transfer_', true],
    ['transfer_*', 'wire_transfer_x', false],
    ['*_money', 'transfer_money', true],
    ['*', '', true],
    ['*a*b*', 'xaxbx', true],
    ['*a*b*', 'xbxax', false],
    ['ab*ba', 'aba', false],
    ['a.c', 'abc', false],
    ['Echo', 'echo', false],
  ])('%s and %s: %s', (pattern, text, expected) => {
    expect(matchesPattern(readPattern(pattern), text)).toBe(expected)
  })

  it('does not backtrack', () => {
    expect(matchesPattern(readPattern(`${'a*'.repeat(500)}b`), 'a'.repeat(100_000))).toBe(false)
  })
})

describe('access rules', () => {
  it('match names and patterns', () => {
    const deny = ['transfer_*', 'wipe']
    expect(isHidden('bank/transfer_money', { deny })).toBe(true)
    expect(isHidden('bank/wipe', { deny })).toBe(true)
    expect(isHidden('bank/wipe_all', { deny })).toBe(false)
  })

  it('match a server and a tool', () => {
    const deny = ['github/*', '*/delete_*']
    expect(isHidden('github/list', { deny })).toBe(true)
    expect(isHidden('gitlab/list', { deny })).toBe(false)
    expect(isHidden('gitlab/delete_repo', { deny })).toBe(true)
    expect(isHidden('github/x', { deny: ['git*/x'] })).toBe(true)
  })

  it('of a server treat a slash as part of the name', () => {
    const tool = { server: 'files', name: 'a/b', annotations: {} }
    const rules = readAccessRules({ ...open, deny: ['a/b'] }, 'server')
    expect(hidingRule(tool, rules)).toBe('deny[0]')
  })

  it('match effects', () => {
    expect(isHidden('a/x', { deny: ['write'] }, { annotations: write })).toBe(true)
    expect(isHidden('a/x', { deny: ['write'] }, { annotations: read })).toBe(false)
    expect(isHidden('a/x', { deny: ['destructive'] })).toBe(true)
    expect(isHidden('a/x', { allow: ['read'] }, { annotations: read })).toBe(false)
    expect(isHidden('a/x', { allow: ['read', 'write'] })).toBe(true)
  })

  it('treat a tool as open-world unless it says otherwise, as MCP does', () => {
    const deny = ['open-world']
    expect(isHidden('a/x', { deny })).toBe(true)
    expect(isHidden('a/x', { deny }, { annotations: { openWorldHint: false } })).toBe(false)
  })

  it('take the stricter reading for a tool that is named like an effect', () => {
    expect(isHidden('a/write', { deny: ['write'] })).toBe(true)
    expect(isHidden('a/read', { allow: ['read'] })).toBe(true)
    expect(isHidden('a/read', { allow: ['tool:read'] })).toBe(false)
    expect(isHidden('a/read', { allow: ['tool:read'] }, { scope: 'server' })).toBe(false)
    expect(isHidden('a/x', { deny: ['tool:destructive'] })).toBe(false)
  })

  it('permit nothing with an empty allow list', () => {
    expect(isHidden('a/x', { allow: [] }, { annotations: read })).toBe(true)
  })

  it('permit only read-only tools with readOnly', () => {
    expect(isHidden('a/x', { readOnly: true }, { annotations: read })).toBe(false)
    expect(isHidden('a/x', { readOnly: true }, { annotations: write })).toBe(true)
    expect(isHidden('a/x', { readOnly: true })).toBe(true)
  })

  it('let deny overrule allow', () => {
    expect(isHidden('a/x', { allow: ['x'], deny: ['a/*'] }, { annotations: read })).toBe(true)
  })
})
