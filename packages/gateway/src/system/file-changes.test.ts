import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFileChanges, FileChangeError } from './file-changes.ts'

const root = mkdtempSync(join(tmpdir(), 'toolsearch-changes-'))

function setUp() {
  const folder = mkdtempSync(join(root, 'one-'))
  const undo = join(folder, 'undo')
  const at = (name: string) => join(folder, name)
  const text = (name: string) => readFileSync(at(name), 'utf8')
  return { undo, at, text, changes: createFileChanges(undo) }
}

describe('createFileChanges', () => {
  it('restores files and deletes the ones that the change created', async () => {
    const { at, text, changes } = setUp()
    writeFileSync(at('old.json'), 'before')
    chmodSync(at('old.json'), 0o640)
    await changes.write('Import', [
      { file: at('new.json'), text: 'created' },
      { file: at('old.json'), text: 'after' },
    ])
    expect([text('new.json'), text('old.json')]).toEqual(['created', 'after'])
    expect(await changes.undo()).toEqual({
      restored: [at('old.json'), at('new.json')],
      title: 'Import',
    })
    expect(text('old.json')).toBe('before')
    expect(statSync(at('old.json')).mode & 0o777).toBe(0o640)
    expect(existsSync(at('new.json'))).toBe(false)
    expect(await changes.undo()).toBeUndefined()
  })

  it('undoes the latest change first, or the one with the given id', async () => {
    const { at, text, changes } = setUp()
    await changes.write('one', [{ file: at('a'), text: '1' }])
    const { id } = await changes.write('other', [{ file: at('b'), text: 'b' }])
    await changes.write('two', [{ file: at('a'), text: '2' }])
    expect((await changes.list()).map(({ title, files }) => [title, files])).toEqual([
      ['two', [at('a')]],
      ['other', [at('b')]],
      ['one', [at('a')]],
    ])
    expect(await changes.undo(id)).toMatchObject({ title: 'other' })
    expect(await changes.undo(id)).toBeUndefined()
    expect(await changes.undo()).toMatchObject({ title: 'two' })
    expect(text('a')).toBe('1')
    expect(existsSync(at('b'))).toBe(false)
  })

  it('restores nothing if one of the files was edited or deleted since', async () => {
    const { at, text, changes } = setUp()
    writeFileSync(at('a'), 'a')
    writeFileSync(at('b'), 'b')
    writeFileSync(at('c'), 'c')
    const files = ['a', 'b', 'c'].map((name) => ({ file: at(name), text: 'new' }))
    await changes.write('x', files)
    writeFileSync(at('b'), 'mine')
    rmSync(at('c'))
    expect(await changes.undo()).toEqual({ conflict: [at('b'), at('c')] })
    expect([text('a'), text('b')]).toEqual(['new', 'mine'])
    expect(await changes.list()).toHaveLength(1)
  })

  it('completes an undo that was interrupted', async () => {
    const { at, text, changes } = setUp()
    writeFileSync(at('a'), 'a')
    writeFileSync(at('b'), 'b')
    await changes.write('x', [
      { file: at('a'), text: 'new' },
      { file: at('b'), text: 'new' },
      { file: at('c'), text: 'new' },
    ])
    writeFileSync(at('b'), 'b')
    rmSync(at('c'))
    await changes.undo()
    expect([text('a'), text('b'), existsSync(at('c'))]).toEqual(['a', 'b', false])
  })

  it('writes all files or none', async () => {
    const { at, text, changes } = setUp()
    writeFileSync(at('a'), 'a')
    mkdirSync(at('folder'))
    writeFileSync(at('parent'), 'a file')
    const error = await changes
      .write('x', [
        { file: at('a'), text: 'new' },
        { file: at('b'), text: 'new' },
        { file: join(at('parent'), 'child'), text: 'new' },
      ])
      .catch((thrown) => thrown)
    expect(error).toBeInstanceOf(FileChangeError)
    expect(error).toMatchObject({ file: join(at('parent'), 'child') })
    expect([text('a'), existsSync(at('b'))]).toEqual(['a', false])
    expect(await changes.list()).toEqual([])
  })

  it('records nothing if nothing changes', async () => {
    const { at, changes } = setUp()
    writeFileSync(at('a'), 'a')
    await changes.write('x', [{ file: at('a'), text: 'a' }])
    expect(await changes.list()).toEqual([])
  })

  it('keeps the last 20 changes, readable by the owner only', async () => {
    const { undo, at, changes } = setUp()
    for (let count = 1; count <= 22; count++) {
      await changes.write(`change ${count}`, [{ file: at('a'), text: String(count) }])
    }
    const titles = (await changes.list()).map(({ title }) => title)
    expect(titles).toHaveLength(20)
    expect([titles[0], titles.at(-1)]).toEqual(['change 22', 'change 3'])
    expect(statSync(undo).mode & 0o777).toBe(0o700)
    expect(readdirSync(undo).map((name) => statSync(join(undo, name)).mode & 0o777)).toEqual(
      Array(20).fill(0o600),
    )
  })

  it('restores content that is not UTF-8', async () => {
    const { at, changes } = setUp()
    const bytes = Buffer.from([0xff, 0xfe, 0x7b, 0x00])
    writeFileSync(at('a'), bytes)
    await changes.write('x', [{ file: at('a'), text: 'new' }])
    await changes.undo()
    expect(readFileSync(at('a'))).toEqual(bytes)
  })

  it('ignores damaged records', async () => {
    const { undo, at, changes } = setUp()
    await changes.write('x', [{ file: at('a'), text: 'new' }])
    writeFileSync(join(undo, '1-abc.json'), '{ "fil')
    expect(await changes.list()).toHaveLength(1)
  })

  it('does not mix up changes that are written at the same time', async () => {
    const { at, changes } = setUp()
    await Promise.all(['1', '2', '3'].map((text) => changes.write(text, [{ file: at('a'), text }])))
    while (await changes.undo()) {}
    expect(existsSync(at('a'))).toBe(false)
  })
})
