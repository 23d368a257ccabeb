import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Runs the program that the first argument names, from its source and with the other arguments. Without
 * an argument, prints what there is.
 *
 * @param {string} script The npm script that calls this, for messages.
 * @param {Record<string, readonly [file: string, description: string]>} programs
 */
export function chooseProgram(script, programs) {
  const [name, ...args] = process.argv.slice(2)
  if (name === undefined || name === '--help') return console.log(listOf(script, programs))
  const [file] = programs[name] ?? []
  if (file === undefined) {
    console.error(`There is no "${name}".\n\n${listOf(script, programs)}`)
    process.exitCode = 2
    return
  }
  const loader = ['--conditions=@toolsearch/source', '--import', import.meta.resolve('tsx')]
  // The frameworks that are compared must not report anything to their makers.
  const env = { ...process.env, LANGSMITH_TRACING: 'false', MASTRA_TELEMETRY_DISABLED: '1' }
  const child = spawn(process.execPath, [...loader, root + file, ...args], {
    stdio: 'inherit',
    env,
  })
  // Ctrl-C reaches the program too. Wait until it has cleaned up.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.once('exit', (code) => {
    process.exitCode = code ?? 1
  })
}

function listOf(script, programs) {
  const width = Math.max(...Object.keys(programs).map((name) => name.length))
  const lines = Object.entries(programs).map(
    ([name, [, description]]) => `  ${name.padEnd(width)}  ${description}`,
  )
  return `Usage: npm run ${script} -- NAME [options]\n\n${lines.join('\n')}\n\nnpm run ${script} -- NAME --help describes the options.`
}
