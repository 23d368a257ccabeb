import { cpSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createPackedProject, type PackedProject } from './packed-project.ts'
import { listPages, read, root } from './pages.ts'
import { runNode, SAMPLES } from './run-sample.ts'
import { installedPackages, packageName } from './shell-commands.ts'

/** An empty project with our packed packages, in which `built/` contains the compiled samples. */
export interface CompiledSamples {
  readonly project: PackedProject
  /** Errors in samples and in our own declarations. We cannot fix the declarations of others. */
  readonly problems: readonly string[]
}

/** Compiles the declarations of packages, too, ours included. */
export async function compileSamples(): Promise<CompiledSamples> {
  const installed = listPages().flatMap((page) => installedPackages(read(page)).map(packageName))
  // Samples start this server with npx, which would download it.
  const started = '@modelcontextprotocol/server-filesystem'
  const project = await createPackedProject([...installed, started, '@types/node'])
  cpSync(root + SAMPLES, join(project.folder, 'samples'), { recursive: true })
  const compilerOptions = {
    strict: true,
    target: 'es2023',
    module: 'nodenext',
    types: ['node'],
    rootDir: 'samples',
    outDir: 'built',
  }
  const config = { compilerOptions, include: ['samples'] }
  await writeFile(join(project.folder, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { output } = await runNode([tsc, '--pretty', 'false', '--singleThreaded'], {
    cwd: project.folder,
  })
  return { project, problems: output.match(/^(?!\.\.)\S+\(\d+,\d+\): error .*(\n .*)*/gm) ?? [] }
}
