import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config'
import { isDeep } from './testing/deep.ts'

// Not `import`: Vitest passes these on to Node, and `require` would then load ES modules.
const conditions = ['@toolsearch/source', 'node']

const tests = isDeep ? '*.{matrix,property,deep}.test.ts' : '*.test.ts'
const exclude = [...configDefaults.exclude, ...(isDeep ? [] : ['**/*.deep.test.ts'])]

/**
 * Tests of modules without global state, which therefore share a process and load each module once: a
 * third less CPU time. Tests that replace globals or modules, or that measure memory, must not be here:
 * `inverted-index` measures memory, `tune-garbage-collection` replaces a module.
 */
const library =
  'announcement,catalogue,evaluation,outputs,policy,presets,providers,query,ranking,session,tokens,tool-search'
const sharing = [
  `packages/toolsearch/src/{${library}}/**/${tests}`,
  `packages/gateway/src/!(cli)/**/${tests}`,
  `packages/gateway/src/${tests}`,
]
const alone = ['inverted-index', 'tune-garbage-collection']

const config: ViteUserConfig = defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Generous, because tests wait for conditions and a busy machine is slow: these only end hung tests.
    // One more than there are cores, because many tests wait for processes.
    maxWorkers: availableParallelism() + 1,
    testTimeout: isDeep ? 600_000 : 60_000,
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
          name: 'isolated',
          include: [
            `packages/{toolsearch,semantics,encoder,gateway}/src/**/${tests}`,
            `{testing,examples,bench,training}/**/${tests}`,
          ],
          exclude: [
            ...exclude,
            ...sharing.map((glob) => glob.replace(tests, `!(${alone.join('|')}).test.ts`)),
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'sharing',
          include: sharing,
          exclude: [...exclude, ...alone.map((name) => `**/${name}.test.ts`)],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'inspector',
          include: [`packages/inspector/**/${tests}`],
          exclude,
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
