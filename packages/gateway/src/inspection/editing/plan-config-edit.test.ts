import { describe, expect, it } from 'vitest'
import { editConfig } from '../../config/edit-config.ts'
import type { ConfigEdit } from '../api.ts'
import { planConfigEdit } from './plan-config-edit.ts'

const TEXT = `{
  // Our servers
  "mcpServers": {
    "bank": { "command": "bank" }, // careful
    "mail": {
      "command": "mail",
      "disabled": true,
      "toolsearch": { "deny": ["send"], "hints": { "read": "letters" } }
    }
  },
  "toolsearch": {
    "pins": ["mail/read", "bank/balance"] // always
  }
}
`

function apply(edit: ConfigEdit, text = TEXT): { title: string; text: string } {
  const { title, edits } = planConfigEdit(text, edit)
  return { title, text: editConfig(text, edits) }
}

describe('planConfigEdit', () => {
  it.each<[ConfigEdit, string, string, string]>([
    [
      { action: 'deny', server: 'mail', tool: 'purge' },
      'Deny mail/purge',
      '"deny": ["send"]',
      '"deny": ["send", "purge"]',
    ],
    [
      { action: 'undeny', server: 'mail', tool: 'send' },
      'Allow mail/send',
      '"deny": ["send"], ',
      '',
    ],
    [
      { action: 'pin', server: 'bank', tool: 'list' },
      'Pin bank/list',
      '"bank/balance"]',
      '"bank/balance", "bank/list"]',
    ],
    [{ action: 'unpin', server: 'mail', tool: 'read' }, 'Unpin mail/read', '"mail/read", ', ''],
    [
      { action: 'hint', server: 'mail', tool: 'read', value: 'post' },
      'Set the search hint of mail/read',
      '"letters"',
      '"post"',
    ],
    [
      { action: 'hint', server: 'mail', tool: 'read', value: null },
      'Remove the search hint of mail/read',
      ', "hints": { "read": "letters" }',
      '',
    ],
    [{ action: 'enable', server: 'mail' }, 'Enable mail', '      "disabled": true,\n', ''],
  ])('%j', (edit, title, before, after) => {
    expect(apply(edit)).toEqual({ title, text: TEXT.replace(before, after) })
  })

  it('creates what is missing and keeps comments', () => {
    const { text } = apply({ action: 'deny', server: 'bank', tool: 'transfer' })
    expect(text).toContain('"deny"')
    for (const comment of ['// Our servers', '// careful', '// always'])
      expect(text).toContain(comment)
    expect(apply({ action: 'disable', server: 'bank' }).text).toContain('"disabled": true')
  })

  it('takes back what it did', () => {
    const edits: [ConfigEdit, ConfigEdit][] = [
      [
        { action: 'disable', server: 'bank' },
        { action: 'enable', server: 'bank' },
      ],
      [
        { action: 'pin', server: 'bank', tool: 'list' },
        { action: 'unpin', server: 'bank', tool: 'list' },
      ],
      [
        { action: 'deny', server: 'mail', tool: 'purge' },
        { action: 'allow', server: 'mail', tool: 'purge' },
      ],
    ]
    for (const [edit, opposite] of edits) {
      expect(JSON.stringify(apply(opposite, apply(edit).text).text)).toBe(JSON.stringify(TEXT))
    }
  })

  it.each<ConfigEdit>([
    { action: 'deny', server: 'mail', tool: 'send' },
    { action: 'disable', server: 'mail' },
    { action: 'enable', server: 'bank' },
    { action: 'pin', server: 'mail', tool: 'read' },
    { action: 'unpin', server: 'mail', tool: 'send' },
    { action: 'override', server: 'mail', tool: 'send', value: null },
  ])('changes nothing if the file already says so: %j', (edit) => {
    expect(planConfigEdit(TEXT, edit).edits).toEqual([])
  })

  it('removes objects that become empty', () => {
    const text = '{ "mcpServers": { "a": { "command": "x", "toolsearch": { "deny": ["t"] } } } }'
    const after = apply({ action: 'allow', server: 'a', tool: 't' }, text).text
    expect(JSON.parse(after)).toEqual({ mcpServers: { a: { command: 'x' } } })
  })

  it('adds a tool to an allow list', () => {
    const text = '{ "servers": { "a": { "command": "x", "toolsearch": { "allow": ["t"] } } } }'
    const after = apply({ action: 'allow', server: 'a', tool: 'u' }, text).text
    expect(JSON.parse(after).servers.a.toolsearch).toEqual({ allow: ['t', 'u'] })
  })

  it('never turns a name into an effect or a pattern', () => {
    const denied = (tool: string) =>
      JSON.parse(
        apply({ action: 'deny', server: 'a', tool }, '{ "servers": { "a": { "command": "x" } } }')
          .text,
      ).servers.a
    expect(denied('write')).toEqual({ command: 'x', disabledTools: ['write'] })
    expect(denied('get_*')).toEqual({ command: 'x', disabledTools: ['get_*'] })
    expect(denied('write_file')).toEqual({ command: 'x', toolsearch: { deny: ['write_file'] } })
  })

  it('explains what it cannot do', () => {
    const pattern = '{ "servers": { "a": { "command": "x", "toolsearch": { "deny": ["t*"] } } } }'
    const allow = { action: 'allow', server: 'a', tool: 'tt' } as const
    expect(() => planConfigEdit(pattern, allow)).toThrow('No rule names a/tt itself')
    expect(() => planConfigEdit(TEXT, { action: 'enable', server: 'none' })).toThrow(
      'There is no server "none"',
    )
    expect(() => planConfigEdit(TEXT, { action: 'enable', server: '__proto__' })).toThrow(
      'no server',
    )
  })
})
