import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { atomicWrite, PRIVATE_MODE } from './atomic-write.ts'

const root = mkdtempSync(join(tmpdir(), 'toolsearch-write-'))

const newFile = () => join(mkdtempSync(join(root, 'one-')), 'file.json')
const modeOf = (file: string) => statSync(file).mode & 0o777

describe('atomicWrite', () => {
  it('creates missing folders and a file that only its owner can read', async () => {
    const file = join(newFile(), 'deep', 'file.json')
    await atomicWrite(file, 'new')
    expect(readFileSync(file, 'utf8')).toBe('new')
    expect(modeOf(file)).toBe(0o600)
    expect(readdirSync(join(file, '..'))).toEqual(['file.json'])
  })

  it('keeps the permissions of the file it replaces', async () => {
    const file = newFile()
    writeFileSync(file, 'old')
    chmodSync(file, 0o664)
    await atomicWrite(file, 'new')
    expect(readFileSync(file, 'utf8')).toBe('new')
    expect(modeOf(file)).toBe(0o664)
  })

  it('sets the requested permissions on a file that others could read', async () => {
    const file = newFile()
    writeFileSync(file, 'old', { mode: 0o644 })
    await atomicWrite(file, 'new', { mode: PRIVATE_MODE })
    expect(modeOf(file)).toBe(0o600)
  })

  it('writes through a symbolic link', async () => {
    const target = newFile()
    writeFileSync(target, 'old')
    const link = newFile()
    symlinkSync(target, link)
    await atomicWrite(link, 'new')
    expect(readFileSync(target, 'utf8')).toBe('new')
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
  })

  it('rejects and leaves no temporary file behind when the file cannot be replaced', async () => {
    const folder = newFile()
    mkdirSync(join(folder, 'child'), { recursive: true })
    await expect(atomicWrite(folder, 'new')).rejects.toThrow()
    expect(readdirSync(join(folder, '..'))).toEqual(['file.json'])
  })
})
