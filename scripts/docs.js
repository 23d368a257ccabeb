// Keeps the documentation and its samples up to date: npm run docs -- write
import { chooseProgram } from './choose-program.js'

chooseProgram('docs', {
  write: ['testing/docs/write-samples.ts', 'Copy docs/samples into the pages that show them'],
  sample: ['testing/docs/sample.ts', 'Run a sample without an API key, or list the samples'],
  screenshots: [
    'packages/inspector/screenshots/take-screenshots.ts',
    'Take the screenshots of the inspector',
  ],
  manifests: ['testing/manifests/collect.ts', 'List the tools of published MCP servers again'],
})
