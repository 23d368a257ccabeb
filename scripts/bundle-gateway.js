// Bundles the gateway from its sources, in the folder of the package. Loading hundreds of small modules
// takes longer than a search. The code of this repository is bundled; packages stay external.
import { readFileSync } from 'node:fs'
import { build } from 'esbuild'

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const external = Object.keys(dependencies).filter((name) => name !== 'toolsearch')

await build({
  // All output is at the same depth as the sources, which read files relative to themselves.
  outdir: 'dist',
  entryPoints: {
    'command/main': 'src/cli/main.ts',
    'api/open-gateway': 'src/open-gateway.ts',
    'api/inspection': 'src/inspection/api.ts',
    'scripts/script-worker': 'src/scripts/script-worker.ts',
  },
  // The entry points share their code.
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  conditions: ['@toolsearch/source'],
  external: [...external, 'toolsearch-encoder'],
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  legalComments: 'none',
  // Less to parse at every start.
  minifyWhitespace: true,
  logLevel: 'warning',
})
