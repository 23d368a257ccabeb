import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './pages.ts'
import { ASKS_GATEWAY, listPrograms, runSample, SAMPLES } from './run-sample.ts'

// Run by `npm run docs -- sample anthropic/loop`: runs a sample of the documentation against a local
// server that plays its model, so no API key is needed.
const samples = listPrograms().filter((sample) => sample !== ASKS_GATEWAY)
const [name] = process.argv.slice(2)
const sample = samples.find((file) => file === name || file === `${name}.ts`)

if (name === undefined) {
  console.log('Run a sample with npm run docs -- sample <name>:')
  for (const file of samples) console.log(`  ${file.replace(/\.ts$/, '')}`)
} else if (sample === undefined) {
  console.error(`There is no sample "${name}". npm run docs -- sample lists all samples.`)
  process.exitCode = 1
} else {
  const cwd = await mkdtemp(join(tmpdir(), 'toolsearch-sample-'))
  // Some samples start a program of this repository with npx.
  await symlink(join(root, 'node_modules'), join(cwd, 'node_modules'))
  try {
    const tsx = import.meta.resolve('tsx')
    const args = ['--conditions=@toolsearch/source', '--import', tsx, root + SAMPLES + sample]
    const { code, output, problems } = await runSample(sample, { args, cwd })
    process.stdout.write(output)
    for (const problem of problems) console.error(problem)
    process.exitCode = code === 0 && problems.length > 0 ? 1 : code
  } finally {
    await rm(cwd, { recursive: true, force: true })
  }
}
