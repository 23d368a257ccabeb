import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config'
import { isDeep } from './testing/deep.ts'

// Not `import`: Vitest passes these on to Node, and `require` would then load ES modules.
const conditions = ['@toolsearch/source', 'node']

const tests = isDeep ? '*.{matrix,property,deep}.test.ts' : '*.test.ts'
const exclude = [...configDefaults.exclude, ...(isDeep ? [] : ['**/*.deep.test.ts'])]

// Most of these files check properties, so test:deep runs them whole.
const pure =
  'packages/toolsearch/src/{catalogue,languages,options,outputs,query,ranking,semantics,tool-search,words}/**/*.test.ts'

/**
 * Tests that replace globals or modules, measure memory or stalls, or start programs from their sources, each in a
 * process of its own. All others share processes and load each module once: half of the CPU time.
 */
const names =
  'in-browser.deep,inverted-index,kept-texts,row-comparer,tune-garbage-collection,version-folder-race'
const stalls = `testing/attacks/{blocking,streams}${tests}`
const alone = [
  `{packages/encoder,testing/docs,examples}/**/${tests}`,
  `**/{${names}}.test.ts`,
  stalls,
]

const config: ViteUserConfig = defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Generous, because tests wait for conditions and a busy machine is slow: these only end hung tests.
    // One more than there are cores, because many tests wait for processes.
    maxWorkers: availableParallelism() + 1,
    testTimeout: isDeep ? 600_000 : 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 30_000,
    // The frameworks under test must not report anything to their makers.
    env: { LANGSMITH_TRACING: 'false', MASTRA_TELEMETRY_DISABLED: '1' },
    expect: { poll: { timeout: 30_000 } },
    globalSetup: 'testing/temporary-files/each-run.ts',
    setupFiles: [
      'testing/temporary-files/each-file.ts',
      'testing/checking-server/fail-after-script-errors.ts',
    ],
    projects: [
      {
        extends: true,
        test: {
          name: 'sharing',
          include: [
            `packages/{toolsearch,semantics,gateway,inspector}/**/${tests}`,
            `{testing,bench,training}/**/${tests}`,
            ...(isDeep ? [pure] : []),
          ],
          exclude: [...exclude, ...alone],
          globalSetup: 'packages/inspector/tests/build-page.ts',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: alone,
          exclude,
        },
      },
    ],
  },
})

export default config
