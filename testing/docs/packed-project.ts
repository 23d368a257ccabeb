import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { packPackages } from '../../scripts/pack-packages.js'
import { PACKAGES, root } from './pages.ts'

const run = promisify(execFile)

/** An empty project with our packages as npm would install them. */
export interface PackedProject {
  readonly folder: string
}

/**
 * Packs our packages, unpacks them into a new project and links the other packages from this
 * repository, so that no network is needed.
 *
 * @param others the names of the packages that the project installs in addition to ours
 */
export async function createPackedProject(others: readonly string[]): Promise<PackedProject> {
  for (const folder of PACKAGES) checkBuild(folder)
  const folder = await mkdtemp(join(tmpdir(), 'toolsearch-packed-'))
  packPackages(folder)
  const manifests = await Promise.all(PACKAGES.map((each) => unpack(each, folder)))
  const ours = new Set(manifests.map(({ name }) => name))
  const dependencies = manifests.flatMap(({ dependencies = {} }) => Object.keys(dependencies))
  for (const name of new Set([...others, ...dependencies])) {
    if (!ours.has(name)) await link(name, folder)
  }
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  return { folder }
}

interface Manifest {
  name: string
  version: string
  dependencies?: Record<string, string>
  bin?: string | Record<string, string>
}

async function unpack(packageFolder: string, project: string): Promise<Manifest> {
  const cwd = root + packageFolder
  const manifest: Manifest = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'))
  const target = join(project, 'node_modules', manifest.name)
  await mkdir(target, { recursive: true })
  const tarball = join(project, `${manifest.name}-${manifest.version}.tgz`)
  await run('tar', ['-xzf', tarball, '-C', target, '--strip-components=1'])
  await linkCommands(target, project)
  return manifest
}

async function link(name: string, project: string): Promise<void> {
  const installed = join(root, 'node_modules', name)
  if (!existsSync(installed)) {
    throw new Error(`A page installs ${name}, which is not a dependency of this repository.`)
  }
  const target = join(project, 'node_modules', name)
  await mkdir(dirname(target), { recursive: true })
  await symlink(installed, target)
  await linkCommands(target, project)
}

/** Makes the commands of a package available to `npx`. */
async function linkCommands(packageFolder: string, project: string): Promise<void> {
  const { name, bin = {} }: Manifest = JSON.parse(
    readFileSync(join(packageFolder, 'package.json'), 'utf8'),
  )
  const commands = typeof bin === 'string' ? { [name.replace(/^.*\//, '')]: bin } : bin
  const folder = join(project, 'node_modules/.bin')
  await mkdir(folder, { recursive: true })
  for (const [command, file] of Object.entries(commands)) {
    await symlink(join(packageFolder, file), join(folder, command))
  }
}

/** Stale output would test an old version. Building here could break tests that run at the same time. */
function checkBuild(packageFolder: string): void {
  const built = newest(`${root}${packageFolder}/dist`)
  const sources = newest(`${root}${packageFolder}/src`)
  if (built >= sources) return
  throw new Error(`${packageFolder} changed since it was built. Run npm run build.`)
}

/** The time at which a file in this folder was last changed. */
function newest(folder: string): number {
  if (!existsSync(folder)) return 0
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(test|cases|fixtures)\.ts$/.test(entry.name))
    .map(({ parentPath, name }) => statSync(join(parentPath, name)).mtimeMs)
  return Math.max(0, ...files)
}
