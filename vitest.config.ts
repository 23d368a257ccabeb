import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config'

// Not `import`: Vitest passes these on to Node, and `require` would then load ES modules.
const conditions = ['@toolsearch/source', 'node']

/**
 * Tests of modules without global state, which therefore share a process and load each module once: a
 * third less CPU time. Tests that replace globals or modules, or that measure memory, must not be here:
 * `inverted-index` measures memory.
 */
const sharing =
  'packages/toolsearch/src/{announcement,catalogue,evaluation,outputs,policy,presets,providers,query,ranking,session,tokens,tool-search}/**/!(inverted-index).test.ts'

const config: ViteUserConfig = defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Generous, because tests wait for conditions and a busy machine is slow: these only end hung tests.
    // One more than there are cores, because many tests wait for processes.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    // The frameworks under test must not report anything to their makers.
    env: { LANGSMITH_TRACING: 'false', MASTRA_TELEMETRY_DISABLED: '1' },
    expect: { poll: { timeout: 30_000 } },
    globalSetup: 'testing/temporary-files/each-run.ts',
    setupFiles: 'testing/temporary-files/each-file.ts',
    projects: [
      {
        extends: true,
        test: {
          name: 'packages',
          include: [
            'packages/{toolsearch,semantics,encoder,gateway}/src/**/*.test.ts',
            'testing/**/*.test.ts',
            'examples/**/*.test.ts',
            'bench/**/*.test.ts',
            'training/**/*.test.ts',
          ],
          exclude: [...configDefaults.exclude, sharing],
        },
      },
      {
        extends: true,
        test: { name: 'sharing', include: [sharing], isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'inspector',
          include: ['packages/inspector/**/*.test.ts'],
          globalSetup: [
            'testing/temporary-files/each-run.ts',
            'packages/inspector/tests/build-page.ts',
          ],
          isolate: false,
        },
      },
    ],
  },
})

export default config
