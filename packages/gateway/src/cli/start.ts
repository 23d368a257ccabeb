import { version } from '../system/version.ts'
import { commands } from './commands.ts'
import { runCommand } from './run-command.ts'
import { createTerminal } from './terminal.ts'

/** Runs the command line of this process, and ends the process with its exit code. */
export async function start(): Promise<never> {
  const line = process.argv.slice(2)
  const isPerson = process.stdin.isTTY === true && process.stdout.isTTY === true
  // A person who types nothing else gets the guide, a program the help.
  if (line.length === 0 && isPerson) line.push('setup')
  const [name] = line
  // A pending promise does not keep Node running, so a command could end before it is done.
  const keepAlive = setInterval(() => {}, 2 ** 30)
  endWithReader(name)
  const code = await runCommand(line, {
    commands,
    version,
    env: process.env,
    cwd: process.cwd(),
    signals: process,
    stdio: { input: process.stdin, output: process.stdout, error: process.stderr },
    terminal: createTerminal(process.stdout, process.stderr, process.env),
  })
  clearInterval(keepAlive)
  await Promise.all([flushed(process.stdout), flushed(process.stderr)])
  // Do not wait for what is left: a server that never answers keeps its socket open for seconds.
  process.exit(code)
}

/** Ends quietly when the reader of the output has gone, such as `head` after its last line. */
function endWithReader(command: string | undefined): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // `serve` ends its servers first when its client has gone.
    if (command === 'serve') return
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
  // The command goes on, even if nobody reads its progress.
  process.stderr.on('error', () => {})
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableEnded) resolve()
    else stream.write('', () => resolve())
  })
}
