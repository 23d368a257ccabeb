import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { runCommand } from '../bench-command.ts'
import { evalCommand } from './eval-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolsearch-eval-'))

const tools = write(
  'tools.jsonl',
  { name: 'mcp__git__create_branch', description: 'Start a new branch', server: 'git' },
  {
    name: 'send_mail',
    description: 'Send an email',
    parameters: {
      type: 'object',
      properties: { urgent: { type: 'bool', description: 'Marks it as urgent' } },
    },
  },
  { name: 'get_weather', description: 'The forecast for a city' },
)
const queries = write(
  'queries.jsonl',
  { query: 'create branch', relevant: ['mcp__git__create_branch'], kind: 'keyword' },
  { query: 'weather forecast', relevant: ['get_weather'], kind: 'keyword' },
  { query: 'quux', relevant: ['send_mail'], kind: 'hard' },
  { query: 'xyzzy', relevant: [], kind: 'none' },
)
const good = ['--tools', tools, '--queries', queries]

describe('eval', () => {
  it('prints the figures overall and by kind, and the worst queries', async () => {
    const { code, stdout, stderr } = await run(...good)
    expect(code).toBe(0)
    expect(stdout).toContain('unified: 3 tools, 3 queries with a relevant tool, 1 without')
    expect(stdout).toMatch(
      /\nunified +4 +66\.7 +66\.7 +66\.7 +66\.7 +66\.7 +33\.3 +33\.3 +100\.0 +100\.0 /,
    )
    expect(stdout).toMatch(/\n {2}keyword +2 +100\.0 /)
    expect(stdout).toMatch(/\n {2}none +1 +– /)
    expect(stdout).toContain('"quux" (hard)\n  expected  send_mail\n  got       nothing')
    expect(stderr).toBe('')
  })

  it('prints only JSON with --json, and compares with --baseline', async () => {
    const { code, stdout } = await run(...good, '--json', '--baseline', 'bm25', '--worst', '1')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      ranker: 'unified',
      tools: 3,
      unknownNames: [],
      all: { queries: 4, served: 3, unserved: 1, abstained: 1, abstentionPrecision: 0.5 },
      kinds: [{ kind: 'keyword', scores: { recallAt1: 1 } }, { kind: 'hard' }, { kind: 'none' }],
      baseline: { ranker: 'bm25', comparison: { measure: 'recallAt5', queries: 3 } },
      worst: [{ query: 'quux', kind: 'hard', expected: [['send_mail']], got: [] }],
      failures: [],
    })
  })

  it('returns the exit code 1 when recall or abstention is below its minimum', async () => {
    const noisy = write('noisy.jsonl', { query: 'forecast', relevant: [] })
    const files = ['--tools', tools, '--queries', queries, noisy]
    const { code, stderr } = await run(...files, '--min-recall', '0.67', '--min-abstention', '0.6')
    expect(code).toBe(1)
    expect(stderr).toContain('R@5 is 0.6667, below --min-recall 0.67.\n')
    expect(stderr).toContain('Abstention is 0.5000, below --min-abstention 0.6.\n')
    expect((await run(...good, '--min-recall', '0.66', '--min-abstention', '1')).code).toBe(0)
  })

  it('lists relevant names that match no tool, and counts them as missed', async () => {
    const relevant = ['no_1', 'no_2', 'no_3', 'no_4', 'no_5', 'no_6']
    const more = write('unknown.jsonl', { query: 'send email', relevant })
    const { code, stdout, stderr } = await run('--tools', tools, '--queries', more, '--json')
    expect(code).toBe(0)
    expect(stderr).toContain(
      '6 relevant names match no tool and count as missed: no_1, no_2, no_3, no_4, no_5, …\n',
    )
    expect(JSON.parse(stdout).all.scores.recallAt10).toBe(0)
  })

  const broken = write('broken.jsonl', { query: 'fine', relevant: [] }, '{"query": "cut')
  const unserved = write('unserved.jsonl', { query: 'xyzzy', relevant: [] })
  it.each<[string, string[], string]>([
    [
      'an unknown ranker',
      ['--ranker', 'best'],
      'There is no ranker "best". Choose one of unified,',
    ],
    [
      'a minimum for which the set has no queries',
      ['--tools', tools, '--queries', unserved, '--min-recall', '0'],
      '--min-recall: the set has no queries to check',
    ],
  ])('rejects %s', async (_, args, message) => {
    await expect(run(...args)).rejects.toThrow(message)
  })

  it('prints a report and exits with the code of the command, as a program', async () => {
    const { code, stdout, stderr } = await runProgram(...good, '--min-recall', '0.67')
    expect(code).toBe(1)
    expect(stdout).toContain('unified: 3 tools')
    expect(stderr).toContain('below --min-recall')
  })

  it('prints a message without a stack and exits with 2 for a line that is not JSON', async () => {
    const error = vi.spyOn(console, 'error').mockReturnValue()
    const before = process.exitCode
    try {
      await runCommand(async () => void (await run('--tools', tools, '--queries', broken)))
      expect(process.exitCode).toBe(2)
      expect(error.mock.calls).toEqual([[expect.stringContaining(`${broken}:2: not valid JSON`)]])
    } finally {
      process.exitCode = before
      error.mockRestore()
    }
  })
})

function write(name: string, ...lines: (object | string)[]): string {
  const file = join(folder, name)
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  writeFileSync(file, text.join('\n'))
  return file
}

interface Result {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

async function run(...args: string[]): Promise<Result> {
  const stdout: string[] = []
  const stderr: string[] = []
  const code = await evalCommand(args, {
    log: (line: string) => void stdout.push(`${line}\n`),
    error: (line: string) => void stderr.push(`${line}\n`),
  })
  return { code, stdout: stdout.join(''), stderr: stderr.join('') }
}

function runProgram(...args: string[]): Promise<Result> {
  const options = ['--import', 'tsx', '--conditions=@toolsearch/source']
  const program = join(import.meta.dirname, 'eval.ts')
  return new Promise((resolve) => {
    execFile(process.execPath, [...options, program, ...args], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
  })
}
