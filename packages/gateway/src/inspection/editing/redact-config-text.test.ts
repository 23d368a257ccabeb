import { describe, expect, it } from 'vitest'
import { redactConfigText } from './redact-config-text.ts'

describe('redactConfigText', () => {
  it('masks secrets and keeps everything else in place', () => {
    const text = `{
  // bank
  "mcpServers": {
    "bank": {
      "command": "bank", "args": ["--token", "abc", "--verbose"],
      "env": { "KEY": "hunter2", "REGION": "\${REGION}" }
    },
    "far": { "url": "https://x.dev/mcp?key=abc", "headers": { "Authorization": "Bearer abc" } },
  }
}`
    expect(redactConfigText(text)).toBe(`{
  // bank
  "mcpServers": {
    "bank": {
      "command": "bank", "args": ["--token", "***", "--verbose"],
      "env": { "KEY": "***", "REGION": "\${REGION}" }
    },
    "far": { "url": "https://x.dev/mcp?key=***", "headers": { "Authorization": "***" } },
  }
}`)
  })

  it.each(['', '{', '[]', '{ "mcpServers": 3 }'])('leaves %j as it is', (text) => {
    expect(redactConfigText(text)).toBe(text)
  })
})
