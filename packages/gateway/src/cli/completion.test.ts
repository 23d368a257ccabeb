import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { completionScripts } from './completion-scripts.ts'
import { program } from './program.fixtures.ts'
import { runHere } from './run-here.fixtures.ts'
import { recorded, type Serving, serving } from './serving.fixtures.ts'
import { suggestWords } from './suggest-words.ts'

let gateway: Serving
let config = ''

beforeAll(async () => {
  const remote = { url: 'http://127.0.0.1:9/mcp' }
  const off = { ...remote, disabled: true }
  gateway = await serving({ mcpServers: { everything: recorded, remote, off } })
  config = join(gateway.folder, 'toolsearch.json')
  await gateway.run('tools')
}, 60_000)
afterAll(() => gateway.end())

const SHELLS = ['bash', 'zsh', 'fish'] as const
const isInstalled = (shell: string) => spawnSync(shell, ['--version']).status === 0

describe('suggestWords', () => {
  const suggest = (...words: string[]) =>
    suggestWords(words, { env: gateway.env, cwd: gateway.folder })

  it('completes commands', async () => {
    expect(await suggest('s')).toEqual([
      'search',
      'serve',
      'setup',
      'sign-in',
      'sign-out',
      'skills',
    ])
    expect(await suggest('help', 'too')).toEqual(['tools'])
    expect(await suggest('')).toContain('doctor')
  })

  it('completes the options of a command', async () => {
    expect(await suggest('search', 'x', '--r')).toEqual(['--ranker', '--refresh'])
    expect(await suggest('unknown', '--r')).toEqual([])
  })

  it('completes names of tools and servers from the cache', async () => {
    const words = ['-c', config]
    expect(await suggest('call', ...words, 'everything__get-s')).toContain('everything__get-sum')
    expect(await suggest('search', 'x', ...words, '--why', 'everything__ec')).toEqual([
      'everything__echo',
    ])
    expect(await suggest('sign-in', ...words, '')).toEqual(['everything', 'remote'])
    expect(await suggest('enable', ...words, '')).toEqual(['off'])
    expect(await suggest('remove', ...words, '')).toEqual(['everything', 'off', 'remote'])
    expect(await suggest('tools', '-c', '/none.json', '')).toEqual([])
  })

  it('completes nothing for values that it does not know', async () => {
    expect(await suggest('search', '--limit', '')).toEqual([])
  })

  it('never suggests a name that a shell could interpret', async () => {
    const folder = join(gateway.folder, 'evil-cache', 'manifests')
    mkdirSync(folder, { recursive: true })
    const tools = [{ name: '$(touch x)' }, { name: 'fine' }]
    writeFileSync(join(folder, 'x.json'), JSON.stringify({ server: 'remote', manifest: { tools } }))
    const env = { ...gateway.env, TOOLSEARCH_CACHE: join(gateway.folder, 'evil-cache') }
    expect(await suggestWords(['call', '-c', config, ''], { env, cwd: gateway.folder })).toEqual([
      'remote__fine',
    ])
  })
})

describe('toolsearch completion', () => {
  it.each(SHELLS)('prints a script for %s that asks for suggestions', (shell) => {
    expect(completionScripts[shell]).toContain('toolsearch completion suggest --')
  })

  // Only the shells of this machine can check it.
  it.each(SHELLS.filter(isInstalled))('prints a script that %s accepts', (shell) => {
    const options = { input: completionScripts[shell], encoding: 'utf8' } as const
    const { status, stderr } = spawnSync(shell, ['-n'], options)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  it.runIf(isInstalled('bash'))(
    'completes in bash',
    async () => {
      const bin = join(gateway.folder, 'bin')
      mkdirSync(bin, { recursive: true })
      const command = join(bin, 'toolsearch')
      writeFileSync(
        command,
        `#!/bin/sh\nexec '${process.execPath}' '${program.join("' '")}' "$@"\n`,
      )
      chmodSync(command, 0o755)
      const script = `eval "$(toolsearch completion bash)"
COMP_WORDS=(toolsearch call -c '${config}' everything__get-s)
COMP_CWORD=4
_toolsearch
printf '%s\\n' "\${COMPREPLY[@]}"
complete -p toolsearch`
      const env = { ...gateway.env, PATH: `${bin}:${process.env.PATH}` }
      const out = await new Promise<string>((resolve, reject) => {
        execFile('bash', ['-c', script], { env }, (error, stdout) =>
          error ? reject(error) : resolve(stdout),
        )
      })
      expect(out).toContain('everything__get-sum\n')
      expect(out).toContain('complete -o default -F _toolsearch toolsearch')
    },
    60_000,
  )

  it('rejects unknown shells', async () => {
    const { code, err } = await runHere(['completion', 'tcsh'], { env: {}, cwd: gateway.folder })
    expect(code).toBe(2)
    expect(err).toContain('Specify a shell: bash, zsh, fish.')
  })
})
