import { type Command, OK } from './command.ts'
import { UsageError } from './command-errors.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

export const completionCommand: Command = {
  name: 'completion',
  summary: 'Print a completion script for bash, zsh or fish',
  usage: 'bash | zsh | fish',
  options: {},
  help: [
    'The script completes commands, options, and the names of servers and tools.',
    'Load it in the start-up file of your shell, as in the examples.',
  ],
  examples: [
    'toolsearch completion bash >> ~/.bashrc',
    'toolsearch completion zsh >> ~/.zshrc',
    'toolsearch completion fish > ~/.config/fish/completions/toolsearch.fish',
  ],
  async run({ args, terminal, env, cwd }) {
    const [shell, ...words] = args
    if (shell === 'suggest') {
      const { suggestWords } = await import('./suggest-words.ts')
      for (const word of await suggestWords(words, { env, cwd })) terminal.print(word)
      return OK
    }
    const known = SHELLS.find((each) => each === shell)
    if (known === undefined) throw new UsageError(`Specify a shell: ${SHELLS.join(', ')}.`)
    const { completionScripts } = await import('./completion-scripts.ts')
    terminal.print(completionScripts[known])
    return OK
  },
}
