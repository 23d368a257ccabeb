import { describe, expect, it } from 'vitest'
import { readDefinition } from '../catalogue/read-definition.ts'
import type { ToolDefinition } from '../catalogue/tool.ts'
import { type Deferral, type DeferralPolicy, deferralOf } from './deferral.ts'

describe('deferralOf', () => {
  it.each<[string, ToolDefinition, DeferralPolicy, Deferral]>([
    ['defers any tool by default', { name: 'shell' }, {}, 'deferred'],
    ['defers an MCP tool by default', { name: 'mcp__git__log' }, {}, 'deferred'],
    ['follows the default for MCP tools', { name: 'mcp__git__log' }, { mcp: 'eager' }, 'eager'],
    [
      'keeps the default for MCP tools from others',
      { name: 'shell' },
      { mcp: 'eager', others: 'deferred' },
      'deferred',
    ],
    [
      'keeps the default for others from MCP tools',
      { name: 'mcp__git__log' },
      { mcp: 'deferred', others: 'eager' },
      'deferred',
    ],
    ['follows the default for others', { name: 'shell' }, { others: 'eager' }, 'eager'],
    [
      'knows an MCP tool by what it says, not by its name alone',
      { name: 'log', isMcp: true },
      { mcp: 'eager' },
      'eager',
    ],
    ['sends an eager tool up front', { name: 'x', loading: 'eager' }, {}, 'eager'],
    [
      'sends an eager tool of a deferred source up front',
      { name: 'mcp__git__log', loading: 'eager' },
      { sources: { 'mcp:git': 'deferred' } },
      'eager',
    ],
    [
      'sends a tool with alwaysLoad in its metadata up front',
      { name: 'mcp__git__log', _meta: { 'anthropic/alwaysLoad': true } },
      { sources: { 'mcp:git': 'deferred' } },
      'eager',
    ],
    [
      'does not take alwaysLoad: false for a wish',
      { name: 'mcp__git__log', _meta: { 'anthropic/alwaysLoad': false } },
      {},
      'deferred',
    ],
    ['defers a tool on request', { name: 'x', loading: 'deferred' }, {}, 'deferred-on-request'],
    [
      'defers a tool on request whatever its source says',
      { name: 'mcp__git__log', loading: 'deferred' },
      { sources: { 'mcp:git': 'eager' }, mcp: 'eager' },
      'deferred-on-request',
    ],
    [
      'sends a source up front',
      { name: 'mcp__git__log' },
      { sources: { 'mcp:git': 'eager' } },
      'eager',
    ],
    [
      'defers a source on request',
      { name: 'mcp__git__log' },
      { sources: { 'mcp:git': 'deferred' }, mcp: 'eager' },
      'deferred-on-request',
    ],
    [
      'takes an automatic source for one not mentioned',
      { name: 'mcp__git__log' },
      { sources: { 'mcp:git': 'auto' }, mcp: 'eager' },
      'eager',
    ],
    [
      'leaves other sources alone',
      { name: 'mcp__hub__log' },
      { sources: { 'mcp:git': 'eager' } },
      'deferred',
    ],
    [
      'has a source for tools of no server too',
      { name: 'shell' },
      { sources: { builtin: 'eager' } },
      'eager',
    ],
    [
      'sends what is always on',
      { name: 'mcp__git__log' },
      { alwaysOn: ['mcp__git__log'] },
      'eager',
    ],
    [
      'sends what is always on even if it asks to be deferred',
      { name: 'x', loading: 'deferred' },
      { alwaysOn: ['x'] },
      'eager',
    ],
    [
      'takes always on by the whole name',
      { name: 'read_file_lines' },
      { alwaysOn: ['read_file'] },
      'deferred',
    ],
  ])('%s', (_, definition, policy, expected) => {
    expect(deferralOf(readDefinition(definition), policy)).toBe(expected)
  })
})
