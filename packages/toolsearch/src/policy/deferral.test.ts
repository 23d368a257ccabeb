import { describe, expect, it } from 'vitest'
import { readDefinition } from '../catalogue/read-definition.ts'
import type { ToolDefinition } from '../catalogue/tool.ts'
import { type Deferral, type DeferralPolicy, deferralOf } from './deferral.ts'

describe('deferralOf', () => {
  it.each<[string, ToolDefinition, DeferralPolicy, Deferral]>([
    ['defers any tool by default', { name: 'shell' }, {}, 'deferred'],
    ['defers an MCP tool by default', { name: 'mcp__git__log' }, {}, 'deferred'],
    ['uses the default for MCP tools', { name: 'mcp__git__log' }, { mcp: 'eager' }, 'eager'],
    [
      'does not apply the default for MCP tools to others',
      { name: 'shell' },
      { mcp: 'eager', others: 'deferred' },
      'deferred',
    ],
    [
      'does not apply the default for others to MCP tools',
      { name: 'mcp__git__log' },
      { mcp: 'deferred', others: 'eager' },
      'deferred',
    ],
    ['uses the default for others', { name: 'shell' }, { others: 'eager' }, 'eager'],
    [
      'recognises an MCP tool by isMcp, not by its name',
      { name: 'log', isMcp: true },
      { mcp: 'eager' },
      'eager',
    ],
    ['does not defer an eager tool', { name: 'x', loading: 'eager' }, {}, 'eager'],
    [
      'does not defer an eager tool of a deferred source',
      { name: 'mcp__git__log', loading: 'eager' },
      { sources: { 'mcp:git': 'deferred' } },
      'eager',
    ],
    [
      'does not defer a tool with alwaysLoad in its metadata',
      { name: 'mcp__git__log', _meta: { 'anthropic/alwaysLoad': true } },
      { sources: { 'mcp:git': 'deferred' } },
      'eager',
    ],
    [
      'ignores alwaysLoad: false',
      { name: 'mcp__git__log', _meta: { 'anthropic/alwaysLoad': false } },
      {},
      'deferred',
    ],
    [
      'always defers a tool with "deferred"',
      { name: 'x', loading: 'deferred' },
      {},
      'always-deferred',
    ],
    [
      'always defers a tool regardless of its source',
      { name: 'mcp__git__log', loading: 'deferred' },
      { sources: { 'mcp:git': 'eager' }, mcp: 'eager' },
      'always-deferred',
    ],
    [
      'does not defer an eager source',
      { name: 'mcp__git__log' },
      { sources: { 'mcp:git': 'eager' } },
      'eager',
    ],
    [
      'always defers the tools of a source',
      { name: 'mcp__git__log' },
      { sources: { 'mcp:git': 'deferred' }, mcp: 'eager' },
      'always-deferred',
    ],
    [
      'treats an auto source like an unlisted one',
      { name: 'mcp__git__log' },
      { sources: { 'mcp:git': 'auto' }, mcp: 'eager' },
      'eager',
    ],
    [
      'does not affect other sources',
      { name: 'mcp__hub__log' },
      { sources: { 'mcp:git': 'eager' } },
      'deferred',
    ],
    [
      'supports sources that are not servers',
      { name: 'shell' },
      { sources: { builtin: 'eager' } },
      'eager',
    ],
    [
      'does not defer an always-on tool',
      { name: 'mcp__git__log' },
      { alwaysOn: ['mcp__git__log'] },
      'eager',
    ],
    [
      'does not defer an always-on tool even with loading: deferred',
      { name: 'x', loading: 'deferred' },
      { alwaysOn: ['x'] },
      'eager',
    ],
    [
      'matches always-on tools by their full name',
      { name: 'read_file_lines' },
      { alwaysOn: ['read_file'] },
      'deferred',
    ],
  ])('%s', (_, definition, policy, expected) => {
    expect(deferralOf(readDefinition(definition), policy)).toBe(expected)
  })
})
