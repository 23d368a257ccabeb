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
            'packages/*/src/**/*.test.ts',
            'checking-server/**/*.test.ts',
            'examples/**/*.test.ts',
            'bench/**/*.test.ts',
            'eval/**/*.test.ts',
            'conformance/*.test.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'inspector',
          include: ['inspector/**/*.test.ts'],
          globalSetup: 'inspector/tests/build-page.ts',
          isolate: false,
        },
      },
    ],
  },
})

export default config
