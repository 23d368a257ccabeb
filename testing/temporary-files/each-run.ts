import { chmodSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeSharedDatabase } from '../services/fresh-database.ts'
import { currentRun, startRun } from './current-run.ts'

/**
 * Runs once before all test files: gives this run its own folder for temporary files. After the tests,
 * removes it, and fails if a test left something behind.
 */
export default function setUp(): (() => Promise<void>) | undefined {
  // Vitest calls this for each project.
  if (currentRun() !== undefined) return undefined
  const parent = tmpdir()
  const before = new Set(ours(parent))
  const folder = mkdtempSync(join(realpathSync(parent), 'toolsearch-tests-'))
  // PostgreSQL's account must get through.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  startRun({ folder, pid: process.pid })
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  process.once('exit', remove)

  return async () => {
    await closeSharedDatabase(folder)
    const left = [
      ...readdirSync(folder).map((name) => join(folder, name)),
      ...ours(parent)
        .filter((name) => !before.has(name))
        .map((name) => join(parent, name))
        .filter((path) => path !== folder),
    ]
    remove()
    if (left.length > 0) {
      throw new Error(`Tests left temporary files behind:\n${left.sort().join('\n')}`)
    }
  }
}

/** Our files in a folder. Other programs, and other runs of the tests, may use it at the same time. */
function ours(folder: string): string[] {
  return readdirSync(folder).filter(
    (name) => name.startsWith('toolsearch-') && !name.startsWith('toolsearch-tests-'),
  )
}
