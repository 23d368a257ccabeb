import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { currentRun } from './current-run.ts'

// Runs before each test file: the file gets its own folder for temporary files, which is removed after its
// last test, whether the tests passed or not. Tests therefore need not remove what they create in tmpdir().
const name = basename(expect.getState().testPath ?? 'unknown', '.test.ts')
const folder = mkdtempSync(join(currentRun()!.folder, `${name}-`))
process.env.TMPDIR = folder

afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
