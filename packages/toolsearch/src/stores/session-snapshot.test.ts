import { describe, expect, it } from 'vitest'
import { ToolSearchError } from '../tool-search-error.ts'
import { InvalidSnapshotError, readSnapshot } from './session-snapshot.ts'

const record = {
  loaded: [{ name: 'read_file', fingerprint: '1' }],
  active: true,
  sent: ['read_file'],
  announced: '0123456789abcdef',
}

describe('readSnapshot', () => {
  it.each([
    ['with an announcement', { version: 2, id: 'a', record: { ...record, announcement: 'list' } }],
    ['without an announcement', { version: 2, id: '', record }],
    ['after a request with all tools', { version: 2, id: 'a', record: { ...record, seen: 'all' } }],
    [
      'with an allow-list',
      { version: 2, id: 'a', record, visible: ['read_file'], visibleSources: ['mcp:hub'] },
    ],
    ['of a session restricted by a function', { version: 2, id: 'a', record, visible: 'function' }],
    [
      'of an empty session',
      { version: 2, id: 'a', record: { loaded: [], active: false, sent: [] } },
    ],
  ])('accepts a snapshot %s', (_, snapshot) => {
    expect(readSnapshot(JSON.parse(JSON.stringify(snapshot)))).toEqual(snapshot)
  })

  it('drops unknown fields', () => {
    const snapshot = { version: 2, id: 'a', record: { ...record, colour: 'red' }, more: 1 }
    expect(readSnapshot(snapshot)).toEqual({ version: 2, id: 'a', record })
  })

  it.each([
    ['undefined', undefined, 'it is not an object'],
    ['null', null, 'it is not an object'],
    ['unparsed JSON', '{"version":2}', 'it is not an object'],
    ['an array', [], 'it is not an object'],
    ['a missing version', { id: 'a', record }, 'version is undefined, not 2'],
    ['an earlier version', { version: 1, id: 'a', record }, 'version is 1, not 2'],
    ['a missing id', { version: 2, record }, 'id is not a string'],
    ['a number as id', { version: 2, id: 7, record }, 'id is not a string'],
    ['a missing record', { version: 2, id: 'a' }, 'record is not an object'],
    ['an array as record', { version: 2, id: 'a', record: [] }, 'record is not an object'],
    [
      'a missing "loaded"',
      { version: 2, id: 'a', record: { ...record, loaded: undefined } },
      'record.loaded is not a list of names with fingerprints',
    ],
    [
      'names without fingerprints in "loaded"',
      { version: 2, id: 'a', record: { ...record, loaded: ['read_file'] } },
      'record.loaded is not a list of names with fingerprints',
    ],
    [
      'a loaded tool without a fingerprint',
      { version: 2, id: 'a', record: { ...record, loaded: [{ name: 'read_file' }] } },
      'record.loaded is not a list of names with fingerprints',
    ],
    [
      '"active" that is not a boolean',
      { version: 2, id: 'a', record: { ...record, active: 'yes' } },
      'record.active is not a boolean',
    ],
    [
      '"sent" that is not an array',
      { version: 2, id: 'a', record: { ...record, sent: 'read_file' } },
      'record.sent is not a list of names',
    ],
    [
      '"sent" with a number',
      { version: 2, id: 'a', record: { ...record, sent: [1] } },
      'record.sent is not a list of names',
    ],
    [
      'announced names',
      { version: 2, id: 'a', record: { ...record, announced: ['write_file'] } },
      'record.announced is not a string',
    ],
    [
      'an unknown "seen"',
      { version: 2, id: 'a', record: { ...record, seen: true } },
      'record.seen is neither "automatic" nor "all"',
    ],
    [
      'a "visible" that is not a list',
      { version: 2, id: 'a', record, visible: 'read_file' },
      'visible is not a list of names',
    ],
    [
      'a "visible" that is null',
      { version: 2, id: 'a', record, visible: null },
      'visible is not a list of names',
    ],
    [
      '"visibleSources" with a number',
      { version: 2, id: 'a', record, visibleSources: [1] },
      'visibleSources is not a list of names',
    ],
    [
      'an announcement that is not a string',
      { version: 2, id: 'a', record: { ...record, announcement: null } },
      'record.announcement is not a string',
    ],
    [
      'a notice without a place',
      { version: 2, id: 'a', record: { ...record, notices: [{ text: 'x' }] } },
      'record.notices is not a list of texts with places',
    ],
  ])('rejects %s with a reason', (_, json, problem) => {
    expect(() => readSnapshot(json)).toThrow(InvalidSnapshotError)
    expect(() => readSnapshot(json)).toThrow(`Not a valid session snapshot: ${problem}.`)
  })

  it('quotes a version that is a string in its message', () => {
    expect(() => readSnapshot({ version: '2', id: 'a', record })).toThrow(InvalidSnapshotError)
    expect(() => readSnapshot({ version: '2', id: 'a', record })).not.toThrow('is 2, not 2')
  })

  it('throws an error with a code', () => {
    const error = new InvalidSnapshotError('it is a fish')
    expect(error).toBeInstanceOf(ToolSearchError)
    expect(error).toMatchObject({ code: 'invalid_snapshot', name: 'InvalidSnapshotError' })
  })
})
