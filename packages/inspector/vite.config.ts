import { defineConfig, type UserConfig } from 'vite'

// The oldest browsers with `light-dark()` and CSS nesting; Vite must not compile these away.
const browsers = ['chrome123', 'firefox120', 'safari17.5']

const config: UserConfig = defineConfig({
  base: './',
  build: {
    target: browsers,
    cssTarget: browsers,
    modulePreload: false,
    // Inlined images would need another rule in the Content Security Policy.
    assetsInlineLimit: 0,
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
})

export default config
