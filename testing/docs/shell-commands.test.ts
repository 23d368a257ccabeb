import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readEvaluationSet } from '../../bench/evaluation/evaluation-set.ts'
import { readOptions } from '../../bench/evaluation/read-options.ts'
import { runHere } from '../../packages/gateway/src/cli/run-here.fixtures.ts'
import { brokenLinks } from './broken-links.ts'
import { readCodeBlocks } from './code-blocks.ts'
import { listPages, PACKAGES, read, root } from './pages.ts'
import { installedPackages, packageName, readCommands } from './shell-commands.ts'

const pages = listPages()
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

const KNOWN_PROGRAMS = ['npm', 'toolsearch', 'curl']

it.each(pages)('the commands of %s exist', (page) => {
  const unknown = readCommands(read(page)).filter(([program = '', verb = '', name = '']) => {
    if (!KNOWN_PROGRAMS.includes(program)) return true
    if (program !== 'npm' || ['ci', 'install'].includes(verb)) return false
    return scripts[verb === 'run' ? name : verb] === undefined
  })
  expect(unknown).toEqual([])
})

it.each(toolsearchCommands())('toolsearch %s is a valid command', async (command) => {
  // What follows `--` is not an option of toolsearch.
  const words = command
    .split(' -- ')[0]!
    .split(' ')
    .filter((word) => word !== '')
  const { code, err } = await runHere([...words, '--help'], { env: {}, cwd: root })
  expect(code, err).toBe(0)
})

/** Without `toolsearch` in front. */
function toolsearchCommands(): string[] {
  const commands = pages
    .flatMap((page) => readCommands(read(page)))
    .filter(([program]) => program === 'toolsearch')
  return [...new Set(commands.map(([, ...args]) => args.join(' ')))]
}

it('every page of docs/ is in a package', () => {
  const shipped = PACKAGES.flatMap((folder) => {
    const { scripts } = JSON.parse(read(`${folder}/package.json`))
    const [, names = ''] = /prepare-package\.js([^&]*)/.exec(scripts.build) ?? []
    return names.split(' ').filter((name) => name !== '')
  })
  const ofDocs = readdirSync(`${root}docs`).filter((name) => name.endsWith('.md'))
  expect(
    shipped.map((name) => `${name}.md`).sort(),
    'List the page in the build script of its package.',
  ).toEqual(ofDocs.sort())
})

it('the eval commands of docs/evaluation.md have valid options', () => {
  const commands = readCommands(read('docs/evaluation.md')).filter((words) => words[4] === 'eval')
  expect(commands.length).toBeGreaterThan(2)
  const options = commands.map(([, , , , , ...args]) =>
    readOptions(args, `${root}docs/samples/evaluation`),
  )
  const sets = options.flatMap(({ files }) => (files ? [readEvaluationSet(files)] : []))
  expect(sets.map(({ tools }) => tools.length)).toEqual([2, 2])
})

it.each(pages)('%s names versions that the tests use', (page) => {
  const others = installedPackages(read(page)).filter((spec) => {
    const name = packageName(spec)
    const wanted = spec.slice(name.length + 1)
    const manifest = readFileSync(`${root}node_modules/${name}/package.json`, 'utf8')
    const { version } = JSON.parse(manifest) as { version: string }
    return wanted !== '' && wanted !== version.split('.')[0]
  })
  expect(others).toEqual([])
})

it.each(pages)('the samples of %s import only packages that the page installs', (page) => {
  const text = read(page)
  const installed = ['toolsearch', ...installedPackages(text).map(packageName)]
  const imported = readCodeBlocks(text)
    .filter(({ language }) => language === 'ts')
    .flatMap((block) => [...block.text.matchAll(/ from '(@[^/']+\/[^/']+|[^@/'][^/']*)/g)])
    .map(([, name]) => name!)
    .filter((name) => !name.startsWith('node:'))
  expect(imported.filter((name) => !installed.includes(name))).toEqual([])
})

const designs = execFileSync('git', ['ls-files', '*DESIGN.md', 'CONTRIBUTING.md'], {
  cwd: root,
  encoding: 'utf8',
}).trim()

it.each([...pages, ...designs.split('\n')])(
  'every link of %s leads to a file in this repository',
  (page) => {
    // The pages of a package are copied when it is built; samples.deep.test.ts checks their links.
    const links = brokenLinks(root, page)
    const isPackage = page.startsWith('packages/')
    expect(isPackage ? links.filter((link) => !link.startsWith('docs/')) : links).toEqual([])
  },
)

it('reads commands from blocks and from inline code', () => {
  const page = [
    'Run `toolsearch serve --http`.',
    '```sh',
    'npm install -g ai@7 @ai-sdk/mcp@2 # comment',
    'curl -s "http://127.0.0.1:1/a b" | jq .x',
    '```',
  ].join('\n')
  expect(readCommands(page)).toEqual([
    ['npm', 'install', '-g', 'ai@7', '@ai-sdk/mcp@2'],
    ['curl', '-s', 'http://127.0.0.1:1/a b'],
    ['toolsearch', 'serve', '--http'],
  ])
  expect(installedPackages(page).map(packageName)).toEqual(['ai', '@ai-sdk/mcp'])
})
