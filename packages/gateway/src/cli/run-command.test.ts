import { describe, expect, it } from 'vitest'
import type { Command } from './command.ts'
import { UsageError } from './command-errors.ts'
import { runCommand } from './run-command.ts'

const STDIO = { input: process.stdin, output: process.stdout, error: process.stderr }

const greet: Command = {
  name: 'greet',
  summary: 'Say hello',
  usage: 'NAME',
  options: { loud: { type: 'boolean' }, times: { type: 'string', short: 't' } },
  help: ['--loud  shout'],
  examples: ['toolsearch greet Ada'],
  async run({ args: [name], values, terminal }) {
    if (name === undefined) throw new UsageError('Specify a name.')
    if (name === 'nobody') throw new Error('broken')
    terminal.print(values.loud ? `HELLO ${name}` : `Hello ${name}`)
    return 0
  },
}

async function run(...line: string[]) {
  const printed: string[] = []
  const said: string[] = []
  const terminal = {
    print: (text: string) => void printed.push(text),
    say: (text: string) => void said.push(text),
    hasColours: false,
    width: 80,
  }
  const { name, summary } = greet
  const commands = [{ name, summary, load: async () => greet }]
  const place = { env: {}, cwd: '/', signals: process, stdio: STDIO }
  const code = await runCommand(line, { commands, version: '1.2.3', terminal, ...place })
  return { code, printed: printed.join('\n'), said: said.join('\n') }
}

describe('runCommand', () => {
  it('runs a command with its arguments and options', async () => {
    expect(await run('greet', 'Ada', '--loud')).toMatchObject({ code: 0, printed: 'HELLO Ada' })
  })

  it.each([[], ['--help'], ['-h'], ['help']])('lists the commands for %j', async (...line) => {
    const { code, printed } = await run(...line)
    expect(code).toBe(0)
    expect(printed).toContain('greet  Say hello')
  })

  it.each([
    ['greet', '--help'],
    ['help', 'greet'],
  ])('shows the usage of a command for %s %s', async (...line) => {
    const { printed } = await run(...line)
    expect(printed).toContain('Usage: toolsearch greet NAME')
    expect(printed).toContain('toolsearch greet Ada')
  })

  it('prints its version', async () => {
    expect((await run('--version')).printed).toBe('1.2.3')
  })

  it.each([
    [['gret'], 'Did you mean "greet"?'],
    [['--verson'], 'There is no option --verson. Did you mean --version?'],
    [['--quiet'], 'There is no option --quiet. Run toolsearch --help'],
    [['dance'], 'There is no command "dance".'],
    [['greet'], 'Specify a name.'],
    [['help', 'gret'], 'Did you mean "greet"?'],
    [['greet', '--quiet'], 'There is no option --quiet.'],
    [['greet', '--lowd'], 'There is no option --lowd. Did you mean --loud?'],
    [['greet', '-x'], 'There is no option -x.'],
    [['greet', '--loud=yes'], 'The option --loud takes no value.'],
    [['greet', '--times'], 'The option --times needs a value.'],
    [['greet', '--times', '--loud'], 'The option --times needs a value.'],
    [['greet', '--constructor'], 'There is no option --constructor.'],
  ])('rejects %j with advice', async (line, message) => {
    const { code, said } = await run(...line)
    expect(code).toBe(2)
    expect(said).toContain(message)
  })

  it('shows the usage after a wrong option, instead of a message of Node', async () => {
    const { said } = await run('greet', '--lowd')
    expect(said).toBe(
      [
        'There is no option --lowd. Did you mean --loud?',
        'Usage: toolsearch greet NAME',
        'Run toolsearch greet --help for usage.',
      ].join('\n'),
    )
  })

  it('accepts values that start with a dash after "="', async () => {
    expect((await run('greet', 'Ada', '--times=-1')).code).toBe(0)
  })

  it('does not catch unexpected errors', async () => {
    await expect(run('greet', 'nobody')).rejects.toThrow('broken')
  })
})
