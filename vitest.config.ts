import { defineConfig, type ViteUserConfig } from 'vitest/config'

const conditions = ['@toolsearch/source', 'module', 'node', 'import', 'default']

const config: ViteUserConfig = defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'checking-server/**/*.test.ts',
      'examples/**/*.test.ts',
      'bench/**/*.test.ts',
      'eval/**/*.test.ts',
      'conformance/*.test.ts',
      'inspector/**/*.test.ts',
    ],
    testTimeout: 20_000,
  },
})

export default config
