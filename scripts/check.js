// Builds the packages, then runs the checks that need no tests. "npm run check -- types" runs only that check.
// With --tests, as in "npm test" and "npm run test:deep", the tests run at the same time, because they do not
// always use every core.
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

const withTests = process.argv.includes('--tests')
const names = process.argv.slice(2).filter((name) => name !== '--tests')
const unknown = names.filter((name) => CHECKS[name] === undefined)
if (unknown.length > 0) {
  console.error(`There is no check "${unknown[0]}". Choose from: ${Object.keys(CHECKS).join(', ')}`)
  process.exit(2)
}

// Ctrl-C also reaches the children, which end by themselves and remove what they created.
process.on('SIGINT', () => {})

const failures = new Map()
// The build writes files that everything else reads.
await run('build', 'npm run build --silent')
if (failures.size === 0) {
  const waiting = names.length > 0 ? names : Object.keys(CHECKS)
  const workers = withTests ? 1 : Math.max(2, availableParallelism())
  await Promise.all([
    withTests && run('tests', 'vitest run', 'inherit'),
    ...Array.from({ length: workers }, async () => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
        await run(name, CHECKS[name])
      }
    }),
  ])
}
for (const output of failures.values()) process.stderr.write(output)
if (failures.size > 0) {
  console.error(`\nFailed: ${[...failures.keys()].join(', ')}`)
  process.exitCode = 1
}

/** Runs a command. If it fails, keeps its output, unless it goes to the terminal directly. */
function run(name, command, output = 'pipe') {
  const started = performance.now()
  // npm has added node_modules/.bin to the path, so the command needs no further npm.
  const child = spawn(command, { shell: true, stdio: ['ignore', output, output] })
  const pieces = []
  child.stdout?.on('data', (piece) => pieces.push(piece))
  child.stderr?.on('data', (piece) => pieces.push(piece))
  return new Promise((resolve) => {
    child.once('close', (code) => {
      const seconds = ((performance.now() - started) / 1_000).toFixed(1)
      console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)`)
      if (code !== 0) failures.set(name, Buffer.concat(pieces))
      resolve()
    })
  })
}
