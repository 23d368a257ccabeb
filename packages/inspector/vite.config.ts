import { defineConfig, type UserConfig } from 'vite'

// what knows `light-dark()` and nesting: no other browser is served older code for it
const browsers = ['chrome123', 'firefox120', 'safari17.5']

const config: UserConfig = defineConfig({
  base: './',
  build: {
    target: browsers,
    cssTarget: browsers,
    modulePreload: false,
    // a picture within a style sheet would need another rule in the page's policy
    assetsInlineLimit: 0,
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
})

export default config
