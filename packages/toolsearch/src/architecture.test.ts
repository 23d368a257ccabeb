import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import * as everything from './index.ts'

/** Which rooms each room may look into. Reading this table is reading the architecture. */
const mayImport: Record<string, readonly string[]> = {
  catalogue: [],
  query: [],
  session: [],
  evaluation: [],
  tokens: ['catalogue'],
  policy: ['catalogue', 'tokens'],
  announcement: ['catalogue', 'tokens'],
  ranking: ['catalogue', 'query'],
  'tool-search': ['catalogue', 'query', 'ranking', 'session'],
  presets: ['announcement', 'catalogue', 'policy', 'ranking', 'session', 'tool-search'],
  conversation: [
    'announcement',
    'catalogue',
    'policy',
    'presets',
    'query',
    'ranking',
    'session',
    'tokens',
    'tool-search',
  ],
  providers: ['catalogue', 'conversation', 'tokens', 'tool-search'],
  frameworks: ['catalogue', 'conversation', 'session', 'tokens', 'tool-search'],
}

const src = import.meta.dirname
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\/.*\.ts$/.test(file) && !/\.(test|cases|fixtures)\.ts$/.test(file),
)

describe('the rooms', () => {
  it.each(files)('%s looks only into rooms it may', (file) => {
    const room = file.split('/')[0]!
    const source = readFileSync(join(src, file), 'utf8')
    const neighbours = [...source.matchAll(/from '(\.\.?\/[^']+)'/g)]
      .map(([, path]) => relative(src, join(src, dirname(file), path!)))
      .filter((path) => path.includes('/'))
      .map((path) => path.split('/')[0]!)
      .filter((neighbour) => neighbour !== room)
    expect(mayImport[room]).toEqual(expect.arrayContaining(neighbours))
  })
})

describe('the public face', () => {
  it('is these names', () => {
    expect(Object.keys(everything).sort()).toMatchInlineSnapshot(`
      [
        "DuplicateToolError",
        "InvalidActivationError",
        "InvalidSnapshotError",
        "InvalidToolError",
        "ToolSearchError",
        "aiSdkEmbedder",
        "bigramRanker",
        "bm25Ranker",
        "checkSchema",
        "claudeCode",
        "claudeCodeWiki",
        "cortex",
        "cortexRanker",
        "createMemoryStore",
        "createRemoteVectors",
        "createToolSearch",
        "dirge",
        "endpointEmbedder",
        "estimateTokens",
        "everruns",
        "everrunsLatest",
        "fieldedRanker",
        "functionEmbedder",
        "hybridRanker",
        "langchainEmbedder",
        "nexo",
        "nexoRanker",
        "parseActivation",
        "resultFormat",
        "termCountRanker",
        "toolTokens",
        "unified",
        "weightedTermsRanker",
      ]
    `)
  })

  it.each(['index.ts', 'frameworks/ai-sdk/index.ts'])(
    'runs anywhere: nothing reachable from %s imports from node or from a package',
    async (entry) => {
      const { metafile } = await bundle(entry)
      const outside = Object.values(metafile.inputs).flatMap(({ imports }) =>
        imports.filter((one) => one.external).map((one) => one.path),
      )
      expect(outside).toEqual([])
    },
  )

  it('stays small', async () => {
    const { outputFiles } = await bundle('index.ts')
    expect(gzipSync(outputFiles[0]!.contents).length).toBeLessThan(34_000)
  })
})

function bundle(entry: string) {
  return build({
    entryPoints: [join(src, entry)],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    external: ['node:*', 'ai', '@ai-sdk/*'],
    metafile: true,
    write: false,
  })
}
