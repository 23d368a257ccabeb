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
    const left = readdirSync(folder)
    remove()
    if (left.length > 0) {
      throw new Error(`Test files left temporary files behind: ${left.sort().join(', ')}`)
    }
    // No error: another program may have created them at the same time.
    const strays = ours(parent).filter((name) => !before.has(name))
    if (strays.length > 0) console.warn(`New in ${parent}: ${strays.sort().join(', ')}`)
  }
}

/** Our files in a folder, except those of other runs of the tests. */
function ours(folder: string): string[] {
  return readdirSync(folder).filter((name) => /^toolsearch-(?!tests-|postgres-)/.test(name))
}
