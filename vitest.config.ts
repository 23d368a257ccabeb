import { defineConfig, type ViteUserConfig } from 'vitest/config'

const conditions = ['@toolsearch/source', 'module', 'node', 'import', 'default']

const config: ViteUserConfig = defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    testTimeout: 20_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'packages',
          include: [
            'packages/{toolsearch,semantics,gateway}/src/**/*.test.ts',
            'testing/**/*.test.ts',
            'examples/**/*.test.ts',
            'bench/**/*.test.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'inspector',
          include: ['packages/inspector/**/*.test.ts'],
          globalSetup: 'packages/inspector/tests/build-page.ts',
          isolate: false,
        },
      },
    ],
  },
})

export default config
