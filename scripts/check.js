// Builds the packages, then runs the checks that need no tests: as many at once as there are cores.
// Prints the output of the checks that fail.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

// The build writes files that the other checks read.
if (await run('build')) process.exit(1)

// The longest first, so that none of them is left alone at the end.
const waiting = [
  'check:types',
  'check:packages',
  'check:format',
  'check:unused',
  'check:page-types',
]
const failed = []
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work))
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.map((name) => `npm run ${name}`).join(', ')}`)
  process.exitCode = 1
}

async function work() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    if (await run(name)) failed.push(name)
  }
}

/** Runs a script of package.json. Resolves to whether it failed. */
function run(name) {
  const started = performance.now()
  // npm has added node_modules/.bin to the path, so the command needs no further npm.
  const child = spawn(scripts[name], { shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
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
