import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { brokenLinks } from './broken-links.ts'
import { compileSamples } from './compile-samples.ts'
import type { PackedProject } from './packed-project.ts'
import { PACKAGES, read, root } from './pages.ts'
import {
  ASKS_GATEWAY,
  listPrograms,
  runNode,
  runSample,
  SAMPLES,
  type SampleRun,
} from './run-sample.ts'
import { readCommands } from './shell-commands.ts'

// Packing, compiling and starting dozens of processes takes minutes on a busy machine.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

let project: PackedProject

let problems: readonly string[]

beforeAll(async () => {
  ;({ project, problems } = await compileSamples())
})

const samples = listPrograms().filter((sample) => sample !== ASKS_GATEWAY)

describe('with the packed packages in an empty project', () => {
  it('every sample compiles under strict', () => {
    expect(problems).toEqual([])
    expect(existsSync(join(project.folder, 'built/readme/search.js'))).toBe(true)
  })

  it.concurrent.each(samples)('%s runs', async (sample) => {
    const { code, output, problems } = await runBuilt(sample)
    expect(code, output).toBe(0)
    const expected = SAMPLES + sample.replace(/\.ts$/, '.txt')
    if (existsSync(root + expected)) expect(output).toBe(read(expected))
    expect(problems).toEqual([])
  })

  it('a gateway serves the sample and the curl commands of docs/inspector.md', async () => {
    const gateway = await startGateway()
    try {
      const { code, output } = await runBuilt(ASKS_GATEWAY, gateway.url)
      expect(code, output).toBe(0)
      for (const { path, body } of curlCommands('docs/inspector.md')) {
        const post = body === undefined ? {} : { method: 'POST', body }
        const response = await fetch(gateway.url + path, post)
        expect(response.status, path).toBe(200)
        await response.body?.cancel()
      }
    } finally {
      await gateway.stop()
    }
  })

  const tools = [
    'publint/src/cli.js --strict',
    '@arethetypeswrong/cli/dist/index.js --profile esm-only',
  ]
  it.each(tools)('%s accepts the packages', async (line) => {
    const [program = '', ...options] = line.split(' ')
    const tarballs = readdirSync(project.folder).filter((file) => file.endsWith('.tgz'))
    expect(tarballs).toHaveLength(PACKAGES.length)
    for (const tarball of tarballs) {
      const args = [join(root, 'node_modules', program), tarball, ...options]
      const { code, output } = await runNode(args, { cwd: project.folder })
      expect(code, output).toBe(0)
    }
  })

  it.each(['toolsearch', 'toolsearch-semantics', 'toolsearch-encoder', 'toolsearch-gateway'])(
    'every link of %s leads to a file in the package',
    (name) => {
      const folder = join(project.folder, 'node_modules', name)
      const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.md'))
        .map((file) => ({ file, links: brokenLinks(folder, file) }))
      expect(pages.map(({ file }) => file)).toContain('README.md')
      expect(pages.filter(({ links }) => links.length > 0)).toEqual([])
    },
  )
})

function curlCommands(page: string): { path: string; body?: string }[] {
  return readCommands(read(page))
    .filter(([program]) => program === 'curl')
    .map((words) => {
      const { pathname, search } = new URL(words.find((word) => word.startsWith('http'))!)
      const body = words[words.indexOf('-d') + 1]!
      return { path: pathname + search, ...(words.includes('-d') && { body }) }
    })
}

function toolsearch(): string {
  return join(project.folder, 'node_modules/toolsearch-gateway/dist/command/main.js')
}

function runBuilt(sample: string, url?: string): Promise<SampleRun> {
  const name = sample.replace(/\.ts$/, '')
  return runSample(sample, {
    args: [join(project.folder, 'built', `${name}.js`)],
    cwd: join(project.folder, 'runs', name),
    ...(url !== undefined && { url }),
  })
}

async function startGateway(): Promise<{ url: string; stop(): Promise<void> }> {
  const config = join(project.folder, 'toolsearch.json')
  const files = 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js'
  const server = { command: process.execPath, args: [join(project.folder, files), project.folder] }
  await writeFile(config, JSON.stringify({ mcpServers: { files: server } }))
  const child = spawn(
    process.execPath,
    [toolsearch(), 'serve', '--http', '--port', '0', '--config', config],
    {
      env: { ...process.env, TOOLSEARCH_CACHE: project.folder },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  return { url: await inspectorUrl(child), stop: () => stop(child) }
}

function inspectorUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let log = ''
    child.stderr!.on('data', (text) => {
      log += text
      const url = /^Inspector: (.*)\/$/m.exec(log)?.[1]
      if (url) resolve(url)
    })
    child.on('exit', () => reject(new Error(`The gateway ended: ${log}`)))
  })
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.on('exit', () => resolve())
    child.kill()
  })
}
