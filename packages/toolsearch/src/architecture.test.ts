import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { importsBetweenModules, readModuleTable } from '../../../testing/read-module-table.ts'
import * as publicApi from './index.ts'
import * as rankers from './rankers.ts'

/** Helpers that every module may import. */
const SHARED_FILES = [
  'delete-oldest.ts',
  'is-before-gemini-3.ts',
  'is-list-of-strings.ts',
  'is-object.ts',
  'tool-search-error.ts',
]
/** Exports from all modules. */
const ENTRY_POINT = 'index.ts'

const src = import.meta.dirname
const imports = importsBetweenModules(src)
const design = readFileSync(join(src, '../../../DESIGN.md'), 'utf8')

describe('modules of the library', () => {
  it('import exactly what DESIGN.md lists', () => {
    const table = readModuleTable(design, '## Modules of the library')
    const actual = [...imports]
      .filter(([module]) => module !== ENTRY_POINT && !SHARED_FILES.includes(module))
      .map(([module, imported]) => [module, [...imported].filter(isModule).sort()] as const)
    expect(Object.fromEntries(actual)).toEqual(Object.fromEntries(table))
  })

  it.each(SHARED_FILES)('%s imports no module', (file) => {
    expect([...imports.get(file)!]).toEqual([])
  })

  function isModule(name: string): boolean {
    return !SHARED_FILES.includes(name)
  }
})

describe('journeys in DESIGN.md', () => {
  const sections = design.matchAll(/^### (.+) \((\d+) files\)$.+?^```text$(.+?)^```$/gms)
  const journeys = [...sections].map(([, title, count, drawing]) => ({ title, count, drawing }))

  it.each(journeys)('draws the files of $title', ({ count, drawing }) => {
    const files = [...drawing!.matchAll(/^\S +(\S+)\/ (.+)$/gm)].flatMap(([, folder, names]) =>
      names!.split(', ').map((name) => `${folder}/${name}.ts`),
    )
    expect(files.filter((file) => !existsSync(join(src, file)))).toEqual([])
    expect(new Set(files).size).toBe(files.length)
    expect(files).toHaveLength(Number(count))
  })
})

describe('public API', () => {
  it('exports these names', () => {
    expect(Object.keys(publicApi).sort()).toMatchInlineSnapshot(`
      [
        "InvalidOptionError",
        "InvalidToolError",
        "ToolSearchError",
        "claudeCode",
        "claudeCodeWiki",
        "cortex",
        "createBridge",
        "createMemoryStore",
        "createToolSearch",
        "dirge",
        "estimateTokens",
        "everruns",
        "everrunsLatest",
        "nexo",
        "parseActivation",
        "parseArguments",
        "promotionIn",
        "resultFormat",
        "toolTokens",
        "unified",
        "validSchema",
        "writeParameters",
      ]
    `)
    expect(Object.keys(rankers).sort()).toMatchInlineSnapshot(`
      [
        "bm25Ranker",
        "createLexicon",
        "createRemoteVectors",
        "endpointEmbedder",
        "fieldedRanker",
        "functionEmbedder",
        "hybridRanker",
        "translatingRanker",
      ]
    `)
  })

  it.each([
    'index.ts',
    'frameworks/ai-sdk/index.ts',
    'frameworks/claude-agent-sdk/claude-agent-sdk.ts',
    'frameworks/langchain/index.ts',
    'frameworks/mastra/index.ts',
    'frameworks/mcp/index.ts',
    'rankers.ts',
  ])(
    '%s runs in any JavaScript runtime: it imports no Node.js module and no package',
    async (entry) => {
      const { metafile } = await bundle(entry)
      const external = Object.values(metafile.inputs).flatMap(({ imports }) =>
        imports.filter(({ external: isExternal }) => isExternal).map(({ path }) => path),
      )
      expect(external).toEqual([])
    },
  )

  it('loads less than 74 kB (minified, gzipped), and no provider or framework', async () => {
    const { metafile, outputFiles } = await bundle('index.ts')
    const loaded = new Set<string>()
    load('out/index.js')
    const sizes = outputFiles
      .filter(({ path }) => [...loaded].some((name) => path.endsWith(name)))
      .map(({ contents }) => gzipSync(contents).length)
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(74_000)
    const files = [...loaded].flatMap((path) => Object.keys(metafile.outputs[path]!.inputs))
    expect(files.filter((path) => /\/(?:providers|frameworks)\//.test(path))).toEqual([])

    function load(path: string): void {
      if (loaded.has(path)) return
      loaded.add(path)
      for (const { path: imported, kind } of metafile.outputs[path]!.imports) {
        if (kind === 'import-statement') load(imported)
      }
    }
  })
})

function bundle(entry: string) {
  return build({
    entryPoints: [join(src, entry)],
    bundle: true,
    splitting: true,
    outdir: 'out',
    minify: true,
    format: 'esm',
    platform: 'neutral',
    external: ['node:*', 'ai', '@ai-sdk/*'],
    metafile: true,
    write: false,
  })
}
