import { readFileSync } from 'node:fs'
import { build } from 'esbuild'

// Loading hundreds of small modules takes longer than a search. The command is therefore bundled
// with the code of this repository; packages stay external. Run in the folder of the package.
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const external = Object.keys(dependencies).filter((name) => name !== 'toolsearch')

await build({
  entryPoints: ['dist/cli/main.js'],
  // At the same depth as the modules, which read files relative to themselves.
  outdir: 'dist/command',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: [...external, 'toolsearch-encoder'],
  legalComments: 'none',
  // Less to parse at every start.
  minifyWhitespace: true,
  logLevel: 'warning',
})
