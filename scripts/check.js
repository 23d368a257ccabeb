// Builds the packages, then runs the checks that need no tests: as many at once as there are cores.
// Prints the output of the checks that fail. "npm run check -- types" runs only that check.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

// The longest first, so that none of them is left alone at the end. With one thread, the compiler takes
// half the CPU time that it takes with several.
const CHECKS = {
  types: 'tsc --noEmit --singleThreaded',
  unused: 'knip',
  format: 'biome check .',
  'page-types': 'tsc --noEmit --singleThreaded -p packages/inspector',
}

const names = process.argv.slice(2)
const unknown = names.filter((name) => CHECKS[name] === undefined)
if (unknown.length > 0) {
  console.error(`There is no check "${unknown[0]}". Choose from: ${Object.keys(CHECKS).join(', ')}`)
  process.exit(2)
}

// The build writes files that the other checks read.
if (await run('build', 'npm run build --silent')) process.exit(1)

const waiting = names.length > 0 ? names : Object.keys(CHECKS)
const failed = []
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work))
if (failed.length > 0) {
  console.error(`\nFailed: npm run check -- ${failed.join(' ')}`)
  process.exitCode = 1
}

async function work() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    if (await run(name, CHECKS[name])) failed.push(name)
  }
}

/** Runs a command. Resolves to whether it failed. */
function run(name, command) {
  const started = performance.now()
  // npm has added node_modules/.bin to the path, so the command needs no further npm.
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = []
  child.stdout.on('data', (piece) => output.push(piece))
  child.stderr.on('data', (piece) => output.push(piece))
  return new Promise((resolve) => {
    child.once('close', (code) => {
      const seconds = ((performance.now() - started) / 1_000).toFixed(1)
      console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)`)
      if (code !== 0) process.stderr.write(Buffer.concat(output))
      resolve(code !== 0)
    })
  })
}
