import { parse } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { ConfigEditError, editConfig } from './edit-config.ts'

const commented = `{
  // all my servers
  "mcpServers": {
    "git": { "command": "uvx" }, // version control
    // reads files
    "files": {
      "command": "npx" /* from npm */
    } // local only
  }
}
`

describe('editConfig', () => {
  it.each([
    [
      'adds after the last property and its comment',
      commented,
      { path: ['mcpServers', 'web'], value: { url: 'https://x' } },
      commented.replace(
        '} // local only',
        '}, // local only\n    "web": {\n      "url": "https://x"\n    }',
      ),
    ],
    [
      'removes the first property and keeps the comments around it',
      commented,
      { path: ['mcpServers', 'git'], value: undefined },
      commented.replace('    "git": { "command": "uvx" }, //', '    //'),
    ],
    [
      'removes the last property and leaves no trailing comma',
      commented,
      { path: ['mcpServers', 'files'], value: undefined },
      `{
  // all my servers
  "mcpServers": {
    "git": { "command": "uvx" } // version control
    // reads files
    // local only
  }
}
`,
    ],
    [
      'replaces a value in place',
      commented,
      { path: ['mcpServers', 'git', 'command'], value: 'npx' },
      commented.replace('uvx', 'npx'),
    ],
    [
      'creates missing parents',
      '{\n  "a": 1\n}\n',
      { path: ['toolsearch', 'limits', 'callMs'], value: 5 },
      '{\n  "a": 1,\n  "toolsearch": {\n    "limits": {\n      "callMs": 5\n    }\n  }\n}\n',
    ],
    [
      'starts a file',
      '',
      { path: ['mcpServers', 'a', 'command'], value: 'x' },
      '{\n  "mcpServers": {\n    "a": {\n      "command": "x"\n    }\n  }\n}\n',
    ],
    [
      'appends to a list',
      '{\n  "deny": [\n    "a" // first\n  ]\n}\n',
      { path: ['deny', -1], value: 'b' },
      '{\n  "deny": [\n    "a", // first\n    "b"\n  ]\n}\n',
    ],
    [
      'appends to a list on one line',
      '{\n  "deny": ["a"]\n}\n',
      { path: ['deny', -1], value: 'b' },
      '{\n  "deny": ["a", "b"]\n}\n',
    ],
    [
      'adds to an object on one line',
      commented,
      { path: ['mcpServers', 'git', 'disabled'], value: true },
      commented.replace('"uvx" }', '"uvx", "disabled": true }'),
    ],
    [
      'creates a list',
      '{\n  "a": 1\n}\n',
      { path: ['deny', -1], value: 'b' },
      '{\n  "a": 1,\n  "deny": [\n    "b"\n  ]\n}\n',
    ],
    [
      'removes an item',
      '{ "deny": ["a", "b", "c"] }',
      { path: ['deny', 1], value: undefined },
      '{ "deny": ["a", "c"] }',
    ],
    [
      'accepts a trailing comma',
      '{\n  "a": 1,\n}\n',
      { path: ['b'], value: 2 },
      '{\n  "a": 1,\n  "b": 2\n}\n',
    ],
    [
      'uses tabs and Windows line endings where the file does',
      '{\r\n\t"a": 1\r\n}\r\n',
      { path: ['b'], value: { c: 2 } },
      '{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": 2\r\n\t}\r\n}\r\n',
    ],
    [
      'uses the indentation of the file',
      '{\n    "a": 1\n}\n',
      { path: ['b'], value: { c: 2 } },
      '{\n    "a": 1,\n    "b": {\n        "c": 2\n    }\n}\n',
    ],
    ['keeps a byte order mark', '\uFEFF{ "a": 1 }', { path: ['a'], value: 2 }, '\uFEFF{ "a": 2 }'],
    [
      'replaces null with an object',
      '{\n  "toolsearch": null\n}\n',
      { path: ['toolsearch', 'mode'], value: 'auto' },
      '{\n  "toolsearch": {\n    "mode": "auto"\n  }\n}\n',
    ],
    [
      'does nothing to remove what is missing',
      commented,
      { path: ['nope', 'x'], value: undefined },
      commented,
    ],
  ])('%s', (_, before, edit, after) => {
    expect(editConfig(before, [edit])).toBe(after)
  })

  it('applies edits one after the other', () => {
    const after = editConfig('{"mcpServers":{"a":{"command":"x"}}}', [
      { path: ['mcpServers', 'b', 'url'], value: 'https://b' },
      { path: ['mcpServers', 'a'], value: undefined },
      { path: ['mcpServers', 'b', 'disabled'], value: true },
    ])
    expect(parse(after)).toEqual({ mcpServers: { b: { url: 'https://b', disabled: true } } })
  })

  it.each([
    ['{ "a": ', ['a'], 'Line 1'],
    ['{ "a": 5 }', ['a', 'b'], '"a"'],
    ['{ "a": {} }', ['a', 0], 'list'],
    ['[]', ['a'], 'the file'],
  ])('refuses to edit %s at %j', (text, path, message) => {
    expect(() => editConfig(text, [{ path, value: 1 }])).toThrow(ConfigEditError)
    expect(() => editConfig(text, [{ path, value: 1 }])).toThrow(message)
  })
})
